import type { Connection, Participant } from '@privity/contract/connections'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Pins } from './pins.ts'

/**
 * Checks that the participants the server shows are those whose keys the user has accepted. A mismatch alerts the user.
 */
export interface Participants {
  /** Remembers the contact's name too. */
  isExpected(connection: Connection): boolean
  isExpectedUser(connectionId: string, contact: Participant): boolean
  /** The contact's name as it was last shown. */
  nameOf(connectionId: string): string | undefined
}

export function createParticipants(deps: {
  userId: string
  pins: Pins
  alarm: SecurityAlert
  onRenamed: () => void
}): Participants {
  const { userId, pins } = deps
  const names = new Map<string, string>()

  function matchesPin(connectionId: string, contact: Participant | undefined): boolean {
    const pinnedId = pins.participantOf(connectionId)
    if (pinnedId === undefined || pinnedId === contact?.id) {
      if (contact) rememberName(connectionId, `${contact.firstName} ${contact.lastName}`)
      return true
    }
    deps.alarm('PARTY_ALTERED')
    return false
  }

  function rememberName(connectionId: string, name: string): void {
    const before = names.get(connectionId)
    names.set(connectionId, name)
    if (before !== undefined && before !== name) deps.onRenamed()
  }

  /** Undefined where the response contradicts itself. */
  function contactOf({ userId1, userId2, user1, user2 }: Connection): Participant | undefined {
    if (user1.id !== userId1 || user2.id !== userId2) return undefined
    if (userId1 === userId) return user2
    return userId2 === userId ? user1 : undefined
  }

  return {
    isExpected: (connection) => matchesPin(connection.id, contactOf(connection)),
    isExpectedUser: matchesPin,
    nameOf: (connectionId) => names.get(connectionId),
  }
}
