import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { durationText } from '../../i18n/retention.ts'
import { fullName } from '../../i18n/names.ts'
import {
  connectionsKey,
  ending,
  patchConnections,
  withConnection,
  withLifetime,
  withMessageAt,
  withoutConnection,
  otherParty,
  withParty,
  refreshBlocked,
  refreshFormer,
  refreshStatistics,
} from './queries.ts'
import { lifetimeTexts } from './lifetime/texts.ts'
import { connectionTexts as texts } from './texts.ts'
import { useClientEvents } from '../../app/useClientEvents.ts'

/** Keeps the list of connections current, and shows a toast if the contact removed one. */
export function useLiveConnections(client: Client, ownId: string): void {
  const find = (id: string) =>
    queryClient.getQueryData<readonly Connection[]>(connectionsKey)?.find((each) => each.id === id)
  useClientEvents(client, {
    connection_created(connection) {
      if (!find(connection.id)) patchConnections((list) => withConnection(list, connection))
    },
    message({ connectionId, createdAt }) {
      patchConnections((list) => withMessageAt(list, connectionId, createdAt))
    },
    connection_removed({ connectionId }) {
      const removed = find(connectionId)
      if (!removed) return
      patchConnections((list) => withoutConnection(list, connectionId))
      if (ending.has(connectionId)) return
      const name = fullName(otherParty(removed, ownId))
      toast({ title: texts.removed(name), description: texts.removedHint, tone: 'info', stays: true })
    },
    lifetime_changed({ connectionId, lifetime, userId }) {
      patchConnections((list) => withLifetime(list, connectionId, lifetime))
      const changed = find(connectionId)
      if (!changed || userId === ownId) return
      const title = lifetimeTexts.changed(fullName(otherParty(changed, ownId)), durationText(lifetime))
      toast({ title, description: lifetimeTexts.changedHint, tone: 'info', stays: true })
    },
    party_changed({ connectionId, party }) {
      patchConnections((list) => list.map((each) => (each.id === connectionId ? withParty(each, party) : each)))
    },
    resync: () => void queryClient.invalidateQueries({ queryKey: connectionsKey, exact: true }),
  })
}

/** Refreshes statistics and lists of blocked and former contacts while connection management is open. */
export function useLiveManagement(client: Client): void {
  const refreshContacts = () => {
    void refreshBlocked()
    void refreshFormer()
  }
  useClientEvents(client, {
    message: () => void refreshStatistics(),
    expired: () => void refreshStatistics(),
    connection_removed() {
      void refreshStatistics()
      void refreshFormer()
    },
    connection_created: () => void refreshFormer(),
    blocks_changed: refreshContacts,
    resync() {
      void refreshStatistics()
      refreshContacts()
    },
  })
}
