import type { Client, DecryptedMessage } from '@privity/client'

/** Calls `gone` when the message expires or its connection ends. Returns a function that stops listening. */
export function onMessageExpired(
  client: Pick<Client, 'on'>,
  { id, connectionId }: Pick<DecryptedMessage, 'id' | 'connectionId'>,
  gone: () => void,
): () => void {
  const offs = [
    client.on('expired', ({ ids }) => ids.includes(id) && gone()),
    client.on('connection_removed', (removed) => removed.connectionId === connectionId && gone()),
  ]
  return () => {
    for (const off of offs) off()
  }
}
