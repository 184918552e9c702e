import type { Reader, Tx } from '../../core/db.ts'
import type { ConnectionRow, UserRow } from '../../core/schema.ts'
import { isParty } from './parties.ts'

export type PartyRow = Pick<
  UserRow,
  'id' | 'username' | 'first_name' | 'last_name' | 'email' | 'is_active' | 'suspended'
>

const partyColumns = 'id, username, first_name, last_name, email, is_active, suspended'

export const selectOwnConnection = (db: Reader, id: string, userId: string) =>
  db.get<ConnectionRow>(`select c.* from connections c where c.id = ? and ${isParty}`, [id, userId, userId])

export const selectConnections = (db: Reader, userId: string) =>
  db.all<ConnectionRow>(
    'select * from connections where user_id_1 = ? or user_id_2 = ? order by connected_at desc, id desc',
    [userId, userId],
  )

/** The user and everyone connected with him. */
export const selectParties = (db: Reader, userId: string) =>
  db.all<PartyRow>(
    `select ${partyColumns} from users where id = ?
     or id in (select user_id_1 from connections where user_id_2 = ?)
     or id in (select user_id_2 from connections where user_id_1 = ?)`,
    [userId, userId, userId],
  )

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

/** Messages of this user's connections that have not expired. */
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
