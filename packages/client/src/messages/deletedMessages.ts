import type { Message } from '@privity/contract/messages'
import type { ServerClock } from '../transport/serverClock.ts'
import type { DecryptedMessage } from '../types.ts'

/** Messages whose deletion is proven: neither a list that is being opened nor a late notice brings them back. */
export interface DeletedMessages {
  record(deleted: DecryptedMessage): void
  /** Returns what is shown of the message now; undefined for one that is not deleted, or has expired. */
  find(message: Pick<Message, 'id' | 'connectionId' | 'senderId'>): DecryptedMessage | undefined
}

export function createDeletedMessages(clock: Pick<ServerClock, 'now'>): DeletedMessages {
  const byId = new Map<string, DecryptedMessage>()
  return {
    record: (deleted) => void byId.set(deleted.id, deleted),
    find({ id, connectionId, senderId }) {
      const found = byId.get(id)
      // A contact can give the id of somebody else's message to one of their own, and sign the deletion of that.
      const isSame = found?.connectionId === connectionId && found.senderId === senderId
      return isSame && found.expiresAt > clock.now() ? found : undefined
    },
  }
}
