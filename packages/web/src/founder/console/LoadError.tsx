import type { UseQueryResult } from '@tanstack/react-query'
import { isCallError, messageFor } from '../../app/callError.ts'
import { ErrorState } from '../../ui/feedback/Errors.tsx'

/** The server itself, not a proxy, returns 503: its database is unavailable. */
export const isDatabaseUnavailable = (error: unknown): boolean =>
  isCallError(error) && error.code === 'UNAVAILABLE' && !error.unexplained

/** Why a section failed to load; empty if the database is unavailable, which Monitoring reports for all sections. */
export const loadFailure = (error: unknown): string => (isDatabaseUnavailable(error) ? '' : messageFor(error, ''))

interface LoadErrorProps {
  query: Pick<UseQueryResult, 'isError' | 'error' | 'isFetching' | 'refetch'>
  /** States what failed to load, before the reason. */
  title: string
}

/** Shows why a query failed, with a button to retry; nothing if it did not fail. */
export function LoadError({ query: { isError, error, isFetching, refetch }, title }: LoadErrorProps) {
  if (!isError) return null
  return <ErrorState message={`${title} ${loadFailure(error)}`} busy={isFetching} onRetry={() => void refetch()} />
}
