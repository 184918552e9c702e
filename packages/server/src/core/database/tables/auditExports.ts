/** An export of the audit log that was requested but not fetched yet. */
export interface AuditExportRow {
  id: string
  session_id: string
  organization_id: string
  format: 'jsonl' | 'csv'
  /** JSON */
  snapshot: string
  made_at: number
}
