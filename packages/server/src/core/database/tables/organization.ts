import type { UserRow } from './users.ts'

/** Words whose beginnings find a user; core/userNames makes them. */
export interface UserWordRow {
  user_id: string
  word: string
  organization_id: string
  /** As in the user's row: found users are sorted without looking at that. */
  name_key: string
}

/** Kept by the database itself. */
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
  /** JSON: what it asks of its members, where that is not the default. */
  policy: string
}

export interface InvitationRow {
  id: string
  token_hash: string
  organization_id: string
  role: UserRow['role']
  /** null for the server itself. */
  created_by: string | null
  created_at: number
  /** null: when the next one is made. */
  expires_at: number | null
  used_at: number | null
  used_by: string | null
  revoked_at: number | null
}
