import { timingSafeEqual } from 'node:crypto'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type {
  FlaggedMessage,
  moderation as contract,
  ModerationStats,
  ReceiptClaim,
  SealedReport,
} from '@privity/contract/founder/moderation'
import type { Stopping } from '../../../core/async/batches.ts'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { deleteEarliest, destroyInBatches } from '../../../core/jobs/rowDeletion.ts'
import type { MessageFlagRow } from '../../../core/database/tables/security.ts'
import {
  countByRule,
  type FlaggedRow,
  selectFlag,
  selectFlagged,
  selectFlagTimes,
  selectIdentityKey,
  setOpened,
  setUnflagged,
} from './queries.ts'
import { createReceipts } from '../../messages/encryptedContent.ts'
import type { Job } from '../../../core/jobs/scheduler.ts'

/** The first words of a reason identify its rule: the console sorts by them. */
function reasonOf({ rule, amount }: Pick<FlaggedRow, 'rule' | 'amount'>): string {
  switch (rule) {
    case 'rapid':
      return `Rapid sending: ${amount} messages within 60 seconds`
    case 'bulk':
      return `Bulk messaging: ${amount} recipients within 10 minutes`
    case 'repeated':
      return `Repeated content: ${amount} equal texts within 24 hours`
    case 'report':
      return 'Reported by its recipient'
  }
}

function toFlagged(row: FlaggedRow): FlaggedMessage {
  const { reporter_id: reporterId } = row
  return {
    id: row.id,
    kind: row.rule === 'report' ? 'report' : 'automatic',
    content: 'encrypted',
    flagReason: reasonOf(row),
    flaggedAt: row.flagged_at,
    sender: { id: row.sender_id, username: row.username, firstName: row.first_name, lastName: row.last_name },
    messageId: row.message_id,
    sentAt: row.sent_at,
    expiresAt: row.expires_at,
    reporter:
      reporterId === null
        ? undefined
        : {
            id: reporterId,
            username: row.reporter_username ?? '',
            firstName: row.reporter_first_name ?? '',
            lastName: row.reporter_last_name ?? '',
          },
  }
}

export async function listFlagged(
  { db, clock }: Core,
  { limit, before, rule }: Received<typeof contract.flagged>['query'],
): Promise<FlaggedMessage[]> {
  return (await selectFlagged(db.read, clock.now(), limit, { before, rule })).map(toFlagged)
}

export async function getStats({ db, clock }: Core): Promise<ModerationStats> {
  const { rapid, bulk, repeated, report } = await countByRule(db.read, clock.now())
  return {
    totalFlagged: rapid + bulk + repeated + report,
    rapidSending: rapid,
    bulkMessaging: bulk,
    repeatedContent: repeated,
  }
}

export async function countFlagged(db: Reader, now: number): Promise<number> {
  return Object.values(await countByRule(db, now)).reduce((sum, flags) => sum + flags, 0)
}

/** The times at which the open flags since then were set, ascending, for a chart. */
export const flagTimes = async (db: Reader, since: number, now: number): Promise<number[]> =>
  (await selectFlagTimes(db, since, now)).map((row) => row.flagged_at)

async function findFlag(db: Reader, id: string, now: number): Promise<MessageFlagRow> {
  const flag = await selectFlag(db, id, now)
  if (flag === undefined) throw new AppError('FLAG_NOT_FOUND')
  return flag
}

/**
 * Nobody reads a report without an audit entry: one each time it is shown in full, and one per session of the founder
 * for the list, which fetches reports by itself.
 */
export async function getReport(
  { db, clock }: Core,
  { sessionId, address }: Founder,
  id: string,
  view: Received<typeof contract.report>['query']['view'],
): Promise<SealedReport> {
  const { flag, sealed, keyId, reporterId } = await db.write(async (tx) => {
    const at = clock.now()
    const found = await findFlag(tx, id, at)
    const { sealed_report: sealed, report_key_id: keyId, reporter_id: reporterId } = found
    if (sealed === null || keyId === null || reporterId === null) throw new AppError('FLAG_NOT_FOUND')
    if (view === 'full' || found.opened_in !== sessionId) {
      await setOpened(tx, id, sessionId)
      await audit(tx, { action: 'report_opened', actorId: 'founder', targetId: id, address, details: { view }, at })
    }
    return { flag: found, sealed, keyId, reporterId }
  })
  const sender = await selectIdentityKey(db.read, flag.sender_id)
  return {
    keyId,
    sealed,
    messageId: flag.message_id,
    senderId: flag.sender_id,
    reporterId,
    sentAt: flag.sent_at,
    identityKey: sender?.identity_key ?? undefined,
  }
}

/** Removes the flag from lists and counts permanently. Throws FLAG_NOT_FOUND. */
async function unflagInTransaction(tx: Tx, { address }: Founder, id: string, at: number): Promise<void> {
  const { rule } = await findFlag(tx, id, at)
  await setUnflagged(tx, id, at)
  await audit(tx, { action: 'message_unflagged', actorId: 'founder', targetId: id, address, details: { rule }, at })
}

export async function unflag({ db, clock }: Core, founder: Founder, id: string): Promise<void> {
  await db.write(async (tx) => {
    await unflagInTransaction(tx, founder, id, clock.now())
    tx.afterCommit(() => db.emptyLogSoon())
  })
}

const isNotFound = (error: unknown) => error instanceof AppError && error.code === 'FLAG_NOT_FOUND'

/** One transaction for all: exactly the flags that the response calls unflagged are unflagged. */
export function unflagSeveral(
  { db, clock }: Core,
  founder: Founder,
  ids: readonly string[],
): Promise<Result<typeof contract.unflagSeveral>> {
  return db.write(async (tx) => {
    const result: Result<typeof contract.unflagSeveral> = { unflagged: [], failed: [] }
    for (const id of new Set(ids)) {
      try {
        await unflagInTransaction(tx, founder, id, clock.now())
        result.unflagged.push(id)
      } catch (error) {
        if (!isNotFound(error)) throw error
        result.failed.push({ id, code: 'FLAG_NOT_FOUND' })
      }
    }
    tx.afterCommit(() => db.emptyLogSoon())
    return result
  })
}

/** Whether this server issued the receipt for exactly this claim. The content of the message is not needed. */
export function isReceipt({ secrets }: Core, claim: ReceiptClaim): boolean {
  const row = {
    id: claim.messageId,
    sender_id: claim.from,
    created_at: claim.createdAt,
    identity_key: claim.identityKey,
  }
  const expected = createReceipts(secrets).of(row, claim.to, Buffer.from(claim.commitment, 'base64url'))
  const [right, given] = [expected, claim.receipt].map((text) => Buffer.from(text)) as [Buffer, Buffer]
  return right.length === given.length && timingSafeEqual(right, given)
}

const batchSize = 100

/** Flags of scans expire with their messages, reports after their own time. */
const destroyExpiredFlags = ({ db, clock }: Core, stopping: Stopping): Promise<void> =>
  destroyInBatches(db, batchSize, (tx) => deleteEarliest(tx, 'message_flags', clock.now(), batchSize), stopping)

export const moderationJobs: Job[] = [{ name: 'destroy flags that are over', every: 15_000, run: destroyExpiredFlags }]
