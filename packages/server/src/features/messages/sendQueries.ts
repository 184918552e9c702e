import type { Value, Reader, Tx } from '../../core/database/types.ts'
import { splitIntoStatements, multiRowInsert } from '../../core/database/statements.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'

/**
 * The facts needed to send a message, queried for a whole batch at once. The names and `mine_…` are the sender's;
 * `peer_…`, `is_active` and `suspended` are the recipient's.
 */
export interface SendFacts {
  user_id_1: string
  user_id_2: string
  /** How long messages live (ms), where a participant has set it. */
  lifetime: number | null
  first_name: string
  last_name: string
  mine_active: number
  mine_suspended: number
  is_active: number
  suspended: number
  /** Versions of sender and recipient: the facts about them hold while these are the same. */
  mine_version: number
  peer_version: number
  /** The last epoch that the recipient has published. */
  peer_newest: number | null
  /** Identity keys change only together with epochs, so the versions cover them too. */
  mine_identity: string | null
  peer_identity: string | null
  /** null for an envelope that the server has not stored, like the columns after it. */
  envelope_connection: string | null
  envelope_from: string | null
  epoch_from: number | null
  epoch_to: number | null
  /** When its epochs begin, end, and are used until; null also where they no longer exist. */
  from_starts: number | null
  from_ends: number | null
  from_until: number | null
  to_starts: number | null
  to_ends: number | null
  to_until: number | null
  envelope_expires_at: number | null
  /** The id of the message if it is stored already. */
  stored: string | null
}

/** The ids by which the facts about a message are queried. */
export interface SendKey {
  connectionId: string
  userId: string
  envelopeId: string
  messageId: string
}

const selectFactsStatement = multiRowInsert(
  (asked) => `with asked (place, connection_id, user_id, envelope_id, message_id) as (values ${asked})
    select asked.place, c.user_id_1, c.user_id_2, c.lifetime, me.first_name, me.last_name,
      me.is_active as mine_active, me.suspended as mine_suspended, peer.is_active, peer.suspended, me.sending_version as mine_version,
      peer.sending_version as peer_version,
      (select max(n) from epochs where user_id = peer.id) as peer_newest,
      me.identity_key as mine_identity, peer.identity_key as peer_identity,
      e.connection_id as envelope_connection, e.from_id as envelope_from, e.epoch_from, e.epoch_to,
      f.starts_at as from_starts, f.ends_at as from_ends, f.used_until as from_until,
      t.starts_at as to_starts, t.ends_at as to_ends, t.used_until as to_until,
      e.expires_at as envelope_expires_at,
      (select id from messages where id = asked.message_id) as stored
    from asked
      join connections c on c.id = asked.connection_id
      join users me on me.id = asked.user_id
      join users peer on peer.id = case when c.user_id_1 = me.id then c.user_id_2 else c.user_id_1 end
      left join envelopes e on e.id = asked.envelope_id
      left join epochs f on f.user_id = e.from_id and f.n = e.epoch_from
      left join epochs t on t.user_id = e.to_id and t.n = e.epoch_to
    where c.user_id_1 = me.id or c.user_id_2 = me.id`,
  '(?, ?, ?, ?, ?)',
  '(cast(? as bigint), ?, ?, ?, ?)',
)

/** The facts for each of `all`, in order; undefined where the user has no such connection. */
export async function selectSendFacts(tx: Reader, all: readonly SendKey[]): Promise<(SendFacts | undefined)[]> {
  const answers = splitIntoStatements(all).map(async (asked) => {
    const params: Value[] = []
    asked.forEach((key, i) => void params.push(i, key.connectionId, key.userId, key.envelopeId, key.messageId))
    const rows = await tx.all<SendFacts & { place: number }>(selectFactsStatement(asked.length), params)
    const found: (SendFacts | undefined)[] = asked.map(() => undefined)
    for (const row of rows) found[row.place] = row
    return found
  })
  return (await Promise.all(answers)).flat()
}

/** New messages of one connection. */
export interface Added {
  connectionId: string
  rows: MessageRow[]
  /** Position, from 1, of each side's newest message; null for a side that sent none. */
  newest: [number | null, number | null]
  /** Versions of both users, under which the messages were validated. */
  versions: [number, number]
  /** The lifetime that a participant had set, or 0. */
  lifetime: number
}

const numberRows = multiRowInsert(
  (
    added,
  ) => `with added (connection_id, messages, newest_1, newest_2, version_1, version_2, lifetime) as (values ${added})
    update connections set last_seq = last_seq + added.messages,
      sent_seq_1 = coalesce(last_seq + added.newest_1, sent_seq_1),
      sent_seq_2 = coalesce(last_seq + added.newest_2, sent_seq_2)
    from added cross join users one cross join users two
    where connections.id = added.connection_id and one.id = connections.user_id_1 and two.id = connections.user_id_2
      and one.sending_version = added.version_1 and two.sending_version = added.version_2
      and coalesce(connections.lifetime, 0) = added.lifetime
    returning connections.id, connections.last_seq`,
  '(?, ?, ?, ?, ?, ?, ?)',
  `(?${', cast(? as bigint)'.repeat(6)})`,
)

const byId = (one: Added, other: Added) => (one.connectionId < other.connectionId ? -1 : 1)

/**
 * Reserves numbers for the new messages of each connection by adding to `last_seq`. Locks the rows until the commit, in
 * the same order in every process. Returns the new `last_seq` by connection; none for a connection that is gone or
 * has another lifetime by now, or whose users have other versions.
 */
export async function numberMessages(tx: Tx, all: readonly Added[]): Promise<Map<string, number>> {
  const answers = splitIntoStatements(all.toSorted(byId)).map((some) =>
    tx.all<{ id: string; last_seq: number }>(
      numberRows(some.length),
      some.flatMap(({ connectionId, rows, newest, versions, lifetime }) => {
        return [connectionId, rows.length, ...newest, ...versions, lifetime]
      }),
    ),
  )
  return new Map((await Promise.all(answers)).flat().map(({ id, last_seq }) => [id, last_seq]))
}

const columns = [
  ...(['connection_id', 'id', 'sender_id', 'envelope_id', 'message_type', 'created_at', 'expires_at'] as const),
  ...(['content', 'repetition', 'identity_key', 'file_id', 'file_size', 'file_name', 'file_key'] as const),
] satisfies Exclude<keyof MessageRow, 'seq'>[]

const typeOf = (column: (typeof columns)[number]) =>
  ['created_at', 'expires_at', 'file_size'].includes(column) ? 'bigint' : 'text'

const insertRows = multiRowInsert(
  (rows) => `with given (before_last, ${columns.join(', ')}) as (values ${rows})
    insert into messages (seq, ${columns.join(', ')})
    select connections.last_seq - given.before_last, ${columns.map((column) => `given.${column}`).join(', ')}
    from given cross join connections where connections.id = given.connection_id`,
  `(?, ${columns.map(() => '?').join(', ')})`,
  `(cast(? as bigint), ${columns.map((column) => `cast(? as ${typeOf(column)})`).join(', ')})`,
)

/**
 * Stores messages under the numbers that `numberMessages` reserves. SQL computes them from `last_seq`, so this can be
 * sent without waiting for its result.
 */
export const insertMessages = (tx: Tx, all: readonly Added[]): Promise<void> =>
  tx.runRows(
    insertRows,
    all.flatMap(({ rows }) => rows.map((row, i) => [rows.length - i - 1, ...columns.map((column) => row[column])])),
  )
