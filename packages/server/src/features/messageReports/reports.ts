import { hash } from 'node:crypto'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { messageReports as contract } from '@privity/contract/messageReports'
import { signedReportBytes } from '@privity/contract/signedBytes'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { countSuccess } from '../../core/rateLimits/outcomes.ts'
import { requireKeys } from '../keys/requireKeys.ts'
import { decode, invalid, isSignedBy } from '../keys/signatures.ts'
import { getUser } from '../session/users.ts'
import { insertReport, isReported, selectReportable, selectReportKey } from './queries.ts'

export async function getReportKey(core: Core): Promise<Result<typeof contract.key>> {
  const key = await selectReportKey(core.db.read)
  return key === undefined ? {} : { key: { id: key.id, publicKey: key.public_key } }
}

/**
 * Stores a report that is encrypted for the founder, once for each unexpired message. Only its recipient can report a
 * message: for everyone else it does not exist. The reporter's identity key signs the report: who holds the session
 * alone could use up the one report of a message.
 */
export async function reportMessage(
  core: Core,
  caller: Caller,
  { messageId, keyId, sealed, signature }: Received<typeof contract.create>['body'],
): Promise<void> {
  const sealedHash = hash('sha256', decode(sealed), 'buffer')
  const store = async (tx: Tx) => {
    const now = core.clock.now()
    const message = await selectReportable(tx, { messageId, reporterId: caller.userId, now })
    if (message === undefined) throw new AppError('MESSAGE_NOT_FOUND')
    const key = await selectReportKey(tx)
    if (key === undefined) throw new AppError('REPORTING_NOT_SET_UP')
    if (key.id !== keyId) throw new AppError('REPORT_KEY_CHANGED')
    const { identity_key: identityKey } = requireKeys(await getUser(tx, caller.userId))
    const signed = { reporterId: caller.userId, messageId, keyId, hash: sealedHash }
    if (!isSignedBy(identityKey, signedReportBytes(identityKey, signed, decode), signature))
      throw invalid('signature', 'The identity key did not sign the report.')
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
