import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../core/database/types.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { type Place, placeOf } from './participants.ts'
import { selectOwnConnection } from './queries.ts'

export interface Membership extends Place {
  connection: ConnectionRow
}

/** The user's place in a connection of his, while it exists. */
export async function findMembership(
  db: Reader,
  connectionId: string,
  userId: string,
): Promise<Membership | undefined> {
  const connection = await selectOwnConnection(db, connectionId, userId)
  if (connection === undefined) return undefined
  return { connection, ...placeOf(connection, userId) }
}

/** As findMembership; for anyone else it is as if the connection did not exist: CONNECTION_NOT_FOUND. */
export async function membership(db: Reader, connectionId: string, userId: string): Promise<Membership> {
  const found = await findMembership(db, connectionId, userId)
  if (found === undefined) throw new AppError('CONNECTION_NOT_FOUND')
  return found
}
