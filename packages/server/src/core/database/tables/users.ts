export interface UserRow {
  id: string
  username: string
  email: string
  first_name: string
  last_name: string
  role: 'user' | 'org_admin' | 'super_admin'
  organization_id: string
  connection_code: string
  password_hash: string
  /** The Argon2id cost under which the browser derived the password. */
  password_version: number
  is_active: number
  suspended: number
  created_at: number
  /** null for an account made by a client without keys. */
  identity_key: string | null
  /** JSON: the replaced identity keys, newest first, each with its signature of the one after it. */
  former_keys: string
  /** at rest */
  wrapped_identity_seed: string | null
  /** at rest */
  wrapped_account_key: string | null
  /** at rest */
  recovery_wrapped_account_key: string | null
  recovery_proof_hash: string | null
  /** The pair of the recovery key, and its signature by the identity key. */
  recovery_kem_key: string | null
  recovery_kem_signature: string | null
  /** 1: seeds of epochs are sealed to listed browsers, not under the account key. */
  only_approved: number
  /** Counts the changes of only_approved; the identity key signed the newest. */
  mode_changes: number
  mode_signature: string | null
  /** 1: a browser was removed, or the mode switched on, since epochs were published. */
  publication_due: number
  /** 1: shown at sign-up, and not yet confirmed as saved. */
  recovery_key_unsaved: number
  pins_version: number
  pins: string
  /** Position of the name in a sorted list. */
  name_key: string
  /** A new password, or the user's confirmation, settled the failed sign-ins up to this time. */
  failures_settled_at: number
  /** When the user was last mailed about unread messages; 0: never. */
  reminded_at: number
  /** Grows with every change that sending depends on: name, state, epochs. Maintained by triggers. */
  sending_version: number
}

export interface PreferencesRow {
  user_id: string
  /** JSON: the values that were chosen; any other preference has its default. */
  chosen: string
}

export interface EpochRow {
  user_id: string
  n: number
  public_key: string
  created_at: number
  starts_at: number
  ends_at: number
  previous_hash: string
  features: number
  signature: string
  /** at rest; null once it is destroyed, and with "Only approved browsers" */
  wrapped_seed: string | null
  /** 1: the seed is gone; the newest epoch stays, because the next one follows it. */
  is_destroyed: number
  /** `ends_at`, or the start of a later epoch that began before. The seed is destroyed 24 hours after `endOfUse`. */
  used_until: number
  /** at rest; the account key of which this epoch is the last */
  wrapped_former_key: string | null
}

export interface BrowserRow {
  user_id: string
  browser_id: string
  n: number
  kem_key: string
  sign_key: string
  created_at: number
  signature: string
  browser_signature: string
  /** 0: a browser that was used later has taken its place; what was sealed to it stays. */
  is_listed: number
  name: string
  first_used_at: number
  last_used_at: number
  approved_at: number | null
  /** The comparison that approves it. */
  commitment: string | null
  approval_started_at: number | null
  approver_id: string | null
  approver_nonce: string | null
  own_nonce: string | null
}

/** The part of an entry that the signing key of the entry before it signs, so that others can follow the keys. */
export interface BrowserLinkRow {
  user_id: string
  browser_id: string
  n: number
  sign_key: string
  entry_hash: string
  signature: string
}

export interface BrowserRemovalRow {
  user_id: string
  browser_id: string
  created_at: number
  signature: string
  removed_at: number
}

export interface SealedSeedRow {
  user_id: string
  n: number
  /** The user's id: sealed to the pair of the recovery key. */
  browser_id: string
  sealed: string
}
