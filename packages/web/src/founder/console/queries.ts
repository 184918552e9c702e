import { keepPreviousData, type QueryClient, queryOptions, useQuery, type UseQueryResult } from '@tanstack/react-query'
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

/** For lists of accounts and messages. */
export const listPollIntervalMs = 30_000

/** Options to poll every `interval` ms, also while hidden: a console on a second screen must stay current. */
export const polling = (interval: number) => ({ refetchInterval: interval, refetchIntervalInBackground: true })

/** Polls a call every `interval` ms. */
export const usePolled = <E extends Endpoint>(
  endpoint: E,
  sent: Sent<E>,
  interval: number,
): UseQueryResult<Result<E>> => useQuery({ ...callQuery(endpoint, sent), ...polling(interval) })

interface RefetchOptions {
  refetchInterval?: number
  refetchIntervalInBackground?: boolean
  refetchOnMount?: 'always'
}

/** Queries a page of a list; the previous page stays shown until it is loaded. */
export const usePage = <E extends Endpoint>(
  endpoint: E,
  sent: Sent<E>,
  options: RefetchOptions = {},
): UseQueryResult<Result<E>> =>
  useQuery({ ...callQuery(endpoint, sent), placeholderData: keepPreviousData, ...options })

/** Rows per page of a list, few enough to keep all eleven sections of the console within reach. */
export const listRows = 10

/** Splits a page that was fetched with one row more than `size`, which shows whether there is a next page. */
export function cutPage<Row extends { id: string }>(fetched: readonly Row[] | undefined, size: number) {
  const rows = fetched?.slice(0, size)
  return { rows, next: fetched !== undefined && fetched.length > size ? rows?.at(-1)?.id : undefined }
}

/** Refetches all queries of these paths, whatever their parameters. */
export const refetchPaths = (queries: QueryClient, paths: readonly string[]): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => paths.includes(String(queryKey[0])) })
