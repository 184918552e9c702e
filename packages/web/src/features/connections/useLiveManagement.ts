import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { refreshBlocked, refreshStatistics } from './queries.ts'

/** While the connection management is open, its list of blocked people and its numbers stay those of now. */
export function useLiveManagement(client: Client): void {
  useEffect(() => {
    const numbers = () => void refreshStatistics()
    const offs = [
      client.on('message', numbers),
      client.on('expired', numbers),
      client.on('connection_removed', numbers),
      client.on('blocks_changed', () => void refreshBlocked()),
      client.on('resync', () => {
        numbers()
        void refreshBlocked()
      }),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
