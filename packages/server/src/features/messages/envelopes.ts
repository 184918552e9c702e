import { AppError } from '@privity/contract/errors'
import { canCarryMessages } from '@privity/contract/envelopeUse'
import type { Envelope } from '@privity/contract/messages'
import type { Tx } from '../../core/database/types.ts'
import { createCollision } from '../../core/database/errors.ts'
import type { EnvelopeRow } from '../../core/database/tables/messages.ts'
import { checkEpochs, selectEnvelopeEpochs, storedEpochs } from './envelopeEpochs.ts'
import { insertEnvelope, extendEnvelope, selectEnvelope } from './queries.ts'
import type { SendFacts } from './sendQueries.ts'

/**
 * An envelope expires with the newest message under it. Each extension adds this to its expiry, so that not every
 * message has to extend it; it may outlive that message by as much.
 */
const expirySlackMs = 10_000

export interface EnvelopeUse {
  envelopeId: string
  inline: Envelope | undefined
  connectionId: string
  from: string
  to: string
  now: number
  /** How long a message lives that is sent now, in milliseconds. */
  lifetime: number
}

const toRow = (envelope: Envelope, now: number, expiresAt: number): EnvelopeRow => ({
  id: envelope.id,
  connection_id: envelope.connectionId,
  from_id: envelope.from,
  to_id: envelope.to,
  epoch_from: envelope.epochFrom,
  epoch_to: envelope.epochTo,
  created_at: now,
  expires_at: expiresAt,
  sealed_for_recipient: envelope.sealedForRecipient,
  sealed_for_sender: envelope.sealedForSender,
  signature: envelope.signature,
})

/** An id always stands for the same envelope. */
async function checkSame(tx: Tx, sent: EnvelopeRow): Promise<void> {
  const stored = await selectEnvelope(tx, sent.id)
  const isSame =
    stored?.sealed_for_recipient === sent.sealed_for_recipient &&
    stored.sealed_for_sender === sent.sealed_for_sender &&
    stored.signature === sent.signature &&
    stored.epoch_from === sent.epoch_from &&
    stored.epoch_to === sent.epoch_to
  if (!isSame) throw new AppError('ENVELOPE_INVALID')
}

async function checkNew(tx: Tx, use: EnvelopeUse, facts: SendFacts): Promise<number> {
  const { envelopeId, inline, connectionId, from, to } = use
  if (inline === undefined) throw new AppError('ENVELOPE_UNKNOWN')
  const isOfSender = inline.connectionId === connectionId && inline.from === from && inline.to === to
  if (inline.id !== envelopeId || !isOfSender) throw new AppError('ENVELOPE_INVALID')
  if (facts.mine_identity === null || facts.peer_identity === null) throw new AppError('ENVELOPE_INVALID')
  return checkEpochs(tx, await selectEnvelopeEpochs(tx, inline, facts), use)
}

/** Whether messages may still be sent under this envelope, by the time in its id, which their signatures cover. */
export const isInUse = (envelopeId: string, { now, lifetime }: Pick<EnvelopeUse, 'now' | 'lifetime'>): boolean =>
  canCarryMessages(envelopeId, now, lifetime)

async function checkKnown(tx: Tx, use: EnvelopeUse, facts: SendFacts): Promise<number> {
  const { envelopeId, inline, connectionId, from, now } = use
  if (facts.envelope_connection !== connectionId || facts.envelope_from !== from) throw new AppError('ENVELOPE_INVALID')
  if (inline !== undefined) await checkSame(tx, { ...toRow(inline, now, now), id: envelopeId })
  return checkEpochs(tx, storedEpochs(facts), use)
}

/**
 * Checks that the envelope belongs to this sender and connection, is to epochs whose time it is, and is recent enough.
 * Returns until when its keys exist: no message under it may live longer.
 */
export async function checkEnvelope(tx: Tx, use: EnvelopeUse, facts: SendFacts): Promise<number> {
  const until = await (facts.envelope_connection === null ? checkNew(tx, use, facts) : checkKnown(tx, use, facts))
  // Without this check a session without keys could send an expired message again, as a new one.
  if (!isInUse(use.envelopeId, use)) throw new AppError('ENVELOPE_OUTDATED')
  return until
}

/** Stores a checked envelope, or extends the stored one to the expiry of the message under it. */
export async function storeEnvelope(tx: Tx, use: EnvelopeUse, facts: SendFacts, expiresAt: number): Promise<void> {
  const { envelopeId, inline, now } = use
  if (facts.envelope_connection === null && inline !== undefined)
    return void (await insertEnvelope(tx, toRow(inline, now, expiresAt + expirySlackMs)))
  if ((facts.envelope_expires_at as number) >= expiresAt) return
  // Another process may have deleted it as expired meanwhile.
  if ((await extendEnvelope(tx, envelopeId, expiresAt + expirySlackMs)).changes === 0) throw createCollision()
}
