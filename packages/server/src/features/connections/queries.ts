import type { Reader, Tx } from '../../core/database/types.ts'
import type { BlockRow, ConnectionRow, FormerContactRow } from '../../core/database/tables/connections.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { padToPowerOfTwo, placeholders, splitIntoStatements } from '../../core/database/statements.ts'

export type ParticipantRow = Pick<
  UserRow,
  'id' | 'username' | 'first_name' | 'last_name' | 'email' | 'is_active' | 'suspended'
>

export const participantColumns = [
  'id',
  'username',
  'first_name',
  'last_name',
  'email',
  'is_active',
  'suspended',
] as const
const listedColumns = participantColumns.join(', ')

/** Connections of one or several users, newest first. */
export async function selectConnections(db: Reader, userIds: readonly string[]): Promise<ConnectionRow[]> {
  const ids = padToPowerOfTwo(userIds)
  return db.all(
    `select * from connections where user_id_1 in (${placeholders(ids)}) or user_id_2 in (${placeholders(ids)})
     order by connected_at desc, id desc`,
    [...ids, ...ids],
  )
}

/** When each connection's newest unexpired message was stored, without the connections that have none. */
export async function selectLastMessageTimes(db: Reader, userId: string, now: number): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; last_at: number | null }>(
    `select c.id, (select m.created_at from messages m where m.connection_id = c.id and m.expires_at > ?
       order by m.seq desc limit 1) as last_at
     from connections c where c.user_id_1 = ? or c.user_id_2 = ?`,
    [now, userId, userId],
  )
  return new Map(rows.flatMap(({ id, last_at: at }) => (at === null ? [] : [[id, at]])))
}

const maxParticipantsPerQuery = 500

export async function selectParticipants(db: Reader, userIds: readonly string[]): Promise<Map<string, ParticipantRow>> {
  const participants = new Map<string, ParticipantRow>()
  for (const batch of splitIntoStatements(userIds, maxParticipantsPerQuery)) {
    const ids = padToPowerOfTwo(batch)
    const rows = await db.all<ParticipantRow>(
      `select ${listedColumns} from users where id in (${placeholders(ids)})`,
      ids,
    )
    for (const row of rows) participants.set(row.id, row)
  }
  return participants
}

export const selectParticipant = (db: Reader, userId: string) =>
  db.get<ParticipantRow>(`select ${listedColumns} from users where id = ?`, [userId])

export const selectByConnectionCode = (db: Reader, code: string) =>
  db.get<ParticipantRow>(`select ${listedColumns} from users where connection_code = ?`, [code])

/** Two users in the order in which a connection holds them. */
export const inPairOrder = (one: string, other: string): [first: string, second: string] =>
  one < other ? [one, other] : [other, one]

export const selectPair = (db: Reader, first: string, second: string) =>
  db.get<{ id: string }>('select id from connections where user_id_1 = ? and user_id_2 = ?', [first, second])

export const insertConnection = (tx: Tx, id: string, first: string, second: string, now: number) =>
  tx.run('insert into connections (id, user_id_1, user_id_2, connected_at) values (?, ?, ?, ?)', [
    id,
    first,
    second,
    now,
  ])

export const updateLifetime = (tx: Tx, id: string, lifetime: number) =>
  tx.run('update connections set lifetime = ? where id = ?', [lifetime, id])

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

export const selectBlocks = (db: Reader, blockerId: string) =>
  db.all<BlockRow>('select * from blocks where blocker_id = ? order by blocked_at desc, blocked_id', [blockerId])

export async function hasBlocked(db: Reader, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db.get('select 1 from blocks where blocker_id = ? and blocked_id = ?', [blockerId, blockedId])
  return row !== undefined
}

export const insertBlock = (tx: Tx, row: BlockRow) =>
  tx.run('insert into blocks (blocker_id, blocked_id, first_name, last_name, blocked_at) values (?, ?, ?, ?, ?)', [
    row.blocker_id,
    row.blocked_id,
    row.first_name,
    row.last_name,
    row.blocked_at,
  ])

export const deleteBlock = (tx: Tx, blockerId: string, blockedId: string) =>
  tx.run('delete from blocks where blocker_id = ? and blocked_id = ?', [blockerId, blockedId])

/** Latest first. Leaves out expired rows that are not deleted yet. */
export const selectFormerContacts = (db: Reader, userId: string, now: number) =>
  db.all<FormerContactRow>(
    'select * from former_contacts where user_id = ? and expires_at > ? order by ended_at desc, contact_id',
    [userId, now],
  )

export const upsertFormerContact = (tx: Tx, row: FormerContactRow) =>
  tx.run(
    `insert into former_contacts (user_id, contact_id, first_name, last_name, ended_at, expires_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (user_id, contact_id) do update set first_name = excluded.first_name,
       last_name = excluded.last_name, ended_at = excluded.ended_at, expires_at = excluded.expires_at`,
    [row.user_id, row.contact_id, row.first_name, row.last_name, row.ended_at, row.expires_at],
  )

/** Deletes and returns a former contact, so that only one of two concurrent calls gets it. */
export const deleteFormerContact = (tx: Tx, userId: string, contactId: string, now: number) =>
  tx.get<FormerContactRow>(
    'delete from former_contacts where user_id = ? and contact_id = ? and expires_at > ? returning *',
    [userId, contactId, now],
  )

export const deleteFormerPair = (tx: Tx, one: string, other: string) =>
  tx.run('delete from former_contacts where (user_id = ? and contact_id = ?) or (user_id = ? and contact_id = ?)', [
    one,
    other,
    other,
    one,
  ])

export const deleteExpiredFormerContacts = (tx: Tx, now: number) =>
  tx.run('delete from former_contacts where expires_at <= ?', [now])
