import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../core/db.ts'
import type { ConnectionRow } from '../../core/schema.ts'
import { selectOwnConnection } from './queries.ts'

export interface Membership {
  connection: ConnectionRow
  /** Which columns of the connection belong to the user. */
  side: 1 | 2
  otherId: string
}

/** The one rule of who may touch a connection and all that is in it: its two users, while it exists. */
export async function findMembership(
  db: Reader,
  connectionId: string,
  userId: string,
): Promise<Membership | undefined> {
  const connection = await selectOwnConnection(db, connectionId, userId)
  if (connection === undefined) return undefined
  const side = connection.user_id_1 === userId ? 1 : 2
  return { connection, side, otherId: side === 1 ? connection.user_id_2 : connection.user_id_1 }
}

/** As findMembership; for anyone else it is as if the connection did not exist: CONNECTION_NOT_FOUND. */
export async function membership(db: Reader, connectionId: string, userId: string): Promise<Membership> {
  const found = await findMembership(db, connectionId, userId)
  if (found === undefined) throw new AppError('CONNECTION_NOT_FOUND')
  return found
}
