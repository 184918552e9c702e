import { moderation as contract, type SealedReport } from '@privity/contract/founder/moderation'
import { E2eeError, type MessageBody } from '@privity/e2ee'
import { type OpenedReport, openReport } from '@privity/e2ee/report'
import type { Call } from '../transport/call.ts'

/** Seeds of the founder's report keys, by id. */
export type ReportSeeds = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** `altered`: it does not decrypt; `receipt`: the server does not recognize its receipt for the signing key. */
export type ReportFault = 'altered' | 'signature' | 'commitment' | 'misattributed' | 'receipt'

/** A report as shown to the founder: its text only if every proof has passed. */
export type DecryptedReport =
  | {
      state: 'verified'
      body: MessageBody
      /** The reporter's own words, backed by nothing but their account. */
      reason: string
      /** Signed with a key that the sender has replaced since. */
      earlierKey: boolean
    }
  | { state: 'refused'; fault: ReportFault }
  /** `seeds` lacks its key: the keys are locked in this browser, or it belongs to a lost password. */
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

async function openWithSeed(report: SealedReport, seed: Uint8Array<ArrayBuffer>): Promise<OpenedReport | ReportFault> {
  const { sealed, messageId, senderId, reporterId } = report
  try {
    return await openReport({ seed, sealed, binding: { messageId, senderId, reporterId } })
  } catch (error) {
    if (!(error instanceof E2eeError)) throw error
    return faults[error.code] ?? 'altered'
  }
}

/**
 * Decrypts a report and verifies signature, commitment and the server's receipt, without revealing the text to the
 * server.
 */
export async function decryptReport(call: Call, seeds: ReportSeeds, report: SealedReport): Promise<DecryptedReport> {
  const seed = seeds.get(report.keyId)
  if (seed === undefined) return { state: 'closed' }
  const opened = await openWithSeed(report, seed)
  if (typeof opened === 'string') return { state: 'refused', fault: opened }
  if (opened.createdAt !== report.sentAt) return { state: 'refused', fault: 'misattributed' }
  if (!(await isReceipted(call, report, opened))) return { state: 'refused', fault: 'receipt' }
  const { body, reason, identityKey } = opened
  return { state: 'verified', body, reason, earlierKey: identityKey !== report.identityKey }
}
