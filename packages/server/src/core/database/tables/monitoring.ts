import type { UserRow } from './users.ts'

/**
 * Messages that a process stored in one minute (minutes since 1970), kept for a day. See
 * core/metrics/messagesPerMinute.
 */
export interface MessageMinuteRow {
  minute: number
  process: string
  messages: number
}

/** Connections made in one minute, kept for a day; maintained by triggers. */
export interface ConnectionMinuteRow {
  minute: number
  connections: number
}

/** Number of users of all organizations; maintained by triggers. */
export interface PeopleCountRow {
  role: UserRow['role']
  is_active: number
  suspended: number
  users: number
}
