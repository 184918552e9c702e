import type { Reader, Tx } from '../../core/database/types.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { padToPowerOfTwo, placeholders, splitIntoStatements } from '../../core/database/statements.ts'
import { isParty } from './participants.ts'

export type PartyRow = Pick<
  UserRow,
  'id' | 'username' | 'first_name' | 'last_name' | 'email' | 'is_active' | 'suspended'
>

const partyColumns = 'id, username, first_name, last_name, email, is_active, suspended'

export const selectOwnConnection = (db: Reader, id: string, userId: string) =>
  db.get<ConnectionRow>(`select c.* from connections c where c.id = ? and ${isParty}`, [id, userId, userId])

/** Connections of one or several users, newest first. */
export async function selectConnections(db: Reader, userIds: readonly string[]): Promise<ConnectionRow[]> {
  const asked = padToPowerOfTwo(userIds)
  return db.all(
    `select * from connections where user_id_1 in (${placeholders(asked)}) or user_id_2 in (${placeholders(asked)})
     order by connected_at desc, id desc`,
    [...asked, ...asked],
  )
}

const mostParties = 500

export async function selectParties(db: Reader, userIds: readonly string[]): Promise<Map<string, PartyRow>> {
  const parties = new Map<string, PartyRow>()
  for (const some of splitIntoStatements(userIds, mostParties)) {
    const asked = padToPowerOfTwo(some)
    const rows = await db.all<PartyRow>(`select ${partyColumns} from users where id in (${placeholders(asked)})`, asked)
    for (const row of rows) parties.set(row.id, row)
  }
  return parties
}

export const selectParty = (db: Reader, userId: string) =>
  db.get<PartyRow>(`select ${partyColumns} from users where id = ?`, [userId])

export const selectByCode = (db: Reader, code: string) =>
  db.get<PartyRow>(`select ${partyColumns} from users where connection_code = ?`, [code])

export const selectPair = (db: Reader, first: string, second: string) =>
  db.get<{ id: string }>('select id from connections where user_id_1 = ? and user_id_2 = ?', [first, second])

export const insertConnection = (tx: Tx, id: string, first: string, second: string, now: number) =>
  tx.run('insert into connections (id, user_id_1, user_id_2, connected_at) values (?, ?, ?, ?)', [
    id,
    first,
    second,
    now,
  ])

export async function deleteConnection(tx: Tx, id: string, now: number): Promise<void> {
  await tx.run('delete from connections where id = ?', [id])
  await tx.run('insert into removed_connections (id, removed_at) values (?, ?)', [id, now])
}

/** Counts the unexpired messages of this user's connections. */
export async function countMessages(db: Reader, userId: string, now: number) {
  const row = await db.get<{ sent: number; all: number }>(
    `select count(case when m.sender_id = ? then 1 end) as sent, count(*) as "all"
     from connections c join messages m on m.connection_id = c.id
     where (c.user_id_1 = ? or c.user_id_2 = ?) and m.expires_at > ?`,
    [userId, userId, userId, now],
  )
  const { sent, all } = row ?? { sent: 0, all: 0 }
  return { sent, received: all - sent }
}
