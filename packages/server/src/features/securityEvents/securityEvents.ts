import type { ReportedEvent } from '@privity/contract/securityEvents'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'

/** The path alone: what follows it (an invitation, a search) is nobody's business. */
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
 * Stores what a member's browser reports, each event with its audit entry: all of them, or none when
 * there are more than the account may report. An event that was stored before is left as it is.
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
