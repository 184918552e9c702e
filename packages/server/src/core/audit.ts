import { createHash } from 'node:crypto'
import type { Tx } from './db.ts'

export interface AuditEntry {
  /** What happened, in snake_case: account_created, connection_removed … */
  action: string
  /** Who did it; null for the server itself. */
  actorId: string | null
  targetId?: string | undefined
  address?: string | undefined
  /** Facts about it; never content, file names, keys or anything a person typed in secret. */
  details?: Record<string, string | number | boolean | null>
  at: number
}

/**
 * Writes one entry of the append-only log in the caller's own transaction, so that a change and its
 * entry exist together or not at all. `hash` = SHA-256 of the hash before it and this entry.
 */
export async function audit(tx: Tx, entry: AuditEntry): Promise<void> {
  const last = await tx.get<{ seq: number; hash: string }>('select seq, hash from audit_log order by seq desc limit 1')
  const seq = (last?.seq ?? 0) + 1
  const details = JSON.stringify(entry.details ?? {})
  const fields = [seq, entry.at, entry.action, entry.actorId, entry.targetId ?? null, entry.address ?? null, details]
  const hash = createHash('sha256')
    .update(`${last?.hash ?? ''}\n${JSON.stringify(fields)}`)
    .digest('base64url')
  await tx.run(
    `insert into audit_log (seq, created_at, action, actor_id, target_id, address, details, hash)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    [...fields, hash],
  )
}
