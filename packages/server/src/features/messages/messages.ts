import type { Received, Result } from '@privity/contract/endpoint'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import { membership } from '../connections/membership.ts'
import { tellReads } from '../connections/visibility.ts'
import { tellProgress } from './progress.ts'
import { selectAfter, selectEnvelopes, selectNames, selectNewest, selectUnreadCounts, setRead } from './queries.ts'
import { type Receipts, storedCommitment } from './encryptedContent.ts'
import { toEnvelope, toMessage, toSender } from './view.ts'

/** Attaches each envelope to the first message that needs it. */
async function attachEnvelopes(db: Reader, rows: readonly MessageRow[], messages: Message[]): Promise<void> {
  const first = new Map<string, Message>()
  for (const [at, { envelope_id: id }] of rows.entries()) if (!first.has(id)) first.set(id, messages[at] as Message)
  if (first.size === 0) return
  for (const row of await selectEnvelopes(db, [...first.keys()])) {
    const message = first.get(row.id)
    if (message !== undefined) message.envelope = toEnvelope(row)
  }
}

/** The newest unexpired messages (with `after`, the oldest beyond it), oldest first. */
export async function listMessages(
  core: Core,
  receipts: Receipts,
  userId: string,
  connectionId: string,
  { limit, after, before = Number.MAX_SAFE_INTEGER }: Received<typeof contract.list>['query'],
): Promise<Message[]> {
  const db = core.db.read
  const { contactId: otherId } = await membership(db, connectionId, userId)
  const now = core.clock.now()
  // Runs both queries at once: a round trip to a remote database costs more than either query.
  const [rows, names] = await Promise.all([
    after === undefined
      ? selectNewest(db, connectionId, before, now, limit)
      : selectAfter(db, connectionId, after, before, now, limit),
    selectNames(db, userId, otherId),
  ])
  const [mine, others] = [userId, otherId].map((id) => toSender(names.find((name) => name.id === id))) as [
    Message['sender'],
    Message['sender'],
  ]
  const messages = rows.map((row) => {
    const [sender, to] = row.sender_id === userId ? [mine, otherId] : [others, userId]
    return toMessage(row, sender, receipts.of(row, to, storedCommitment(row.content)), userId)
  })
  await attachEnvelopes(db, rows, messages)
  return messages
}

export const countUnread = (core: Core, userId: string): Promise<Result<typeof contract.unreadCounts>> =>
  selectUnreadCounts(core.db.read, userId, core.clock.now())

/** Marks everything in the connection so far as read by the caller; writes only if that is new. */
export async function markRead(core: Core, userId: string, connectionId: string): Promise<void> {
  const { connection, side, contactId: otherId } = await membership(core.db.read, connectionId, userId)
  if (connection[`sent_seq_${side === 1 ? 2 : 1}`] <= connection[`read_seq_${side}`]) return
  await core.db.write(async (tx) => {
    const before = await membership(tx, connectionId, userId)
    const shown = await tellReads(tx, userId, otherId)
    if ((await setRead(tx, connectionId, side, shown)).changes === 0) return
    const { connection: after } = await membership(tx, connectionId, userId)
    const told = [userId]
    // A notice without news would itself reveal when the conversation was read.
    const delivered = `delivered_seq_${side}` as const
    if (shown || before.connection[delivered] < after[delivered]) told.push(otherId)
    tx.afterCommit(() => tellProgress(core, after, side, shown, told))
  }, 'read committed')
}
