import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { queryClient } from '../../core/queryClient.ts'

export const connectionsKey = ['/api/connections'] as const

export function connectionsQuery(client: Client) {
  return queryOptions<readonly Connection[]>({
    queryKey: connectionsKey,
    queryFn: () => client.connections.list(),
  })
}

export function patchConnections(change: (known: readonly Connection[]) => readonly Connection[]): void {
  queryClient.setQueryData<readonly Connection[]>(connectionsKey, (known) => known && change(known))
}

/** The list with this connection in it once, newest first. */
export function withConnection(known: readonly Connection[], connection: Connection): readonly Connection[] {
  return [connection, ...known.filter((each) => each.id !== connection.id)]
}
