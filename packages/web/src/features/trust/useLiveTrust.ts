import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { trustRoot } from './queries.ts'

/** Refetches all loaded trust states when a pin, a key or the list of contacts changes, here or in another browser. */
export function useLiveTrust(client: Client): void {
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: trustRoot })
    const offs = [
      client.on('trust_changed', refresh),
      client.on('resync', refresh),
      client.on('connection_created', refresh),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
