import type { Received, Result } from '@privity/contract/endpoint'
import type { Message, messages as contract } from '@privity/contract/messages'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/db.ts'
import type { MessageRow } from '../../core/schema.ts'
import { membership } from '../connections/membership.ts'
import { tellReads } from '../connections/visibility.ts'
import { tellProgress } from './progress.ts'
import { selectAfter, selectEnvelope, selectName, selectNewest, selectUnreadCounts, setRead } from './queries.ts'
import { type Receipts, storedCommitment } from './sealedContent.ts'
import { toEnvelope, toMessage, toSender } from './view.ts'

/** Gives each envelope with the first message that needs it. */
async function attachEnvelopes(db: Reader, rows: readonly MessageRow[], messages: Message[]): Promise<void> {
  const given = new Set<string>()
  for (const [at, { envelope_id: id }] of rows.entries()) {
    if (given.has(id)) continue
    given.add(id)
    const row = await selectEnvelope(db, id)
    if (row !== undefined) (messages[at] as Message).envelope = toEnvelope(row)
  }
}

/** The newest messages (or, with `after`, the oldest beyond it) that have not expired, oldest first. */
export async function listMessages(
  core: Core,
  receipts: Receipts,
  userId: string,
  connectionId: string,
  { limit, after, before = Number.MAX_SAFE_INTEGER }: Received<typeof contract.list>['query'],
): Promise<Message[]> {
  const db = core.db.read
  const { otherId } = await membership(db, connectionId, userId)
  const now = core.clock.now()
  const rows =
    after === undefined
      ? await selectNewest(db, connectionId, before, now, limit)
      : await selectAfter(db, connectionId, after, before, now, limit)
  const [mine, others] = [toSender(await selectName(db, userId)), toSender(await selectName(db, otherId))]
  const messages = rows.map((row) => {
    const [sender, to] = row.sender_id === userId ? [mine, otherId] : [others, userId]
    return toMessage(row, sender, receipts.of(row, to, storedCommitment(row.content)), userId)
  })
  await attachEnvelopes(db, rows, messages)
  return messages
}

export const countUnread = (core: Core, userId: string): Promise<Result<typeof contract.unreadCounts>> =>
  selectUnreadCounts(core.db.read, userId, core.clock.now())

/** Everything in the connection so far is read by the caller; writes only if that is news. */
export async function markRead(core: Core, userId: string, connectionId: string): Promise<void> {
  const { connection, side, otherId } = await membership(core.db.read, connectionId, userId)
  if (connection[`sent_seq_${side === 1 ? 2 : 1}`] <= connection[`read_seq_${side}`]) return
  await core.db.write(async (tx) => {
    const before = await membership(tx, connectionId, userId)
    const shown = await tellReads(tx, userId, otherId)
    if ((await setRead(tx, connectionId, side, shown)).changes === 0) return
    const { connection: after } = await membership(tx, connectionId, userId)
    const told = [userId]
    // A notice that brings nothing new would itself say when the conversation was read.
    const delivered = `delivered_seq_${side}` as const
    if (shown || before.connection[delivered] < after[delivered]) told.push(otherId)
    tx.afterCommit(() => tellProgress(core, after, side, shown, told))
  }, 'read committed')
}
