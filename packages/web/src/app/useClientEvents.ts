import { useEffect, useRef } from 'react'
import type { Client, ClientEvents, DecryptedMessage } from '@privity/client'

type Name = keyof ClientEvents
type Handlers = { [Event in Name]?: (payload: ClientEvents[Event]) => void }

/** Handles the client's events while mounted. The names must stay the same; the latest handlers are called. */
export function useClientEvents(client: Pick<Client, 'on'>, handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  useEffect(() => {
    const offs = (Object.keys(latest.current) as Name[]).map((name) =>
      client.on(name, (payload) => (latest.current[name] as (event: typeof payload) => void)(payload)),
    )
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}

/**
 * Calls `onGone` when the message expires or is deleted, or its connection ends. Returns a function that stops
 * listening.
 */
export function onMessageExpired(
  client: Pick<Client, 'on'>,
  { id, connectionId }: Pick<DecryptedMessage, 'id' | 'connectionId'>,
  onGone: () => void,
): () => void {
  const offs = [
    client.on('expired', ({ ids }) => ids.includes(id) && onGone()),
    client.on('deleted', (deleted) => deleted.id === id && onGone()),
    client.on('connection_removed', (removed) => removed.connectionId === connectionId && onGone()),
  ]
  return () => {
    for (const off of offs) off()
  }
}
