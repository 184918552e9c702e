import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { messageReports as contract } from '@privity/contract/messageReports'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { countSuccess } from '../../core/rateLimits/outcomes.ts'
import { insertReport, isReported, selectReportable, selectReportKey } from './queries.ts'

export async function getReportKey(core: Core): Promise<Result<typeof contract.key>> {
  const key = await selectReportKey(core.db.read)
  return key === undefined ? {} : { key: { id: key.id, publicKey: key.public_key } }
}

/** Rejects unused bits of base64url, which would allow several texts for the same bytes. */
const isCanonical = (text: string) => Buffer.from(text, 'base64url').toString('base64url') === text

/**
 * Stores a report that is encrypted for the founder, once for each unexpired message. Only its recipient can report a
 * message: for everyone else it does not exist.
 */
export async function reportMessage(
  core: Core,
  caller: Caller,
  { messageId, keyId, sealed }: Received<typeof contract.create>['body'],
): Promise<void> {
  if (!isCanonical(sealed)) throw new AppError('INVALID_INPUT')
  const store = async (tx: Tx) => {
    const now = core.clock.now()
    const message = await selectReportable(tx, { messageId, reporterId: caller.userId, now })
    if (message === undefined) throw new AppError('MESSAGE_NOT_FOUND')
    const key = await selectReportKey(tx)
    if (key === undefined) throw new AppError('REPORTING_NOT_SET_UP')
    if (key.id !== keyId) throw new AppError('REPORT_KEY_CHANGED')
    if (await isReported(tx, messageId)) throw new AppError('ALREADY_REPORTED')
    const [id, senderId] = [newId(now), message.sender_id]
    const report = { id, message, reporterId: caller.userId, sealed, keyId, now, expiresAt: now + limits.reportsKept }
    await insertReport(tx, report)
    // The target is the report, not the sender: the log must not show the sender, or their administrators, who has
    // reported them.
    await auditCall(tx, caller, { action: 'message_reported', targetId: id, at: now })
    tx.afterCommit(() => core.bus.publish('messageFlagged', { rule: 'report', senderId }))
  }
  await countSuccess(core.rates, [['messageReport', caller.userId]], () => core.db.write(store))
}
