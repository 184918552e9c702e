import type { Connection } from '@privity/contract/connections'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Pins } from './pins.ts'

/**
 * Checks that the participants the server shows are those whose keys the user has accepted. A mismatch alerts the user.
 */
export interface Participants {
  isExpected(connection: Connection): boolean
  isExpectedUser(connectionId: string, userId: string): boolean
}

export function createParticipants(deps: { userId: string; pins: Pins; alarm: SecurityAlert }): Participants {
  const { userId, pins } = deps

  function matchesPin(connectionId: string, shownId: string | undefined): boolean {
    const pinnedId = pins.participantOf(connectionId)
    if (pinnedId === undefined || pinnedId === shownId) return true
    deps.alarm('PARTY_ALTERED')
    return false
  }

  /** Undefined where the response contradicts itself. */
  function contactIdOf({ userId1, userId2, user1, user2 }: Connection): string | undefined {
    if (user1.id !== userId1 || user2.id !== userId2) return undefined
    if (userId1 === userId) return userId2
    return userId2 === userId ? userId1 : undefined
  }

  return {
    isExpected: (connection) => matchesPin(connection.id, contactIdOf(connection)),
    isExpectedUser: matchesPin,
  }
}
