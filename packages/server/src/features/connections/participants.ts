import type { ConnectionRow } from '../../core/database/tables/connections.ts'

/** The one rule of who may access a connection `c` and its contents: its two users. Binds the user id twice. */
export const isParty = '(c.user_id_1 = ? or c.user_id_2 = ?)'

export interface Place {
  /** The number of the connection's columns that belong to the user. */
  side: 1 | 2
  contactId: string
}

/** The place of a participant in a connection. */
export function placeOf(parties: Pick<ConnectionRow, 'user_id_1' | 'user_id_2'>, userId: string): Place {
  return parties.user_id_1 === userId
    ? { side: 1, contactId: parties.user_id_2 }
    : { side: 2, contactId: parties.user_id_1 }
}
