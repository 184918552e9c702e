import type { Tx } from '../../core/database/types.ts'
import type { AuditExportRow } from '../../core/database/tables/audit.ts'

export const insertExport = (tx: Tx, row: AuditExportRow) => tx.kysely.insertInto('audit_exports').values(row).execute()

export const forgetExports = (tx: Tx, before: number) =>
  tx.run('delete from audit_exports where made_at <= ?', [before])

/** Takes the export once: of two concurrent requests, one finds it. */
export const deleteExport = (
  tx: Tx,
  { id, sessionId, organizationId, after }: { id: string; sessionId: string; organizationId: string; after: number },
) =>
  tx.get<AuditExportRow>(
    `delete from audit_exports where id = ? and session_id = ? and organization_id = ? and made_at > ? returning *`,
    [id, sessionId, organizationId, after],
  )
