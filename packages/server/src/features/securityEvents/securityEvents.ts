import type { ReportedEvent } from '@privity/contract/securityEvents'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'

/** Keeps the path alone: the rest (an invitation, a search) is private. */
export function pathOf(pageUrl: string): string {
  return pageUrl.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '')
}

async function store(core: Core, tx: Tx, caller: Caller, event: ReportedEvent): Promise<void> {
  const at = core.clock.now()
  const { eventType, severity } = event
  const path = pathOf(event.pageUrl)
  const stored = await recordSecurityEvent(tx, {
    type: eventType,
    severity,
    description: event.eventDescription,
    userId: caller.userId,
    address: caller.address,
    at,
    report: {
      clientId: event.id,
      occurredAt: event.occurredAt === undefined ? undefined : Math.min(event.occurredAt, at),
      path,
      metadata: event.metadata,
      sessionId: event.sessionId,
    },
  })
  if (stored === undefined) return
  await audit(tx, {
    action: 'security_event_reported',
    actorId: caller.userId,
    targetId: stored,
    address: caller.address,
    details: { eventType, severity, path },
    at,
  })
}

/**
 * Stores events that a member's browser reports, each with its audit entry: all of them, or none if the account exceeds
 * its limit. An event that was stored before stays as it is.
 */
export async function reportEvents(core: Core, caller: Caller, events: readonly ReportedEvent[]): Promise<void> {
  const giveBack: (() => void)[] = []
  try {
    for (const _ of events) giveBack.push(core.rates.take('securityEvent', caller.userId))
    await core.db.write(async (tx) => {
      for (const event of events) await store(core, tx, caller, event)
      tx.afterCommit(() => core.bus.publish('signalsStored', {}))
    })
  } catch (error) {
    for (const each of giveBack) each()
    throw error
  }
}
