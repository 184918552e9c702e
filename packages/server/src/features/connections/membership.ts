import { AppError } from '@privity/contract/errors'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import type { Reader } from '../../core/database/types.ts'

/** The one rule of who may access a connection `c` and its contents: its two users. Binds the user id twice. */
export const isParticipant = '(c.user_id_1 = ? or c.user_id_2 = ?)'

/** The place of a participant in a connection. */
export interface Place {
  /** The number of the connection's columns that belong to the user. */
  side: 1 | 2
  contactId: string
}

export const placeOf = (
  { user_id_1, user_id_2 }: Pick<ConnectionRow, 'user_id_1' | 'user_id_2'>,
  userId: string,
): Place => (user_id_1 === userId ? { side: 1, contactId: user_id_2 } : { side: 2, contactId: user_id_1 })

export interface Membership extends Place {
  connection: ConnectionRow
}

/** The user's place in a connection; undefined if it is not theirs or has ended. */
export async function findMembership(
  db: Reader,
  connectionId: string,
  userId: string,
): Promise<Membership | undefined> {
  const connection = await db.get<ConnectionRow>(`select c.* from connections c where c.id = ? and ${isParticipant}`, [
    connectionId,
    userId,
    userId,
  ])
  if (connection === undefined) return undefined
  return { connection, ...placeOf(connection, userId) }
}

/** Like findMembership, but throws CONNECTION_NOT_FOUND: for anyone else the connection does not exist. */
export async function requireMembership(db: Reader, connectionId: string, userId: string): Promise<Membership> {
  const membership = await findMembership(db, connectionId, userId)
  if (membership === undefined) throw new AppError('CONNECTION_NOT_FOUND')
  return membership
}
