import type { Tx } from '../database/types.ts'
import { newId } from '../ids.ts'
import type { SecurityEventRow } from '../database/tables/audit.ts'

export interface SecurityEvent {
  type: string
  severity: SecurityEventRow['severity']
  at: number
  description?: string
  userId?: string
  /** Whose, where nobody has the name that was given: a keyed hash of it. */
  account?: string
  address?: string
  /** What only a browser reports. */
  report?: {
    /** Made by the browser; an account's event with an id that it already has is not stored again. */
    clientId: string | undefined
    /** The browser's word of when it happened. */
    occurredAt: number | undefined
    path: string
    metadata: Record<string, string | number | boolean | null>
    sessionId: string
  }
}

/** Keeps something the monitoring rules look at, such as a failed sign-in. Answers its id; undefined where it was stored before. */
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
