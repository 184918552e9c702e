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

  function fits(connectionId: string, other: string | undefined): boolean {
    const party = pins.participantOf(connectionId)
    if (party === undefined || party === other) return true
    deps.alarm('PARTY_ALTERED')
    return false
  }

  /** Undefined where the response contradicts itself. */
  function otherOf({ userId1, userId2, user1, user2 }: Connection): string | undefined {
    if (user1.id !== userId1 || user2.id !== userId2) return undefined
    if (userId1 === userId) return userId2
    return userId2 === userId ? userId1 : undefined
  }

  return {
    isExpected: (connection) => fits(connection.id, otherOf(connection)),
    isExpectedUser: fits,
  }
}
