import type { UserRow } from '../schema.ts'

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
