import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { patchPending, patchStatus, refreshAllStatuses, refreshPending, refreshStatus } from './queries.ts'

/** Updates access requests and file statuses on the client's events. */
export function useLiveFiles(client: Client): void {
  useEffect(() => {
    const offs = [
      client.on('authorization_requested', (request) => {
        patchPending((known) => [...known.filter((each) => each.id !== request.id), request])
        refreshStatus(request.filePath)
      }),
      client.on('authorization_changed', ({ filePath, status }) => {
        patchStatus(filePath, status)
        refreshPending()
      }),
      client.on('expired', refreshPending),
      client.on('connection_removed', refreshPending),
      // The requester's name or address may have changed or been hidden.
      client.on('party_changed', refreshPending),
      client.on('resync', () => {
        refreshPending()
        refreshAllStatuses()
      }),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
