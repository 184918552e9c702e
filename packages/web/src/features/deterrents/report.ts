import type { Client } from '@privity/client'
import { toast } from '../../ui/toast/toastStore.ts'
import { rules, toneOf, type Deterred } from './triggers.ts'
import { createPassingStorage, openStorage, nameTab, tabSession } from './storage.ts'
import { createEventQueue, type EventQueue } from './queue.ts'
import { deterrentTexts } from './texts.ts'
import type { Notice } from './pageWatch.ts'

async function alone(name: string, work: () => Promise<void>): Promise<void> {
  const locks = navigator.locks as LockManager | undefined
  await (locks ? locks.request(name, work) : work())
}

export function openQueue(client: Client, userId: string): EventQueue {
  const storage = (client.account.isTransient() ? undefined : openStorage('localStorage')) ?? createPassingStorage()
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

/** Minimum interval in ms between events of a kind: a held key, or Ctrl+P and the print dialog, is one event. */
const minIntervalMs = 1_000
const minute = 60_000
const maxPerMinute = 10

interface Kind {
  taken: number[]
  /** Number of events skipped since the last reported one. */
  leftOut: number
}

/** `repeated`: same attempt as the last reported event. `tooMany`: counted for the next report of its kind. */
type Taken = { leftOut: number } | 'repeated' | 'tooMany'

/** Limits reports per kind, and returns how many were skipped before each report. */
export function createLimiter(now: () => number): (kind: Deterred) => Taken {
  const kinds = new Map<Deterred, Kind>()
  return (name) => {
    const time = now()
    const kind = kinds.get(name) ?? { taken: [], leftOut: 0 }
    kinds.set(name, kind)
    kind.taken = kind.taken.filter((earlier) => time - earlier < minute)
    if (time - (kind.taken.at(-1) ?? Number.NEGATIVE_INFINITY) < minIntervalMs) return 'repeated'
    if (kind.taken.length >= maxPerMinute) {
      kind.leftOut += 1
      return 'tooMany'
    }
    kind.taken.push(time)
    const { leftOut } = kind
    kind.leftOut = 0
    return { leftOut }
  }
}
