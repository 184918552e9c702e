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
  /** at rest; the server's half of the key under which this session's browser stores the account key */
  key_share: string
  /** The browser in the user's list that it belongs to. */
  browser_id: string | null
  /** 1 if its cookies end with the browser, which is not remembered as known. */
  shared_computer: number
}

/** A browser in the user's list that a session belongs to, or has belonged to. */
export interface SessionBrowserRow {
  session_id: string
  user_id: string
  browser_id: string
}

/** An authenticator app (TOTP) in use. */
export interface AuthenticatorAppRow {
  user_id: string
  /** at rest; 20 bytes as base64url */
  secret: string
  created_at: number
  confirmed_at: number
  /** Time step of the last accepted code; earlier ones are in used_steps. */
  last_step: number
}

/** An app that is being set up, perhaps to replace the one in use. Only the session that began may confirm it. */
export interface AuthenticatorSetupRow {
  user_id: string
  /** at rest; 20 bytes as base64url */
  secret: string
  created_at: number
  session_id: string
}

export interface PasskeyRow {
  id: string
  user_id: string
  name: string
  /** base64url, as the browser gave it */
  credential_id: string
  /** COSE, base64url */
  public_key: string
  counter: number
  /** JSON array */
  transports: string
  /** The domain it belongs to. */
  rp_id: string
  created_at: number
  last_used_at: number | null
}

/** A correct password that waits for the second factor. */
export interface SignInTicketRow {
  token_hash: string
  user_id: string
  /** SHA-256 of the id in the browser's device cookie */
  device: string
  /** SHA-256 of users.password_hash: a new password voids the ticket. */
  password_hash: string
  expires_at: number
}

/** A new password, set with the recovery key, that takes effect once the second factor is shown with the ticket. */
export interface ProposedPasswordRow {
  token_hash: string
  /** SHA-256 of users.recovery_proof_hash: a new recovery key voids the ticket. */
  recovery_proof_hash: string
  /** at rest; JSON: the verifier and the newly wrapped account key */
  proposal: string
}

/** A challenge for a passkey to sign; one at a time for each `holder` (a ticket, or a session and its purpose). */
export interface PasskeyChallengeRow {
  holder: string
  user_id: string
  challenge: string
  expires_at: number
}
