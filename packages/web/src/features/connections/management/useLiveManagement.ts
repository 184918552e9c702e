import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { refreshBlocked, refreshFormer, refreshStatistics } from '../queries.ts'

/** Refreshes statistics and lists of blocked and former contacts while connection management is open. */
export function useLiveManagement(client: Client): void {
  useEffect(() => {
    const numbers = () => void refreshStatistics()
    const people = () => {
      void refreshBlocked()
      void refreshFormer()
    }
    const offs = [
      client.on('message', numbers),
      client.on('expired', numbers),
      client.on('connection_removed', () => {
        numbers()
        void refreshFormer()
      }),
      client.on('connection_created', () => void refreshFormer()),
      client.on('blocks_changed', people),
      client.on('resync', () => {
        numbers()
        people()
      }),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
