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
  /** null for an account of a plain client that brought no keys. */
  identity_key: string | null
  /** at rest */
  wrapped_identity_seed: string | null
  /** at rest */
  wrapped_account_key: string | null
  /** at rest */
  recovery_wrapped_account_key: string | null
  recovery_proof_hash: string | null
  /** 1: it was shown at sign-up, and nobody has said yet that he saved it. */
  recovery_key_unsaved: number
  pins_version: number
  pins: string
  /** Where the name stands in a sorted list. */
  name_key: string
  /** Failed sign-ins up to this time say nothing any more. */
  failures_settled_at: number
  /** Grows with everything of a user that sending depends on: name, state, newest epoch. The database sees to it. */
  sending_version: number
}
