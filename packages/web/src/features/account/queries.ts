import { useEffect } from 'react'
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'

export const overviewQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: ['/api/account'], queryFn: () => ownAccount.overview() })

const sessionsKey = ['/api/sessions']

/** Asked anew each time the list is opened: only while it is open does anybody hear of changes. */
export const sessionsQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: sessionsKey, queryFn: () => ownAccount.sessions(), refetchOnMount: 'always' })

/** Loads the list again when a session begins or ends. */
export function useLiveSessions(client: Client): void {
  useEffect(() => {
    const load = () => void queryClient.invalidateQueries({ queryKey: sessionsKey })
    const offs = [client.on('sessions_changed', load), client.on('resync', load)]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
