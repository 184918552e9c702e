import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import type { Colleague, ConnectionRequests } from '@privity/contract/directory'
import { queryClient } from '../../../app/queryClient.ts'
import { patchConnections, withConnection } from '../queries.ts'

const requestsKey = ['/api/connection-requests'] as const
const searchKey = ['/api/directory'] as const

export const requestsQuery = (client: Client) =>
  queryOptions<ConnectionRequests>({
    queryKey: requestsKey,
    queryFn: () => client.connections.directory.requests(),
    refetchOnMount: 'always',
  })

/** Names that were found are not kept once they are no longer shown. */
export const searchQuery = (client: Client, name: string) =>
  queryOptions<{ colleagues: Colleague[]; more: boolean }>({
    queryKey: [...searchKey, name],
    queryFn: () => client.connections.directory.search(name),
    enabled: name !== '',
    gcTime: 0,
  })

export const refreshDirectory = () =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: requestsKey }),
    queryClient.invalidateQueries({ queryKey: searchKey }),
  ])

export const addConnection = (made: Connection) => patchConnections((known) => withConnection(known, made))
