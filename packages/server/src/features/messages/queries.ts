import type { Reader, Tx } from '../../core/db.ts'
import { isParty } from '../connections/parties.ts'
import type { EnvelopeRow, MessageRow } from '../../core/schema.ts'

/** What sending has to know, asked in one question: it is asked for every message. */
export interface SendFacts {
  user_id_1: string
  user_id_2: string
  last_seq: number
  first_name: string
  last_name: string
  mine_active: number
  mine_suspended: number
  is_active: number
  suspended: number
  mine_newest: number | null
  peer_newest: number | null
  /** null where the server has not seen the envelope; then all of it is. */
  envelope_connection: string | null
  envelope_from: string | null
  epoch_from: number | null
  epoch_to: number | null
  envelope_expires_at: number | null
  /** 1 where a message of this id is stored */
  is_stored: number
}

interface SendIds {
  connectionId: string
  userId: string
  envelopeId: string
  messageId: string
}

/** undefined where the user has no such connection. */
export const selectSendFacts = (tx: Reader, { connectionId, userId, envelopeId, messageId }: SendIds) =>
  tx.get<SendFacts>(
    `select c.user_id_1, c.user_id_2, c.last_seq, me.first_name, me.last_name, me.is_active as mine_active, me.suspended as mine_suspended,
       peer.is_active, peer.suspended,
       (select max(n) from epochs where user_id = me.id) as mine_newest,
       (select max(n) from epochs where user_id = peer.id) as peer_newest,
       e.connection_id as envelope_connection, e.from_id as envelope_from, e.epoch_from, e.epoch_to,
       e.expires_at as envelope_expires_at,
       case when exists (select 1 from messages where id = ?) then 1 else 0 end as is_stored
     from connections c join users me on me.id = ?
       join users peer on peer.id = case when c.user_id_1 = me.id then c.user_id_2 else c.user_id_1 end
       left join envelopes e on e.id = ?
     where c.id = ? and ${isParty}`,
    [messageId, userId, envelopeId, connectionId, userId, userId],
  )

export interface NameRow {
  first_name: string
  last_name: string
}

export const selectName = (db: Reader, userId: string) =>
  db.get<NameRow>('select first_name, last_name from users where id = ?', [userId])

export const selectEnvelope = (db: Reader, id: string) =>
  db.get<EnvelopeRow>('select * from envelopes where id = ?', [id])

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

export const keepEnvelopeUntil = (tx: Tx, id: string, expiresAt: number) =>
  tx.run('update envelopes set expires_at = ? where id = ?', [expiresAt, id])

export const selectMessage = (tx: Reader, id: string) => tx.get<MessageRow>('select * from messages where id = ?', [id])

const setNewest = {
  1: 'update connections set last_seq = ?, sent_seq_1 = ? where id = ?',
  2: 'update connections set last_seq = ?, sent_seq_2 = ? where id = ?',
}

/** Stores a message as the newest of its connection. */
export async function insertMessage(tx: Tx, row: MessageRow, side: 1 | 2): Promise<void> {
  await tx.run(
    `insert into messages (id, connection_id, seq, sender_id, envelope_id, message_type, file_id, file_size,
       created_at, expires_at, content, file_name, file_key, repetition)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      row.id,
      row.connection_id,
      row.seq,
      row.sender_id,
      row.envelope_id,
      row.message_type,
      row.file_id,
      row.file_size,
      row.created_at,
      row.expires_at,
      row.content,
      row.file_name,
      row.file_key,
      row.repetition,
    ],
  )
  await tx.run(setNewest[side], [row.seq, row.seq, row.connection_id])
}

/** The newest with a smaller number than `before`, oldest first. */
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

const unreadOf = (me: 1 | 2, peer: 1 | 2) => `
  select c.id as "connectionId", (
    select count(*) from (
      select m.sender_id, m.expires_at from messages m
      where m.connection_id = c.id and m.seq > c.read_seq_${me} and m.seq <= c.sent_seq_${peer}
      order by m.seq desc limit 200
    ) newest where newest.sender_id = c.user_id_${peer} and newest.expires_at > ?
  ) as count
  from connections c where c.user_id_${me} = ? and c.sent_seq_${peer} > c.read_seq_${me}`

/**
 * Counted from what is there, so that expiry cannot make it wrong, and among the newest 200 messages
 * up to the other's last, so that no flood can make it slow: nobody is shown as many.
 */
export const selectUnreadCounts = async (db: Reader, userId: string, now: number) => {
  const sql = `${unreadOf(1, 2)} union all ${unreadOf(2, 1)}`
  const rows = await db.all<{ connectionId: string; count: number }>(sql, [now, userId, now, userId])
  return rows.filter(({ count }) => count > 0)
}

/** `shown`: the other party may know of it. */
export const setRead = (tx: Tx, id: string, side: 1 | 2, shown: boolean) =>
  tx.run(
    `update connections set read_seq_${side} = last_seq, delivered_seq_${side} = last_seq
       ${shown ? `, shown_read_seq_${side} = last_seq` : ''}
     where id = ? and read_seq_${side} < last_seq`,
    [id],
  )

export const setDelivered = (tx: Tx, id: string, side: 1 | 2, seq: number) =>
  tx.run(
    `update connections set delivered_seq_${side} = case when last_seq < ? then last_seq else ? end
     where id = ? and delivered_seq_${side} < ? and delivered_seq_${side} < last_seq`,
    [seq, seq, id, seq],
  )
