import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

const browsersKey = ['/api/browsers']
const noticeKey = ['/api/browsers', 'notice']

/** Refetched each time the list is shown, because changes are followed only while it is shown. */
export const browsersQuery = ({ browsers }: Client) =>
  queryOptions({ queryKey: browsersKey, queryFn: () => browsers.list(), refetchOnMount: 'always' })

/** The same where the mode is "Only approved browsers"; null without a call where it is not. */
export const noticeQuery = (client: Client) =>
  queryOptions({
    queryKey: noticeKey,
    queryFn: async () => ((await client.isOnlyApproved()) ? client.browsers.list() : null),
    refetchOnMount: 'always',
  })

/** Refetches the lists when a browser is listed, removed or approved, asks, or the mode or the policy changes. */
export function useLiveBrowsers(client: Client): void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: browsersKey })
  useClientEvents(client, { browsers_changed: refresh, preferences_changed: refresh, resync: refresh })
}
