import { allInOrder } from '../../core/allInOrder.ts'
import type { Reader, Tx, Value } from '../../core/db.ts'
import { collision } from '../../core/dbErrors.ts'
import { inStatements, rowsStatement } from '../../core/rowsOf.ts'
import type { MessageRow } from '../../core/schema.ts'

/** What sending has to know, asked in one question for all that are sent together. */
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
  /** The id of the message where one of this id is stored. */
  stored: string | null
}

export interface Asked {
  connectionId: string
  userId: string
  envelopeId: string
  messageId: string
}

const factsOf = rowsStatement(
  (asked) => `with asked (place, connection_id, user_id, envelope_id, message_id) as (values ${asked})
    select asked.place, c.user_id_1, c.user_id_2, c.last_seq, me.first_name, me.last_name,
      me.is_active as mine_active, me.suspended as mine_suspended, peer.is_active, peer.suspended,
      (select max(n) from epochs where user_id = me.id) as mine_newest,
      (select max(n) from epochs where user_id = peer.id) as peer_newest,
      e.connection_id as envelope_connection, e.from_id as envelope_from, e.epoch_from, e.epoch_to,
      e.expires_at as envelope_expires_at,
      (select id from messages where id = asked.message_id) as stored
    from asked
      join connections c on c.id = asked.connection_id
      join users me on me.id = asked.user_id
      join users peer on peer.id = case when c.user_id_1 = me.id then c.user_id_2 else c.user_id_1 end
      left join envelopes e on e.id = asked.envelope_id
    where c.user_id_1 = me.id or c.user_id_2 = me.id`,
  '(?, ?, ?, ?, ?)',
  '(cast(? as bigint), ?, ?, ?, ?)',
)

/** For each what is asked, undefined where the user has no such connection. */
export async function selectSendFacts(tx: Reader, all: readonly Asked[]): Promise<(SendFacts | undefined)[]> {
  const answers = inStatements(all).map(async (asked) => {
    const params: Value[] = []
    asked.forEach((one, at) => void params.push(at, one.connectionId, one.userId, one.envelopeId, one.messageId))
    const rows = await tx.all<SendFacts & { place: number }>(factsOf(asked.length), params)
    const found: (SendFacts | undefined)[] = asked.map(() => undefined)
    for (const row of rows) found[row.place] = row
    return found
  })
  return (await Promise.all(answers)).flat()
}

const messageColumns = [
  ...(['id', 'connection_id', 'seq', 'sender_id', 'envelope_id', 'message_type', 'file_id', 'file_size'] as const),
  ...(['created_at', 'expires_at', 'content', 'file_name', 'file_key', 'repetition'] as const),
]

const insertRows = rowsStatement(
  (rows) => `insert into messages (${messageColumns.join(', ')}) values ${rows}`,
  `(${messageColumns.map(() => '?').join(', ')})`,
)

export interface NewestOf {
  connectionId: string
  /** The number that the first of them follows. */
  before: number
  lastSeq: number
  /** The newest of each side, null where it sent none. */
  sent: [number | null, number | null]
}

const setNewest = rowsStatement(
  (rows) => `with newest (id, seq_before, seq, seq_1, seq_2) as (values ${rows})
    update connections set last_seq = newest.seq, sent_seq_1 = coalesce(newest.seq_1, sent_seq_1),
      sent_seq_2 = coalesce(newest.seq_2, sent_seq_2)
    from newest where connections.id = newest.id and connections.last_seq = newest.seq_before`,
  '(?, ?, ?, ?, ?)',
  '(?, cast(? as bigint), cast(? as bigint), cast(? as bigint), cast(? as bigint))',
)

const holdRows = rowsStatement(
  (rows) => `with held (id) as (values ${rows})
    update connections set last_seq = last_seq from held where connections.id = held.id`,
  '(?)',
)

/** Keeps other processes from numbering messages in these connections until the commit, and waits for those that are. */
export async function holdConnections(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const held of inStatements(ids.toSorted())) await tx.run(holdRows(held.length), held)
}

const byId = (one: NewestOf, other: NewestOf) => (one.connectionId < other.connectionId ? -1 : 1)

/**
 * Stores messages as the newest of their connections; no statement waits for the answer to the one before. The rows of
 * the connections come first and in one order for all processes: each is held until the commit, and where it is gone
 * or was numbered further by another process meanwhile, this is a collision.
 */
export async function insertMessages(tx: Tx, all: readonly MessageRow[], newest: readonly NewestOf[]): Promise<void> {
  const numbered = inStatements(newest.toSorted(byId)).map(async (rows) => {
    const params = rows.flatMap(({ connectionId, before, lastSeq, sent }): Value[] => [
      connectionId,
      before,
      lastSeq,
      ...sent,
    ])
    if ((await tx.run(setNewest(rows.length), params)).changes !== rows.length) throw collision()
  })
  const inserted = inStatements(all).map((rows) => {
    const params = rows.flatMap((row) => messageColumns.map((column) => row[column]))
    return tx.run(insertRows(rows.length), params)
  })
  // A number that is taken follows from a collision, and is not what went wrong.
  await allInOrder([...numbered, ...inserted])
}
