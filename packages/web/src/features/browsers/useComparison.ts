import { useEffect, useRef } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client, Comparison, ComparisonState } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

interface OpenComparison<Kind extends Comparison> {
  comparison: Kind | undefined
  state: ComparisonState
  error: unknown
  /** Begins another comparison. */
  restart(): void
}

/** Each comparison is begun once, and read again whenever the other browser has done something. */
const once = { staleTime: Infinity, gcTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false }

/** Begins a comparison when mounted, and ends it when the dialog is closed before it is through. */
export function useComparison<Kind extends Comparison>(
  client: Client,
  name: string,
  begin: () => Promise<Kind>,
): OpenComparison<Kind> {
  const beginKey = ['comparison', name, 'begin']
  const stateKey = ['comparison', name, 'state']
  const begun = useQuery({ ...once, queryKey: beginKey, queryFn: begin })
  const comparison = begun.isFetching ? undefined : begun.data
  const read = useQuery({
    ...once,
    queryKey: stateKey,
    queryFn: () => (comparison as Kind).proceed(),
    enabled: comparison !== undefined,
  })
  const refresh = () => void queryClient.invalidateQueries({ queryKey: stateKey })
  useClientEvents(client, { browsers_changed: refresh, resync: refresh })

  const status = read.data?.status
  const isThrough = useRef(false)
  useEffect(() => {
    if (comparison === undefined) return
    return () => {
      // One that is over must not end the comparison after it. A lost call is made up for after ten minutes.
      if (!isThrough.current) void comparison.end().catch(() => {})
    }
  }, [comparison])
  useEffect(() => {
    isThrough.current = status === 'approved' || status === 'ended' || read.isError
  }, [status, read.isError])

  return {
    comparison,
    state: read.data ?? { status: 'waiting' },
    error: begun.error ?? read.error,
    restart() {
      queryClient.removeQueries({ queryKey: stateKey })
      void begun.refetch()
    },
  }
}
