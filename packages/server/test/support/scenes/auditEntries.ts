import type { Value, Reader } from '../../../src/core/database/types.ts'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'

export type AuditEntryRow = AuditRow & { address: string | null }

/** Entries with their addresses, oldest first; `where` omits the keyword. */
export const selectAudit = (db: Reader, where = '1 = 1', params: readonly Value[] = []): Promise<AuditEntryRow[]> =>
  db.all(
    `select audit_log.*, address from audit_log left join audit_addresses using (seq) where ${where} order by seq`,
    params,
  )
