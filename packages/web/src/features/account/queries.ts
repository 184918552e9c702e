import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { isCallError } from '../../app/callError.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

export const overviewQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: ['/api/account'], queryFn: () => ownAccount.overview() })

const sessionsKey = ['/api/sessions']

/** Refetched each time the list is shown, because changes are followed only while it is shown. */
export const sessionsQuery = ({ ownAccount }: Client) =>
  queryOptions({ queryKey: sessionsKey, queryFn: () => ownAccount.sessions(), refetchOnMount: 'always' })

/** Refetches the list when a session starts or ends. */
export function useLiveSessions(client: Client): void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: sessionsKey })
  useClientEvents(client, { sessions_changed: refresh, resync: refresh })
}

const codes = ['WRONG_PASSWORD', 'ACCOUNT_LOCKED']

/** Whether the refusal concerns the current password, so that its field shows the error. */
export const isPasswordRefusal = (error: unknown): boolean => isCallError(error) && codes.includes(error.code)
