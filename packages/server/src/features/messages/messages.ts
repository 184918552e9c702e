import type { Received, Result } from '@privity/contract/endpoint'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { MessageRow } from '../../core/database/tables/messages.ts'
import { requireMembership } from '../connections/membership.ts'
import { areReadReceiptsShared } from '../connections/visibility.ts'
import { notifyProgress } from './progress.ts'
import { selectAfter, selectEnvelopes, selectNames, selectNewest, selectUnreadCounts, setRead } from './queries.ts'
import { type Receipts, storedCommitment } from './encryptedContent.ts'
import { toEnvelope, toMessage, toSender } from './view.ts'

/** Attaches each envelope to the first message under it. */
async function attachEnvelopes(db: Reader, rows: readonly MessageRow[], messages: Message[]): Promise<void> {
  const first = new Map<string, Message>()
  for (const [index, { envelope_id: id }] of rows.entries())
    if (!first.has(id)) first.set(id, messages[index] as Message)
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
  const { contactId } = await requireMembership(db, connectionId, userId)
  const now = core.clock.now()
  // Runs both queries at once: a round trip to a remote database costs more than either query.
  const [rows, names] = await Promise.all([
    after === undefined
      ? selectNewest(db, connectionId, before, now, limit)
      : selectAfter(db, connectionId, after, before, now, limit),
    selectNames(db, userId, contactId),
  ])
  const messages = rows.map((row) => {
    const sender = toSender(names.find(({ id }) => id === row.sender_id))
    const recipientId = row.sender_id === userId ? contactId : userId
    return toMessage(row, sender, receipts.of(row, recipientId, storedCommitment(row.content)), userId)
  })
  await attachEnvelopes(db, rows, messages)
  return messages
}

export const countUnread = (core: Core, userId: string): Promise<Result<typeof contract.unreadCounts>> =>
  selectUnreadCounts(core.db.read, userId, core.clock.now())

/** Marks everything in the connection so far as read by the caller; writes only if that is new. */
export async function markRead(core: Core, userId: string, connectionId: string): Promise<void> {
  const { connection, side, contactId } = await requireMembership(core.db.read, connectionId, userId)
  if (connection[`sent_seq_${side === 1 ? 2 : 1}`] <= connection[`read_seq_${side}`]) return
  await core.db.write(async (tx) => {
    const before = await requireMembership(tx, connectionId, userId)
    const areReadsShared = await areReadReceiptsShared(tx, userId, contactId)
    if ((await setRead(tx, connectionId, side, areReadsShared)).changes === 0) return
    const { connection: after } = await requireMembership(tx, connectionId, userId)
    const userIds = [userId]
    // A notice without a change would itself reveal when the conversation was read.
    const delivered = `delivered_seq_${side}` as const
    if (areReadsShared || before.connection[delivered] < after[delivered]) userIds.push(contactId)
    tx.afterCommit(() => notifyProgress(core, after, side, areReadsShared, userIds))
  }, 'read committed')
}
