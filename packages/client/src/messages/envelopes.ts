import { distanceFromId, envelopeUse, timeOfId } from '@privity/contract/envelopeUse'
import { canSealTo, destructionTime } from '@privity/contract/epochTimes'
import type { Envelope } from '@privity/contract/messages'
import { type ConversationKey, createEnvelope, E2eeError, loadKeyAgreement, newId, openEnvelope } from '@privity/e2ee'
import { CallError, isCallError } from '../transport/callError.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Contacts } from '../trust/types.ts'
import { acceptedKeys } from '../trust/pinList.ts'
import type { Noted } from './order/conversation.ts'
import { deviceTimes, putBackSince } from './order/omissions.ts'

export interface OpenedEnvelope {
  envelope: Envelope
  conversationKey: ConversationKey
  senderIdentityKey: string
  /** When the key that opens it is destroyed: nothing under it is shown any longer. */
  readableUntil: number
}

/** An own envelope to send under: this tab's alone, so that it can count the messages. */
export interface SendingEnvelope extends OpenedEnvelope, Noted {
  /** Whether the server has it. */
  known: boolean
  /** Messages sealed under it. */
  sealed: number
  /** Whether the server may lack a message sealed under it: then a new envelope begins, as numbers never repeat. */
  isOpen: boolean
  /** How long all messages under it live. */
  lifetime: number
}

export interface Envelopes {
  remember(envelope: Envelope): void
  has(id: string): boolean
  /** Opens an envelope. Throws E2eeError if no accepted key matches, KEY_DESTROYED or BEFORE_APPROVAL. */
  open(id: string): Promise<OpenedEnvelope>
  /**
   * Returns an envelope for the epochs whose time it is, created if none is in use. Throws KEY_CHANGED, or CONTACT_AWAY
   * if the contact has none that they could still open.
   */
  forSending(connectionId: string): Promise<SendingEnvelope>
  /** Makes the next message use a new envelope. */
  renew(connectionId: string): void
  /** Forgets failures after a pin has changed, so that `open` tries again. Returns whether there were any. */
  clearFailed(): boolean
  /** Removes the conversation keys whose epoch is destroyed. */
  removeDestroyed(): void
}

/** A clock that was put back by less needs no new envelope: recipients allow for more. */
const maxPutBackMs = 30_000

/** Attempts if pins change while an envelope is being opened. */
const maxAttempts = 3

export function createEnvelopes(deps: {
  clock: Pick<ServerClock, 'now' | 'steady' | 'correction'>
  keyring: Keyring
  contacts: Contacts
  retention: () => number
  /** How long messages live that are sent in a conversation now. */
  lifetimeOf: (connectionId: string) => Promise<number>
}): Envelopes {
  const { clock, keyring, contacts } = deps
  const envelopes = new Map<string, Envelope>()
  const opened = new Map<string, Promise<OpenedEnvelope>>()
  const failed = new Set<string>()
  /** Counts the changes of pins. */
  let pinChanges = 0
  const sending = new Map<string, Promise<SendingEnvelope>>()
  const me = { userId: keyring.userId, identityKey: keyring.identity.publicKey }
  // Loaded early: browsers do not retry a module that once failed to load offline.
  void loadKeyAgreement().catch(() => {})

  const ownEpoch = ({ from, epochFrom, epochTo }: Envelope) => (from === me.userId ? epochFrom : epochTo)

  const readableUntil = (envelope: Envelope) => keyring.heldUntil(ownEpoch(envelope)) ?? 0

  async function openFor(envelope: Envelope): Promise<OpenedEnvelope> {
    const seed = await keyring.requireSeed(ownEpoch(envelope))
    const { userId, pin } = await contacts.get(envelope.connectionId)
    // The own identity at that time: the keys may have been replaced since.
    const mine = { ...me, identityKey: keyring.identityKeyAt(ownEpoch(envelope)) }
    let lastError: unknown = new E2eeError('BAD_SIGNATURE', 'No key of the contact is accepted.')
    for (const identityKey of acceptedKeys(pin, clock.now() - deps.retention())) {
      try {
        const conversationKey = await openEnvelope({ envelope, me: mine, seed, contact: { userId, identityKey } })
        const isMine = envelope.from === me.userId
        const senderIdentityKey = isMine ? mine.identityKey : identityKey
        return { envelope, conversationKey, senderIdentityKey, readableUntil: readableUntil(envelope) }
      } catch (error) {
        lastError = error
      }
    }
    throw lastError
  }

  async function openByAccepted(envelope: Envelope): Promise<OpenedEnvelope> {
    for (let attempt = 1; ; attempt++) {
      const before = pinChanges
      try {
        return await openFor(envelope)
      } catch (error) {
        if (!(error instanceof E2eeError)) throw error
        // The contact may have a new key, which the user must be told about.
        contacts.invalidate(envelope.connectionId)
        await contacts.get(envelope.connectionId)
        if (pinChanges !== before && attempt < maxAttempts) continue
        // Added in the same turn as the check of `pinChanges`, so that no change is missed.
        failed.add(envelope.id)
        throw error
      }
    }
  }

  /**
   * An envelope is used half as long as the server accepts it, because clocks differ and sending may take long; and not
   * after the clock that dated it was put back, because recipients take all messages under it to be younger than it.
   */
  function isInUse(made: SendingEnvelope): boolean {
    const { id } = made.envelope
    const isPutBack = putBackSince(clock, timeOfId(id) ?? 0, made) > maxPutBackMs
    return !isPutBack && distanceFromId(id, clock.now()) < envelopeUse(made.lifetime) / 2
  }

  async function create(connectionId: string, lifetime: number): Promise<SendingEnvelope> {
    const { userId, keys, changed } = await contacts.get(connectionId)
    if (changed) throw new CallError('KEY_CHANGED')
    if (!canSealTo(keys.epoch, clock.now())) throw new CallError('CONTACT_AWAY')
    const sender = { userId: me.userId, identity: keyring.identity, epoch: keyring.current() }
    const recipient = { userId, identityKey: keys.identityKey, epoch: keys.epoch }
    const made = await createEnvelope({ id: newId(clock.now()), connectionId, sender, recipient })
    envelopes.set(made.envelope.id, made.envelope)
    const entry = {
      ...made,
      senderIdentityKey: me.identityKey,
      // That of a contact who is away may be destroyed soon.
      readableUntil: Math.min(readableUntil(made.envelope), destructionTime(keys.epoch)),
      known: false,
      sealed: 0,
      isOpen: false,
      lifetime,
      ...deviceTimes(clock),
    }
    opened.set(made.envelope.id, Promise.resolve(entry))
    return entry
  }

  return {
    remember(envelope) {
      if (!envelopes.has(envelope.id)) envelopes.set(envelope.id, envelope)
    },
    has: (id) => envelopes.has(id),
    open(id) {
      const before = opened.get(id)
      if (before) return before
      const envelope = envelopes.get(id)
      if (!envelope) return Promise.reject(new E2eeError('MALFORMED', 'Its key is missing.'))
      const opening = openByAccepted(envelope)
      opened.set(id, opening)
      opening.catch((error: unknown) => isCallError(error) && opened.delete(id))
      return opening
    },
    async forSending(connectionId) {
      const { keys } = await contacts.get(connectionId)
      const lifetime = await deps.lifetimeOf(connectionId)
      const before = await sending.get(connectionId)
      const isCurrent =
        before?.envelope.epochFrom === keyring.current().n &&
        canSealTo(keys.epoch, clock.now()) &&
        isInUse(before) &&
        before.lifetime === lifetime &&
        before.envelope.epochTo === keys.epoch.n &&
        before.conversationKey.binding.identityTo === keys.identityKey
      if (before && isCurrent) return before
      const made = create(connectionId, lifetime)
      sending.set(connectionId, made)
      made.catch(() => sending.delete(connectionId))
      return made
    },
    renew: (connectionId) => void sending.delete(connectionId),
    clearFailed() {
      pinChanges += 1
      const hadFailed = failed.size > 0
      for (const id of failed) opened.delete(id)
      failed.clear()
      return hadFailed
    },
    removeDestroyed() {
      for (const [id, envelope] of envelopes) {
        if (keyring.holds(ownEpoch(envelope))) continue
        envelopes.delete(id)
        opened.delete(id)
      }
      for (const [connectionId, pending] of sending) {
        pending.then(
          ({ envelope }) => envelopes.has(envelope.id) || sending.delete(connectionId),
          () => {},
        )
      }
    },
  }
}
