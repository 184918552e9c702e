import type { Tx } from '../database/types.ts'
import { newId } from '../ids.ts'
import type { SecurityEventRow } from '../database/tables/security.ts'

export interface SecurityEvent {
  type: string
  severity: SecurityEventRow['severity']
  at: number
  description?: string
  userId?: string
  /** A keyed hash of the given name, if no account has that name. */
  account?: string
  address?: string
  /** Set if a browser reported the event. */
  report?: {
    /** Made by the browser; an event with an id that the account already has is not stored again. */
    clientId: string | undefined
    /** The time of the event by the browser's clock. */
    occurredAt: number | undefined
    path: string
    metadata: Record<string, string | number | boolean | null>
    sessionId: string
  }
}

/**
 * Stores an event for the detection rules, such as a failed sign-in. Returns its id; undefined if it was stored before.
 */
export async function recordSecurityEvent(tx: Tx, event: SecurityEvent): Promise<string | undefined> {
  const { report } = event
  const id = newId(event.at)
  const { changes } = await tx.run(
    `insert into security_events (id, event_type, event_description, severity, user_id, address, page_url, metadata,
       session_id, created_at, client_id, occurred_at, account)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    [
      id,
      event.type,
      event.description ?? null,
      event.severity,
      event.userId ?? null,
      event.address ?? null,
      report?.path ?? null,
      report === undefined ? null : JSON.stringify(report.metadata),
      report?.sessionId ?? null,
      event.at,
      report?.clientId ?? null,
      report?.occurredAt ?? null,
      event.account ?? null,
    ],
  )
  return changes === 0 ? undefined : id
}
