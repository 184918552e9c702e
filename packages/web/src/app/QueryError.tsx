import type { UseQueryResult } from '@tanstack/react-query'
import { ErrorState } from '../ui/feedback/Errors.tsx'
import { messageFor } from './callError.ts'

interface QueryErrorProps {
  query: Pick<UseQueryResult, 'error' | 'isFetching'> & { refetch: () => Promise<unknown> }
  /** States what failed to load, before the reason. */
  title?: string
  /** Shown if the error has no reason of its own. */
  fallback?: string
}

/** Shows why a query failed, with a button to retry; nothing if it did not fail. */
export function QueryError({ query: { error, isFetching, refetch }, title, fallback = '' }: QueryErrorProps) {
  if (!error) return null
  const message = [title, messageFor(error, fallback)].filter(Boolean).join(' ')
  return <ErrorState message={message} busy={isFetching} onRetry={() => void refetch()} />
}
