import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { SupportRequest } from '@privity/contract/support'
import { queryClient } from '../../app/queryClient.ts'

const healthPoll = 30_000

export const requestsQuery = (client: Client) =>
  queryOptions({
    queryKey: ['/api/support-requests'],
    queryFn: () => client.reports.supportRequests(),
  })

/** Adds a submitted request to the cached list. */
export function keepRequest(made: SupportRequest): void {
  queryClient.setQueryData<SupportRequest[]>(['/api/support-requests'], (known) => [
    made,
    ...(known ?? []).filter(({ id }) => id !== made.id),
  ])
}

/** The server's health, or `unreachable`. */
export const healthQuery = (client: Client) =>
  queryOptions({
    queryKey: ['/api/health'],
    queryFn: async () => {
      try {
        return { ...(await client.reports.health()), at: client.now() }
      } catch {
        return { status: 'unreachable' as const, version: undefined, at: client.now() }
      }
    },
    // Also fetch when the browser reports being offline: unreachable is a valid result.
    networkMode: 'always',
    staleTime: 0,
    refetchInterval: healthPoll,
  })

export const supportEmailQuery = (client: Client) =>
  queryOptions({
    queryKey: ['/api/config', 'support'],
    queryFn: async () => (await client.reports.supportEmail()) ?? null,
  })
