import { limits } from '@privity/contract/limits'
import type { ReportedEvent } from '@privity/contract/securityEvents'
import type { Stopping } from '../../core/async/batches.ts'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { type Count, countSuccess } from '../../core/rateLimits/outcomes.ts'
import { deleteEarliest, deleteInBatches } from '../../core/jobs/rowDeletion.ts'
import type { Job } from '../../core/jobs/scheduler.ts'
import { recordSecurityEvent } from '../../core/audit/securityEvents.ts'

/** Returns only the path: the rest (an invitation, a search) is private. */
export function pathOf(pageUrl: string): string {
  return pageUrl.replace(/^https?:\/\/[^/]+/, '').replace(/[?#].*$/, '')
}

async function storeEvent(core: Core, tx: Tx, caller: Caller, event: ReportedEvent): Promise<void> {
  const at = core.clock.now()
  const { eventType, severity } = event
  const path = pathOf(event.pageUrl)
  const eventId = await recordSecurityEvent(tx, {
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
  if (eventId === undefined) return
  await auditCall(tx, caller, {
    action: 'security_event_reported',
    targetId: eventId,
    details: { eventType, severity, path },
    at,
  })
}

/**
 * Stores events that a member's browser reports, each with its audit entry: all of them, or none if the account exceeds
 * its limit. An event that was stored before stays as it is.
 */
export async function reportEvents(core: Core, caller: Caller, events: readonly ReportedEvent[]): Promise<void> {
  const counts = events.map((): Count => ['securityEvent', caller.userId])
  const store = async (tx: Tx) => {
    for (const event of events) await storeEvent(core, tx, caller, event)
    tx.afterCommit(() => core.bus.publish('signalsStored', {}))
  }
  await countSuccess(core.rates, counts, () => core.db.write(store))
}

const batchSize = 200

/** Deletes events after `limits.securityEventsKept`; the audit log keeps type, severity and path of a reported one. */
function deleteOldEvents({ db, clock }: Core, stopping: Stopping): Promise<void> {
  const deleteBatch = (tx: Tx) =>
    deleteEarliest(tx, 'security_events', clock.now() - limits.securityEventsKept, batchSize, 'created_at')
  return deleteInBatches(db, batchSize, deleteBatch, stopping)
}

export const securityEventJobs: Job[] = [
  { name: 'forget old security events', every: 60 * 60_000, run: deleteOldEvents },
]
