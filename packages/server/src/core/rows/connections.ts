/** Whom a user refuses a new connection with; the name is the one he had at that time. */
export interface BlockRow {
  blocker_id: string
  blocked_id: string
  first_name: string
  last_name: string
  blocked_at: number
}

/** Whom a user was connected with until lately, by the name of that time. */
export interface FormerContactRow {
  user_id: string
  contact_id: string
  first_name: string
  last_name: string
  ended_at: number
  expires_at: number
}
