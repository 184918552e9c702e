import { moderation as contract, type SealedReport } from '@privity/contract/founder/moderation'
import { E2eeError, type MessageBody } from '@privity/e2ee'
import { type OpenedReport, openReport } from '@privity/e2ee/report'
import type { Call } from '../transport/call.ts'

/** Private halves of the founder's report keys, by id. */
export type ReportSeeds = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** `altered`: it does not open; `receipt`: this server never stored such a message under the key that signed it. */
export type ReportFault = 'altered' | 'signature' | 'commitment' | 'misattributed' | 'receipt'

/** A report as the founder may be shown it: words only where all that proves them has passed. */
export type ReadReport =
  | {
      state: 'verified'
      body: MessageBody
      /** In the words of the reporter, whom nothing but his account vouches for. */
      reason: string
      /** Signed with a key that the sender has replaced since. */
      earlierKey: boolean
    }
  | { state: 'refused'; fault: ReportFault }
  /** Its key is not open here: of a password that was lost, or of another sign-in. */
  | { state: 'closed' }

const faults: Partial<Record<E2eeError['code'], ReportFault>> = {
  BAD_SIGNATURE: 'signature',
  BAD_COMMITMENT: 'commitment',
  WRONG_BINDING: 'misattributed',
}

async function isReceipted(call: Call, report: SealedReport, opened: OpenedReport): Promise<boolean> {
  const { senderId: from, reporterId: to, messageId } = report
  const { commitment, createdAt, identityKey, receipt } = opened
  const body = { commitment, from, to, messageId, createdAt, identityKey, receipt }
  const { valid } = await call(contract.checkReceipt, { body })
  return valid
}

async function open(report: SealedReport, seed: Uint8Array<ArrayBuffer>): Promise<OpenedReport | ReportFault> {
  const { sealed, messageId, senderId, reporterId } = report
  try {
    return await openReport({ seed, sealed, binding: { messageId, senderId, reporterId } })
  } catch (error) {
    if (!(error instanceof E2eeError)) throw error
    return faults[error.code] ?? 'altered'
  }
}

/** Opens a report and holds it against signature, commitment and the server's receipt, which never sees what it says. */
export async function readReport(call: Call, seeds: ReportSeeds, report: SealedReport): Promise<ReadReport> {
  const seed = seeds.get(report.keyId)
  if (seed === undefined) return { state: 'closed' }
  const opened = await open(report, seed)
  if (typeof opened === 'string') return { state: 'refused', fault: opened }
  if (opened.createdAt !== report.sentAt) return { state: 'refused', fault: 'misattributed' }
  if (!(await isReceipted(call, report, opened))) return { state: 'refused', fault: 'receipt' }
  const { body, reason, identityKey } = opened
  return { state: 'verified', body, reason, earlierKey: identityKey !== report.identityKey }
}
