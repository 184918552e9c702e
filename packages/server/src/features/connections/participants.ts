import type { ConnectionRow } from '../../core/database/tables/connections.ts'

/** The one rule of who may touch a connection `c` and all that is in it: its two users. Takes the user twice. */
export const isParty = '(c.user_id_1 = ? or c.user_id_2 = ?)'

export interface Place {
  /** Which columns of the connection belong to the user. */
  side: 1 | 2
  otherId: string
}

/** Where a party stands in his connection. */
export function placeOf(parties: Pick<ConnectionRow, 'user_id_1' | 'user_id_2'>, userId: string): Place {
  return parties.user_id_1 === userId
    ? { side: 1, otherId: parties.user_id_2 }
    : { side: 2, otherId: parties.user_id_1 }
}
