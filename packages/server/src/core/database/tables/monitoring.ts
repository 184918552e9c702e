import type { UserRow } from './users.ts'

/** Messages that a process stored in a minute (whole minutes since 1970), kept for a day; core/sentMessages writes it. */
export interface MessageMinuteRow {
  minute: number
  process: string
  messages: number
}

/** Connections made in a minute, kept for a day; counted by the database itself. */
export interface ConnectionMinuteRow {
  minute: number
  connections: number
}

/** Users of all organizations; counted by the database itself. */
export interface PeopleCountRow {
  role: UserRow['role']
  is_active: number
  suspended: number
  users: number
}
