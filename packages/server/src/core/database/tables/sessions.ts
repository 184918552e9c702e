export interface SessionRow {
  id: string
  user_id: string
  /** SHA-256 of the cookie's token */
  token_hash: string
  created_at: number
  last_used_at: number
  address: string
  device: string
  /** How long it may stay unused, in milliseconds. */
  idle_limit: number
  /** When password and second factor were last confirmed in this session. */
  confirmed_at: number | null
  /** Its longest life after sign-in, however much it is used, in milliseconds. */
  life_limit: number
  /** The token before the last renewal; it authenticates calls until `former_until`. */
  former_token_hash: string | null
  former_until: number | null
}
