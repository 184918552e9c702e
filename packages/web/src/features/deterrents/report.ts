import type { Client } from '@privity/client'
import { toast } from '../../ui/toast/toastStore.ts'
import { rules, toneOf } from './triggers.ts'
import { createPassingStorage, openStorage } from './eventStorage.ts'
import { createLimiter } from './limiter.ts'
import { createEventQueue, type EventQueue } from './queue.ts'
import { nameTab, tabSession } from './tabSession.ts'
import { deterrentTexts } from './texts.ts'
import type { Notice } from './pageWatch.ts'

async function alone(name: string, work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined
  await (locks ? locks.request(name, work) : work())
}

export function openQueue(client: Client, userId: string): EventQueue {
  const storage = openStorage('localStorage') ?? createPassingStorage()
  return createEventQueue({ userId, storage, send: client.reports.events, alone, now: client.now })
}

/** Reports detected actions to the server and shows a warning for those that have one. */
export function createReporter(client: Client, queue: EventQueue): Notice {
  nameTab()
  const take = createLimiter(Date.now)
  return (kind, facts = {}) => {
    const { eventType, severity, description, warning } = rules[kind]
    const taken = take(kind)
    if (typeof taken === 'object')
      queue.add({
        id: crypto.randomUUID(),
        occurredAt: client.now(),
        eventType,
        severity,
        eventDescription: description,
        pageUrl: location.pathname,
        sessionId: tabSession(),
        metadata: taken.leftOut === 0 ? facts : { ...facts, ...taken },
      })
    if (warning)
      toast({
        title: deterrentTexts.warnings[warning],
        ...(taken !== 'tooMany' && { description: deterrentTexts.logged }),
        tone: toneOf(severity),
        stays: true,
      })
  }
}
