import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../core/database/types.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { type Place, placeOf } from './participants.ts'
import { selectOwnConnection } from './queries.ts'

export interface Membership extends Place {
  connection: ConnectionRow
}

/** The user's place in a connection; undefined if it is not theirs or has ended. */
export async function findMembership(
  db: Reader,
  connectionId: string,
  userId: string,
): Promise<Membership | undefined> {
  const connection = await selectOwnConnection(db, connectionId, userId)
  if (connection === undefined) return undefined
  return { connection, ...placeOf(connection, userId) }
}

/** Like findMembership, but throws CONNECTION_NOT_FOUND: for anyone else the connection does not exist. */
export async function membership(db: Reader, connectionId: string, userId: string): Promise<Membership> {
  const found = await findMembership(db, connectionId, userId)
  if (found === undefined) throw new AppError('CONNECTION_NOT_FOUND')
  return found
}
