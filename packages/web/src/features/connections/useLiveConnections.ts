import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { fullName } from '../../i18n/fullName.ts'
import {
  connectionsKey,
  ending,
  patchConnections,
  withConnection,
  withoutConnection,
  otherParty,
  withParty,
  refreshBlocked,
  refreshFormer,
  refreshStatistics,
} from './queries.ts'
import { connectionTexts as texts } from './texts.ts'

/** Keeps the list of connections current, and shows a toast if the contact removed one. */
export function useLiveConnections(client: Client, ownId: string): void {
  useEffect(() => {
    const known = (id: string) =>
      queryClient.getQueryData<readonly Connection[]>(connectionsKey)?.find((each) => each.id === id)
    const nameOf = (connection: Connection) => fullName(otherParty(connection, ownId))
    const offs = [
      client.on('connection_created', (connection) => {
        if (known(connection.id)) return
        patchConnections((list) => withConnection(list, connection))
      }),
      client.on('connection_removed', ({ connectionId }) => {
        const gone = known(connectionId)
        if (!gone) return
        patchConnections((list) => withoutConnection(list, connectionId))
        if (ending.has(connectionId)) return
        toast({ title: texts.removed(nameOf(gone)), description: texts.removedHint, tone: 'info', stays: true })
      }),
      client.on('party_changed', ({ connectionId, party }) => {
        patchConnections((list) => list.map((each) => (each.id === connectionId ? withParty(each, party) : each)))
      }),
      client.on('resync', () => void queryClient.invalidateQueries({ queryKey: connectionsKey, exact: true })),
    ]
    return () => {
      for (const off of offs) off()
    }
  }, [client, ownId])
}

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
