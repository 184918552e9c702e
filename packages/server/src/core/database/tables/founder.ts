export interface FounderSessionRow {
  id: string
  /** SHA-256 of the cookie's token */
  token_hash: string
  created_at: number
  last_used_at: number
  address: string
  device: string
  /** When password and second factor were last shown in it. */
  confirmed_at: number | null
  /** The token before the last renewal; it authenticates calls until `former_until`. */
  former_token_hash: string | null
  former_until: number | null
}

/** The founder's authenticator app (TOTP), one at most; while it is being set up, only the session that began may confirm it. */
export interface FounderAppRow {
  id: number
  /** at rest; 20 bytes as base64url */
  secret: string
  created_at: number
  session_id: string | null
  confirmed_at: number | null
  last_step: number
}

/** Between the founder's password and the second factor. */
export interface FounderTicketRow {
  token_hash: string
  /** SHA-256 of the device it is good in */
  device: string
  /** Of the verifier that the password fitted. */
  verifier_hash: string
  expires_at: number
}

/** The newest is what reports are sealed to; the others open what was sealed to them before. */
export interface FounderReportKeyRow {
  id: string
  public_key: string
  /** at rest; wrapped by a key that only the founder's password gives */
  wrapped_seed: string
  created_at: number
}
