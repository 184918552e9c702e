/** Whom a user refuses a new connection with; the name is the one he had at that time. */
export interface BlockRow {
  blocker_id: string
  blocked_id: string
  first_name: string
  last_name: string
  blocked_at: number
}
