import type { Tx } from './db.ts'
import { newId } from './ids.ts'
import type { SecurityEventRow } from './schema.ts'

export interface SecurityEvent {
  type: string
  severity: SecurityEventRow['severity']
  at: number
  description?: string
  userId?: string
  address?: string
}

/** Keeps something the monitoring rules look at, such as a failed sign-in. */
export async function recordSecurityEvent(tx: Tx, event: SecurityEvent): Promise<void> {
  await tx.run(
    `insert into security_events (id, event_type, event_description, severity, user_id, address, created_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [
      newId(event.at),
      event.type,
      event.description ?? null,
      event.severity,
      event.userId ?? null,
      event.address ?? null,
      event.at,
    ],
  )
}
