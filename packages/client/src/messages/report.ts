import { type Message, messages as messagesContract } from '@privity/contract/messages'
import { messageReports as contract, type ReportKey } from '@privity/contract/messageReports'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { fromBase64url } from '@privity/e2ee'
import { sealReport, signReport } from '@privity/e2ee/report'
import type { Keyring } from '../keys/keyring.ts'
import type { Call } from '../transport/call.ts'
import { CallError, isCallError } from '../transport/callError.ts'
import type { Envelopes } from './envelopes.ts'
import type { DecryptedMessage } from '../types.ts'

interface ReportingDeps {
  call: Call
  envelopes: Envelopes
  keyring: Pick<Keyring, 'userId' | 'identity'>
}

export type Reportable = Pick<DecryptedMessage, 'id' | 'connectionId' | 'seq'>

/** Fetches the message with its receipt. */
async function fetchMessage({ call }: ReportingDeps, { id, connectionId, seq }: Reportable): Promise<Message> {
  const query = { after: seq - 1, limit: 1 }
  const [found] = await call(messagesContract.list, { params: { id: connectionId }, query })
  if (found?.id !== id || found.connectionId !== connectionId) throw new CallError('MESSAGE_NOT_FOUND')
  return found
}

async function seal(deps: ReportingDeps, message: Message, { publicKey }: ReportKey, reason: string): Promise<string> {
  const { content, envelope: newEnvelope, receipt, createdAt } = message
  if (newEnvelope?.connectionId === message.connectionId) deps.envelopes.remember(newEnvelope)
  const form = readSealedMessage(fromBase64url(content))
  if (!form) throw new CallError('MESSAGE_UNREADABLE')
  const opened = await deps.envelopes.open(form.envelopeId)
  return sealReport({ publicKey, message: { content, ...opened }, receipt, createdAt, reason })
}

/**
 * Reports a received message to the founder, encrypted, with the proof of its authorship. Throws CallError;
 * REPORTING_NOT_SET_UP where no founder key exists.
 */
export async function reportMessage(deps: ReportingDeps, target: Reportable, reason: string): Promise<void> {
  const { userId, identity } = deps.keyring
  const message = await fetchMessage(deps, target)
  for (let attempt = 1; ; attempt++) {
    const { key } = await deps.call(contract.key, {})
    if (key === undefined) throw new CallError('REPORTING_NOT_SET_UP')
    const sealed = await seal(deps, message, key, reason.trim())
    const report = { messageId: message.id, keyId: key.id, sealed }
    const signature = await signReport(identity, { ...report, reporterId: userId })
    try {
      return void (await deps.call(contract.create, { body: { ...report, signature } }))
    } catch (error) {
      // The founder has created another key meanwhile.
      if (attempt > 1 || !isCallError(error, 'REPORT_KEY_CHANGED')) throw error
    }
  }
}
