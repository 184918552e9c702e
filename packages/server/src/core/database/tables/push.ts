/** A session's subscription at a push service, and its one waiting push. */
export interface PushSubscriptionRow {
  session_id: string
  user_id: string
  /** SHA-256 of the endpoint */
  endpoint_hash: string
  /** at rest; JSON: endpoint and keys */
  subscription: string
  /** When the waiting push leaves, or is tried again; null: none waits. */
  due_at: number | null
  /** When the newest message that it announces was stored. */
  caused_at: number
  /** When that message expires. */
  expires_at: number
  /** Attempts that have failed for the waiting push. */
  failures: number
  /** Nothing is queued before. */
  quiet_until: number
}
