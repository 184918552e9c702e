import type { Message } from '@privity/contract/messages'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { fromBase64url } from '@privity/e2ee'
import { CallError } from '../../../src/index.ts'
import type { Time } from './time.ts'

export const retention = 24 * 60 * 60 * 1000

interface Stored {
  id: string
  connectionId: string
  content: string
  seq: number
  createdAt: number
  expiresAt: number
}

/** How long what has expired may stay before it is destroyed (ms), and its id is free again. */
const sweepPause = 30_000

/**
 * The rules by which the server stores messages, in memory: an id names one message until it is destroyed, the same
 * message again is answered as the first time, and another under its id is refused.
 */
export function createServer(time: Time, userId: string) {
  const messages = new Map<string, Stored>()
  const log: { id: string; connectionId: string; at: number }[] = []
  let seq = 0

  const toMessage = (stored: Stored) =>
    ({
      ...stored,
      senderId: userId,
      messageType: 'text',
      sender: { firstName: 'A', lastName: 'B' },
      receipt: '',
    }) as Message

  function sweep(): void {
    for (const [id, { expiresAt }] of messages) if (expiresAt + sweepPause <= time.now()) messages.delete(id)
  }

  return {
    /** Every message that was ever stored. */
    log,
    send({ connectionId, content }: { connectionId: string; content: string }): { message: Message; isNew: boolean } {
      sweep()
      const form = readSealedMessage(fromBase64url(content))
      if (!form) throw new CallError('MESSAGE_NOT_SEALED', { status: 400 })
      const { messageId: id } = form
      const before = messages.get(id)
      if (before) {
        if (before.content !== content || before.connectionId !== connectionId || before.expiresAt <= time.now())
          throw new CallError('MESSAGE_ID_TAKEN', { status: 409 })
        return { message: toMessage(before), isNew: false }
      }
      const createdAt = time.now()
      const stored = { id, connectionId, content, seq: (seq += 1), createdAt, expiresAt: createdAt + retention }
      messages.set(id, stored)
      log.push({ id, connectionId, at: createdAt })
      return { message: toMessage(stored), isNew: true }
    },
    list(connectionId: string): Message[] {
      sweep()
      const living = [...messages.values()].filter((each) => each.expiresAt > time.now())
      return living.filter((each) => each.connectionId === connectionId).map(toMessage)
    },
  }
}

export type Server = ReturnType<typeof createServer>
