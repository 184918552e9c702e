export interface SessionRow {
  id: string
  user_id: string
  /** SHA-256 of the cookie's token */
  token_hash: string
  created_at: number
  last_used_at: number
  address: string
  device: string
  /** How long it may lie unused, in milliseconds. */
  idle_limit: number
  /** When password and second factor were last shown in it. */
  confirmed_at: number | null
  /** How long after its sign-in it ends, however much it is used, in milliseconds. */
  life_limit: number
  /** The token before the last renewal; it authenticates calls until `former_until`. */
  former_token_hash: string | null
  former_until: number | null
}
