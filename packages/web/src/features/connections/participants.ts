import type { Connection, Party } from '@privity/contract/connections'

/** Whichever of the two is not oneself. */
export function otherParty(connection: Connection, ownId: string): Party {
  return connection.userId1 === ownId ? connection.user2 : connection.user1
}

/** The connection with this user's side replaced, or the same object where he is not part of it. */
export function withParty(connection: Connection, party: Party): Connection {
  if (connection.userId1 === party.id) return { ...connection, user1: party }
  if (connection.userId2 === party.id) return { ...connection, user2: party }
  return connection
}
