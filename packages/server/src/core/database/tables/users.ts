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
  /** 1: shown at sign-up, and not yet confirmed as saved. */
  recovery_key_unsaved: number
  pins_version: number
  pins: string
  /** Position of the name in a sorted list. */
  name_key: string
  /** A new password, or the user's confirmation, settled the failed sign-ins up to this time. */
  failures_settled_at: number
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
  /** at rest; null once it is destroyed, of the newest epoch: the next one follows it */
  wrapped_seed: string | null
  /** `ends_at`, or the start of a later epoch that began before. The seed is destroyed 24 hours after that. */
  used_until: number
  /** at rest; the account key of which this epoch is the last */
  wrapped_former_key: string | null
}
