import { useEffect } from 'react'
import type { Client } from '@privity/client'
import type { Connection } from '@privity/contract/connections'
import { queryClient } from '../../app/queryClient.ts'
import { toast } from '../../ui/toast/toastStore.ts'
import { fullName } from '../../i18n/fullName.ts'
import { otherParty, withParty } from './participants.ts'
import { connectionsKey, ending, patchConnections, withConnection, withoutConnection } from './queries.ts'
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
