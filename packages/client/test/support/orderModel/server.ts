import { canCarryMessages } from '@privity/contract/envelopeUse'
import { limits } from '@privity/contract/limits'
import type { Envelope, Message } from '@privity/contract/messages'
import { readSealedMessage, withoutContent } from '@privity/contract/sealedMessage'
import { fromBase64url, toBase64url } from '@privity/e2ee'
import { CallError } from '../../../src/index.ts'
import type { Time } from '../sendingModel/time.ts'

/** The content of a message that was deleted. */
export const withoutText = ({ content }: Message): string =>
  toBase64url(withoutContent(fromBase64url(content)) ?? new Uint8Array())

const [hour] = limits.lifetimes

export const connectionId = '0198c0de-0000-7000-8000-000000000001'

export interface Stored extends Message {
  /** Order in which the server stored it. */
  place: number
  /** The true time at which it was stored. */
  storedAt: number
  lifetime: number
}

/** Where a message is shown: in the lists of a page, in that of a whole conversation, alone, or as a notice. */
export type Place = 'page' | 'whole' | 'one' | 'notice'

/** Changes the messages that a lying server shows to a user. */
export type Lie = (shown: Stored[], userId: string, place: Place) => Stored[]

/** The rules by which the server stores and lists messages, in memory, and lies if it is told to. */
export function createServer(time: Time, lifetimeOf: (envelope: Envelope) => number | undefined) {
  const messages = new Map<string, Stored>()
  const envelopes = new Map<string, Envelope>()
  /** Every message that was ever stored. */
  const log: Stored[] = []
  const state = {
    /** Milliseconds by which its clock is ahead. */
    ahead: 0,
    retention: limits.retention as number,
    /** Set by the two for their conversation. */
    lifetime: limits.retention as number,
    lie: ((shown) => shown) as Lie,
    /** Changes what the sender of a message is answered. */
    answer: (stored: Stored) => stored,
  }

  const now = () => time.now() + state.ahead

  /** The messages that this user is shown, by number. */
  function shownTo(userId: string, place: Place = 'page'): Stored[] {
    const living = log.filter(({ expiresAt }) => expiresAt > now())
    return state.lie(living, userId, place).toSorted((one, other) => one.seq - other.seq)
  }

  /** Returns when a key of the envelope is destroyed. */
  function checkEnvelope(id: string, inline: Envelope | undefined): number {
    if (!envelopes.has(id)) {
      if (inline?.id !== id) throw new CallError('ENVELOPE_UNKNOWN', { status: 409 })
      if (canCarryMessages(id, now(), lifetime())) envelopes.set(id, inline)
    }
    if (!canCarryMessages(id, now(), lifetime())) throw new CallError('ENVELOPE_OUTDATED', { status: 409 })
    const until = lifetimeOf(envelopes.get(id) as Envelope)
    if (until === undefined) throw new CallError('EPOCH_SUPERSEDED', { status: 409 })
    return until
  }

  const lifetime = () => Math.min(state.lifetime, state.retention)

  return {
    state,
    log,
    now,
    shownTo,
    lifetime,
    /** Destroys an hour after its clock was put right, as the jobs of the server do, what lives too long. */
    correctDates() {
      const latest = now() + limits.retention
      for (const message of log)
        if (message.expiresAt > latest + limits.clockTolerance) message.expiresAt = latest - hour - 30_000
    },
    /** Its clock is put right, and the dates that it has written until then. */
    putRight() {
      for (const message of log) {
        message.createdAt -= state.ahead
        message.expiresAt -= state.ahead
      }
      state.ahead = 0
    },
    send(
      userId: string,
      body: { content: string; lifetime?: number; envelope?: Envelope },
    ): { message: Stored; isNew: boolean } {
      const form = readSealedMessage(fromBase64url(body.content))
      if (!form) throw new CallError('MESSAGE_NOT_SEALED', { status: 400 })
      const before = messages.get(form.messageId)
      if (before) {
        if (before.content !== body.content || before.expiresAt <= now())
          throw new CallError('MESSAGE_ID_TAKEN', { status: 409 })
        return { message: before, isNew: false }
      }
      if (body.lifetime !== lifetime()) throw new CallError('LIFETIME_CHANGED', { status: 409 })
      const until = checkEnvelope(form.envelopeId, body.envelope)
      const createdAt = now()
      const message: Stored = {
        id: form.messageId,
        connectionId,
        seq: log.length + 1,
        senderId: userId,
        sender: { firstName: 'A', lastName: 'B' },
        content: body.content,
        messageType: 'text',
        createdAt,
        expiresAt: Math.min(createdAt + lifetime(), until),
        receipt: '',
        place: log.length,
        storedAt: time.now(),
        lifetime: lifetime(),
      }
      messages.set(message.id, message)
      log.push(message)
      return { message, isNew: true }
    },
    /** Keeps ids and seal of a message, as its sender has signed. */
    delete(userId: string, id: string, deletion: string): Stored {
      const message = messages.get(id)
      if (message?.senderId !== userId || message.expiresAt <= now())
        throw new CallError('MESSAGE_NOT_FOUND', { status: 404 })
      if (!message.deletion) Object.assign(message, { content: withoutText(message), deletion })
      return message
    },
    list(userId: string, query: { before?: number; after?: number; limit?: number }): Message[] {
      const { before = Infinity, after, limit = limits.messagesPage } = query
      const place = after !== undefined ? 'one' : limit === limits.maxMessagesPage ? 'whole' : 'page'
      const found = shownTo(userId, place).filter(({ seq }) => seq < before && seq > (after ?? 0))
      const page = after === undefined ? found.slice(-limit) : found.slice(0, limit)
      return page.map((message) => withEnvelope(message))
    },
    withEnvelope,
  }

  function withEnvelope(message: Stored): Message {
    const { place: _place, storedAt: _storedAt, lifetime: _lifetime, ...shown } = message
    const form = readSealedMessage(fromBase64url(message.content))
    const envelope = form && envelopes.get(form.envelopeId)
    return { ...shown, ...(envelope && { envelope }) }
  }
}

export type Server = ReturnType<typeof createServer>
