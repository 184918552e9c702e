import type { Reader, Tx, Value } from '../../core/db.ts'
import { inStatements, rowsStatement } from '../../core/rowsOf.ts'
import type { MessageRow } from '../../core/schema.ts'

/** What sending has to know, asked in one question for all that are sent together. */
export interface SendFacts {
  user_id_1: string
  user_id_2: string
  first_name: string
  last_name: string
  mine_active: number
  mine_suspended: number
  is_active: number
  suspended: number
  /** Of the sender and of the other: what this says of them holds as long as these do. */
  mine_version: number
  peer_version: number
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
    select asked.place, c.user_id_1, c.user_id_2, me.first_name, me.last_name, me.is_active as mine_active,
      me.suspended as mine_suspended, peer.is_active, peer.suspended, me.sending_version as mine_version,
      peer.sending_version as peer_version,
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

/** Messages that a connection gets together. */
export interface Added {
  connectionId: string
  messages: number
  /** Which of them, from 1, is the newest of each side; null where it sent none. */
  newest: [number | null, number | null]
  /** Of both users, as the rules have seen them. */
  versions: [number, number]
}

const numberRows = rowsStatement(
  (added) => `with added (id, messages, newest_1, newest_2, version_1, version_2) as (values ${added})
    update connections set last_seq = last_seq + added.messages,
      sent_seq_1 = coalesce(last_seq + added.newest_1, sent_seq_1),
      sent_seq_2 = coalesce(last_seq + added.newest_2, sent_seq_2)
    from added cross join users one cross join users two
    where connections.id = added.id and one.id = connections.user_id_1 and two.id = connections.user_id_2
      and one.sending_version = added.version_1 and two.sending_version = added.version_2
    returning connections.id, connections.last_seq`,
  '(?, ?, ?, ?, ?, ?)',
  '(?, cast(? as bigint), cast(? as bigint), cast(? as bigint), cast(? as bigint), cast(? as bigint))',
)

const byId = (one: Added, other: Added) => (one.connectionId < other.connectionId ? -1 : 1)

/**
 * Holds the rows of connections until the commit, in one order for all processes, and counts their new messages in.
 * Answers the last number of each; none of a connection that is gone, or of whose users other versions were seen.
 */
export async function numberMessages(tx: Tx, all: readonly Added[]): Promise<Map<string, number>> {
  const answers = inStatements(all.toSorted(byId)).map((some) => {
    const params = some.flatMap(({ connectionId, messages, newest, versions }): Value[] => [
      connectionId,
      messages,
      ...newest,
      ...versions,
    ])
    return tx.all<{ id: string; last_seq: number }>(numberRows(some.length), params)
  })
  return new Map((await Promise.all(answers)).flat().map(({ id, last_seq }) => [id, last_seq]))
}

type Column = Exclude<keyof MessageRow, 'seq'>

const columns = [
  ...(['connection_id', 'id', 'sender_id', 'envelope_id', 'message_type', 'created_at', 'expires_at'] as const),
  ...(['content', 'repetition'] as const),
] satisfies Column[]
const ofFiles = ['file_id', 'file_size', 'file_name', 'file_key'] satisfies Column[]
const numbers: Column[] = ['created_at', 'expires_at', 'file_size']

const insertOf = (named: readonly Column[]) => ({
  named,
  text: rowsStatement(
    (rows) => `with given (before_last, ${named.join(', ')}) as (values ${rows})
      insert into messages (seq, ${named.join(', ')})
      select connections.last_seq - given.before_last, ${named.map((column) => `given.${column}`).join(', ')}
      from given cross join connections where connections.id = given.connection_id`,
    `(${['?', ...named.map(() => '?')].join(', ')})`,
    `(cast(? as bigint), ${named.map((column) => `cast(? as ${numbers.includes(column) ? 'bigint' : 'text'})`).join(', ')})`,
  ),
})

const [insertText, insertFiles] = [insertOf(columns), insertOf([...columns, ...ofFiles])]

export interface NewRow {
  row: MessageRow
  /** How many of its connection follow it. */
  beforeLast: number
}

/** Stores messages under the numbers that their connections have got for them; it need not wait for those numbers. */
export async function insertMessages(tx: Tx, all: readonly NewRow[]): Promise<void> {
  const { named, text } = all.some(({ row }) => row.file_id !== null) ? insertFiles : insertText
  await tx.runRows(
    text,
    all.map(({ row, beforeLast }) => [beforeLast, ...named.map((column) => row[column])]),
  )
}
