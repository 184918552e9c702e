import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { queryClient } from '../../core/queryClient.ts'
import { trustRoot } from './queries.ts'

/** Asks again for every loaded seal when a pin or a key has changed, here or in another browser. */
export function useLiveTrust(client: Client): void {
  useEffect(() => {
    const refresh = () => void queryClient.invalidateQueries({ queryKey: trustRoot })
    const offs = [client.on('trust_changed', refresh), client.on('resync', refresh)]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
