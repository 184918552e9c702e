import type { Connection, Party } from '@privity/contract/connections'

/** Returns the participant who is not this user. */
export function otherParty(connection: Connection, ownId: string): Party {
  return connection.userId1 === ownId ? connection.user2 : connection.user1
}

/** Replaces a participant's data in a connection; returns the same object if they do not take part in it. */
export function withParty(connection: Connection, party: Party): Connection {
  if (connection.userId1 === party.id) return { ...connection, user1: party }
  if (connection.userId2 === party.id) return { ...connection, user2: party }
  return connection
}
