import type { Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import type { EnvelopeRow, MessageRow } from '../../core/database/tables/messages.ts'

export interface NameRow {
  first_name: string
  last_name: string
}

export const selectNames = (db: Reader, one: string, other: string) =>
  db.all<NameRow & { id: string }>('select id, first_name, last_name from users where id in (?, ?)', [one, other])

export const selectEnvelope = (db: Reader, id: string) =>
  db.get<EnvelopeRow>('select * from envelopes where id = ?', [id])

export function selectEnvelopes(db: Reader, ids: readonly string[]): Promise<EnvelopeRow[]> {
  const padded = padToPowerOfTwo(ids)
  return db.all(`select * from envelopes where id in (${placeholders(padded)})`, padded)
}

export const insertEnvelope = (tx: Tx, row: EnvelopeRow) =>
  tx.run(
    `insert into envelopes (id, connection_id, from_id, to_id, epoch_from, epoch_to, created_at, expires_at,
       sealed_for_recipient, sealed_for_sender, signature) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.connection_id,
      row.from_id,
      row.to_id,
      row.epoch_from,
      row.epoch_to,
      row.created_at,
      row.expires_at,
      row.sealed_for_recipient,
      row.sealed_for_sender,
      row.signature,
    ],
  )

export const extendEnvelope = (tx: Tx, id: string, expiresAt: number) =>
  tx.run('update envelopes set expires_at = ? where id = ?', [expiresAt, id])

export const selectMessage = (tx: Reader, id: string) => tx.get<MessageRow>('select * from messages where id = ?', [id])

/** The unexpired message, deleted or not, if this user sent it and the connection still exists. */
export const selectOwnMessage = (db: Reader, { id, senderId, now }: { id: string; senderId: string; now: number }) =>
  db.get<MessageRow>(
    `select m.* from messages m join connections c on c.id = m.connection_id
     where m.id = ? and m.sender_id = ? and m.expires_at > ?`,
    [id, senderId, now],
  )

/** Destroys what a message says. Its repetition tag stays: deleting hides nothing from a scan. */
export const clearMessage = (tx: Tx, id: string, left: string, deletion: string) =>
  tx.run(
    `update messages set content = ?, deletion = ?, file_id = null, file_size = null, file_name = null, file_key = null
     where id = ?`,
    [left, deletion, id],
  )

/** The newest messages with a `seq` below `before`, oldest first. */
export async function selectNewest(db: Reader, id: string, before: number, now: number, limit: number) {
  const rows = await db.all<MessageRow>(
    'select * from messages where connection_id = ? and seq < ? and expires_at > ? order by seq desc limit ?',
    [id, before, now, limit],
  )
  return rows.toReversed()
}

export const selectAfter = (db: Reader, id: string, after: number, before: number, now: number, limit: number) =>
  db.all<MessageRow>(
    `select * from messages where connection_id = ? and seq > ? and seq < ? and expires_at > ?
     order by seq limit ?`,
    [id, after, before, now, limit],
  )

const unreadStatement = (own: 1 | 2, contact: 1 | 2) => `
  select c.id as "connectionId", (
    select count(*) from (
      select m.sender_id, m.expires_at, m.deletion from messages m
      where m.connection_id = c.id and m.seq > c.read_seq_${own} and m.seq <= c.sent_seq_${contact}
      order by m.seq desc limit 200
    ) newest
      where newest.sender_id = c.user_id_${contact} and newest.expires_at > ? and newest.deletion is null
  ) as count
  from connections c where c.user_id_${own} = ? and c.sent_seq_${contact} > c.read_seq_${own}`

/**
 * Counts rows instead of keeping a counter, so expiry cannot skew it. Looks only at the newest 200 messages up to the
 * contact's last, so a flood cannot slow it; no badge shows that many.
 */
export const selectUnreadCounts = async (db: Reader, userId: string, now: number) => {
  const sql = `${unreadStatement(1, 2)} union all ${unreadStatement(2, 1)}`
  const rows = await db.all<{ connectionId: string; count: number }>(sql, [now, userId, now, userId])
  return rows.filter(({ count }) => count > 0)
}

/** With `areReadsShared`, the other participant may see that it was read. */
export const setRead = (tx: Tx, id: string, side: 1 | 2, areReadsShared: boolean) =>
  tx.run(
    `update connections set read_seq_${side} = last_seq, delivered_seq_${side} = last_seq
       ${areReadsShared ? `, shown_read_seq_${side} = last_seq` : ''}
     where id = ? and read_seq_${side} < last_seq`,
    [id],
  )

export const setDelivered = (tx: Tx, id: string, side: 1 | 2, seq: number) =>
  tx.run(
    `update connections set delivered_seq_${side} = case when last_seq < ? then last_seq else ? end
     where id = ? and delivered_seq_${side} < ? and delivered_seq_${side} < last_seq`,
    [seq, seq, id, seq],
  )
