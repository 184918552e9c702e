import { queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type {
  BlockedPerson,
  Connection,
  ConnectionStatistics,
  FormerContact,
  Participant,
} from '@privity/contract/connections'
import { queryClient } from '../../app/queryClient.ts'
import { fullName } from '../../i18n/names.ts'

export const connectionsKey = ['/api/connections'] as const

export function connectionsQuery(client: Client) {
  return queryOptions<readonly Connection[]>({
    queryKey: connectionsKey,
    queryFn: () => client.connections.list(),
  })
}

export function patchConnections(change: (known: readonly Connection[]) => readonly Connection[]): void {
  queryClient.setQueryData<readonly Connection[]>(connectionsKey, (known) => known && change(known))
}

/** Adds the connection at the top and removes an older copy of it. */
export function withConnection(known: readonly Connection[], connection: Connection): readonly Connection[] {
  return [connection, ...known.filter((each) => each.id !== connection.id)]
}

export const withoutConnection = (known: readonly Connection[], id: string): readonly Connection[] =>
  known.filter((each) => each.id !== id)

/** When something last happened in a connection: its newest message that still exists, or else connecting. */
export const lastActive = ({ lastMessageAt = 0, connectedAt }: Connection): number =>
  Math.max(lastMessageAt, connectedAt)

export const newestFirst = (known: readonly Connection[]): readonly Connection[] =>
  known.toSorted((one, other) => lastActive(other) - lastActive(one))

/** Notes that a message was stored at this time. Notices may arrive late, so the time never decreases. */
export const withMessageAt = (known: readonly Connection[], id: string, at: number): readonly Connection[] =>
  known.map((each) => (each.id === id && (each.lastMessageAt ?? 0) < at ? { ...each, lastMessageAt: at } : each))

export const withLifetime = (known: readonly Connection[], id: string, lifetime: number): readonly Connection[] =>
  known.map((each) => (each.id === id ? { ...each, lifetime } : each))

export const blockedKey = ['/api/blocks'] as const

export function blockedQuery(client: Client) {
  return queryOptions<readonly BlockedPerson[]>({
    queryKey: blockedKey,
    queryFn: () => client.connections.blocked(),
    refetchOnMount: 'always',
  })
}

export const formerKey = ['/api/former-contacts'] as const

export function formerQuery(client: Client) {
  return queryOptions<readonly FormerContact[]>({
    queryKey: formerKey,
    queryFn: () => client.connections.former(),
    refetchOnMount: 'always',
    // Entries expire on the server without an event.
    refetchInterval: 60_000,
  })
}

export const statisticsKey = ['/api/connections/statistics'] as const

export function statisticsQuery(client: Client) {
  return queryOptions<ConnectionStatistics>({
    queryKey: statisticsKey,
    queryFn: () => client.connections.statistics(),
    refetchOnMount: 'always',
  })
}

export const refreshBlocked = () => queryClient.invalidateQueries({ queryKey: blockedKey })
export const refreshFormer = () => queryClient.invalidateQueries({ queryKey: formerKey })
export const refreshStatistics = () => queryClient.invalidateQueries({ queryKey: statisticsKey })

/** Connections that this tab is ending, so that their removal shows no notice here. */
export const ending = new Set<string>()

/** Returns the participant who is not this user. */
export function otherParty(connection: Connection, ownId: string): Participant {
  return connection.userId1 === ownId ? connection.user2 : connection.user1
}

/** Replaces a participant's data in a connection; returns the same object if they do not take part in it. */
export function withParty(connection: Connection, party: Participant): Connection {
  if (connection.userId1 === party.id) return { ...connection, user1: party }
  if (connection.userId2 === party.id) return { ...connection, user2: party }
  return connection
}

/** Connections whose contact's first name, last name, full name or email contains the text, ignoring case. */
export function searchConnections(list: readonly Connection[], ownId: string, typed: string): readonly Connection[] {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '') return list
  return list.filter((connection) => {
    const party = otherParty(connection, ownId)
    return [fullName(party), party.email ?? ''].some((text) => text.toLowerCase().includes(wanted))
  })
}
