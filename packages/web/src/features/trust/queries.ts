import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'

const root = 'trust'
export const trustRoot = [root] as const
export const trustKey = (connectionId: string) => [root, connectionId] as const

/** Trust state and safety number of a connection. */
export function trustQuery(client: Client, connectionId: string) {
  return queryOptions({
    queryKey: trustKey(connectionId),
    queryFn: () => client.trust.state(connectionId),
  })
}

/** Trust states of all connections, for lists, in a single call. */
export function trustStatesQuery(client: Client) {
  return queryOptions({
    queryKey: [root, 'states', 'all'],
    queryFn: () => client.trust.states(),
  })
}
