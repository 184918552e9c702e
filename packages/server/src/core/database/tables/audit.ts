export interface AuditRow {
  seq: number
  created_at: number
  action: string
  actor_id: string | null
  actor_organization: string | null
  target_id: string | null
  target_organization: string | null
  /** Commitment to the address and its salt, which are stored apart and deleted first. */
  address_commitment: string | null
  /** JSON */
  details: string
  nonce: string
  /** The chain value after this entry. */
  hash: string
}

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
