import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Endpoint, Result, Sent } from '@privity/contract/endpoint'
import { founderClient } from './client.ts'

/** The key of a call's cache: its path, then what narrows it down. */
export const keyOf = <E extends Endpoint>(endpoint: E, sent: Sent<E>): readonly unknown[] => {
  const { params, query } = sent as { params?: object; query?: object }
  return [endpoint.path, ...(params === undefined ? [] : [params]), ...(query === undefined ? [] : [query])]
}

/** Options of a query for a GET call of the founder's. */
export const callQuery = <E extends Endpoint>(endpoint: E, sent: Sent<E>) =>
  queryOptions({
    queryKey: keyOf(endpoint, sent),
    queryFn: (): Promise<Result<E>> => founderClient.call(endpoint, sent),
  })

/**
 * A call asked again every `interval` milliseconds, also while the window is hidden: a console on a second screen
 * shows what is, and a wall of them is why it is open.
 */
export function usePolled<E extends Endpoint>(endpoint: E, sent: Sent<E>, interval: number): UseQueryResult<Result<E>> {
  return useQuery({ ...callQuery(endpoint, sent), refetchInterval: interval, refetchIntervalInBackground: true })
}
