import type { Message } from '@privity/contract/messages'
import type { Emitter } from '../transport/emitter.ts'
import type { Reading } from './decrypt.ts'
import type { ServerClock } from '../transport/serverClock.ts'
import type { ClientEvents } from '../types.ts'

/** Messages as they come, by the socket and by the answers to one's own sends. */
export interface Arrivals {
  /** Opens a message and tells of it: once each, and in the order they came within a connection. */
  take(message: Message): Promise<void>
  forget(ids: readonly string[]): void
}

export function createArrivals(deps: {
  userId: string
  clock: Pick<ServerClock, 'confirm'>
  reading: Reading
  emitter: Emitter<ClientEvents>
  received: (connectionId: string, seq: number) => void
}): Arrivals {
  const { userId, clock, reading, emitter, received } = deps
  /** Until they expire: a message may come by the socket and as the answer to its sending. */
  const told = new Set<string>()
  const turns = new Map<string, Promise<void>>()

  async function tell(message: Message, before: Promise<void> | undefined): Promise<void> {
    const opening = clock.confirm(message.createdAt).then(() => reading.open(message))
    opening.catch(() => {})
    await before?.catch(() => {})
    if (told.has(message.id)) return
    const opened = await opening
    told.add(message.id)
    emitter.emit('message', opened)
    if (message.senderId !== userId) received(message.connectionId, message.seq)
  }

  return {
    take(message) {
      const { connectionId } = message
      const turn = tell(message, turns.get(connectionId))
      turns.set(connectionId, turn)
      return turn
    },
    forget(ids) {
      for (const id of ids) told.delete(id)
    },
  }
}
