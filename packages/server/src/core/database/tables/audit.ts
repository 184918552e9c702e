export interface AuditRow {
  seq: number
  created_at: number
  action: string
  actor_id: string | null
  actor_organization: string | null
  target_id: string | null
  target_organization: string | null
  /** Of the address and its salt, which lie apart and are forgotten first. */
  address_commitment: string | null
  /** JSON */
  details: string
  nonce: string
  /** The chain up to this entry. */
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
  /** Made by the browser that reported it. */
  client_id: string | null
  /** The browser's word. */
  occurred_at: number | null
  /** Whose, where `user_id` does not say it: a keyed hash of a name that nobody has. */
  account: string | null
}
