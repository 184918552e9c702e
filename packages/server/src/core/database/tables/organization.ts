import type { UserRow } from './users.ts'

/** Words whose prefixes find a user; the searchIndex of organization/users makes them. */
export interface UserWordRow {
  user_id: string
  word: string
  organization_id: string
  /** Copy of the user's, so that results are sorted without reading the user's row. */
  name_key: string
}

/** Number of users; maintained by triggers. */
export interface UserCountRow {
  organization_id: string
  role: UserRow['role']
  is_active: number
  users: number
}

export interface OrganizationRow {
  id: string
  name: string
  type: string
  created_at: number
  /** JSON: the policy for members, where it differs from the default. */
  policy: string
}

export interface InvitationRow {
  id: string
  token_hash: string
  organization_id: string
  role: UserRow['role']
  /** null: the server itself. */
  created_by: string | null
  created_at: number
  /** null: valid until the next one is created. */
  expires_at: number | null
  used_at: number | null
  used_by: string | null
  revoked_at: number | null
}
