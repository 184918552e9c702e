import { queryOptions, useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { trustTexts as texts } from './texts.ts'
import { toastError } from '../../app/callError.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

const root = 'trust'
export const trustRoot = [root] as const
export const trustKey = (connectionId: string) => [root, connectionId] as const

/** Trust state and safety number of a connection. */
export function trustQuery(client: Client, connectionId: string) {
  return queryOptions({
    queryKey: trustKey(connectionId),
    queryFn: () => client.trust.state(connectionId),
  })
}

/** Trust states of all connections, for lists, in a single call. */
export function trustStatesQuery(client: Client) {
  return queryOptions({
    queryKey: [root, 'states', 'all'],
    queryFn: () => client.trust.states(),
  })
}

/** A change to the user's trust in a connection's key; refetches the state afterwards. */
export function useTrustAction(connectionId: string, act: () => Promise<unknown>, done: string, after?: () => void) {
  return useMutation({
    mutationFn: act,
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toast({ title: done })
      after?.()
    },
    onError(error) {
      // The key may have changed: reload the state, so that the screen shows it.
      void queryClient.invalidateQueries({ queryKey: trustKey(connectionId) })
      toastError(error, texts.saveFailed)
    },
  })
}

/** Refetches all loaded trust states when a pin, a key or the list of contacts changes, here or in another browser. */
export function useLiveTrust(client: Client): void {
  const refresh = () => void queryClient.invalidateQueries({ queryKey: trustRoot })
  useClientEvents(client, { trust_changed: refresh, resync: refresh, connection_created: refresh })
}
