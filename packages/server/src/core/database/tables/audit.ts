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

export interface SecurityEventRow {
  id: string
  event_type: string
  event_description: string | null
  severity: 'low' | 'medium' | 'high' | 'critical'
  user_id: string | null
  address: string | null
  page_url: string | null
  /** JSON */
  metadata: string | null
  session_id: string | null
  created_at: number
  /** Id made by the browser that reported it. */
  client_id: string | null
  /** Time of the event by the browser's clock. */
  occurred_at: number | null
  /** Keyed hash of a name that no account has, if `user_id` is null. */
  account: string | null
}
