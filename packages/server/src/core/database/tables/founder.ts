export interface FounderSessionRow {
  id: string
  /** SHA-256 of the cookie's token */
  token_hash: string
  created_at: number
  last_used_at: number
  address: string
  device: string
  /** When password and second factor were last confirmed in this session. */
  confirmed_at: number | null
  /** The token before the last renewal; it authenticates calls until `former_until`. */
  former_token_hash: string | null
  former_until: number | null
}

/** The founder's only authenticator app (TOTP). During its setup, only the session that began may confirm it. */
export interface FounderAppRow {
  id: number
  /** at rest; 20 bytes as base64url */
  secret: string
  created_at: number
  session_id: string | null
  confirmed_at: number | null
  last_step: number
}

/** A correct founder password that waits for the second factor. */
export interface FounderTicketRow {
  token_hash: string
  /** SHA-256 of the device in which it is valid */
  device: string
  /** Hash of the verifier that the password matched. */
  verifier_hash: string
  expires_at: number
}

/** Reports are encrypted to the newest key; older keys decrypt earlier reports. */
export interface FounderReportKeyRow {
  id: string
  public_key: string
  /** at rest; wrapped with a key that only the founder's password yields */
  wrapped_seed: string
  created_at: number
}
