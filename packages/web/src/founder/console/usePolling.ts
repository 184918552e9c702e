import { queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
import type { Endpoint, Result, Sent } from '@privity/contract/endpoint'
import { founderClient } from './client.ts'

/** Query key of a call: its path, then its parameters. */
export const keyOf = <E extends Endpoint>(endpoint: E, sent: Sent<E>): readonly unknown[] => {
  const { params, query } = sent as { params?: object; query?: object }
  return [endpoint.path, ...(params === undefined ? [] : [params]), ...(query === undefined ? [] : [query])]
}

/** Query options for a GET call of the founder. */
export const callQuery = <E extends Endpoint>(endpoint: E, sent: Sent<E>) =>
  queryOptions({
    queryKey: keyOf(endpoint, sent),
    queryFn: (): Promise<Result<E>> => founderClient.call(endpoint, sent),
  })

/** Polls a call every `interval` ms, also while hidden: a console on a second screen must stay current. */
export function usePolled<E extends Endpoint>(endpoint: E, sent: Sent<E>, interval: number): UseQueryResult<Result<E>> {
  return useQuery({ ...callQuery(endpoint, sent), refetchInterval: interval, refetchIntervalInBackground: true })
}
