import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { isCallError } from '../../app/callError.ts'
import { queryClient } from '../../app/queryClient.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'
import { readBrowserPush, statusOf, subscribeBrowser, unsubscribeBrowser } from './browserPush.ts'

const queryKey = ['/api/push']

/** Refetched each time it is shown: the browser tells nobody when it ends a subscription. */
export const pushQuery = ({ account, push }: Client) =>
  queryOptions({
    queryKey,
    async queryFn() {
      const [state, browser] = await Promise.all([push.get(), readBrowserPush(account.isTransient())])
      return { ...state, status: statusOf(state, browser) }
    },
    refetchOnMount: 'always',
  })

const refresh = () => queryClient.invalidateQueries({ queryKey })

/** Follows the policy of the organization. */
export const useLivePush = (client: Client) => useClientEvents(client, { preferences_changed: () => void refresh() })

/** Subscribes this browser and stores that; rejects if the browser, its push service or the server refuses. */
export async function switchOn({ push }: Client): Promise<void> {
  try {
    const { publicKey } = await push.get()
    await push.subscribe(await subscribeBrowser(publicKey))
  } finally {
    await refresh()
  }
}

/** Stores the choice, and ends the subscription of this browser. */
export async function switchOff({ push }: Client): Promise<void> {
  try {
    await push.unsubscribe()
    await unsubscribeBrowser()
  } finally {
    await refresh()
  }
}

/** Subscribes again if this browser has lost the subscription that the member wants; returns false if it cannot. */
export async function restorePush(client: Client): Promise<boolean> {
  const { status, choice } = await queryClient.fetchQuery(pushQuery(client))
  if (choice !== 'on' || (status !== 'lost' && status !== 'blocked')) return true
  // Without the permission only a click may ask for it.
  if (Notification.permission !== 'granted') return false
  try {
    await switchOn(client)
    return true
  } catch (error) {
    // A call that failed says nothing about this browser; the next start asks again.
    return isCallError(error)
  }
}
