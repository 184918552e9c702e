import { useEffect } from 'react'
import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { isCallError } from '../../app/callError.ts'

export const overviewQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: ['/api/account'], queryFn: () => ownAccount.overview() })

const sessionsKey = ['/api/sessions']

/** Refetched each time the list is shown, because changes are followed only while it is shown. */
export const sessionsQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: sessionsKey, queryFn: () => ownAccount.sessions(), refetchOnMount: 'always' })

/** Refetches the list when a session starts or ends. */
export function useLiveSessions(client: Client): void {
  useEffect(() => {
    const load = () => void queryClient.invalidateQueries({ queryKey: sessionsKey })
    const offs = [client.on('sessions_changed', load), client.on('resync', load)]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}

const codes = ['WRONG_PASSWORD', 'ACCOUNT_LOCKED']

/** Whether the refusal concerns the current password, so that its field shows the error. */
export const isPasswordRefusal = (error: unknown): boolean => isCallError(error) && codes.includes(error.code)
