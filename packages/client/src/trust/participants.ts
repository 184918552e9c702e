import type { Connection } from '@privity/contract/connections'
import type { Alarm } from '../transport/callError.ts'
import type { Pins } from './pins.ts'

/** Whether the people the server shows are those whose keys the user has accepted. A refusal is an alarm. */
export interface Parties {
  isRight(connection: Connection): boolean
  isRightParty(connectionId: string, userId: string): boolean
}

export function createParties(deps: { userId: string; pins: Pins; alarm: Alarm }): Parties {
  const { userId, pins } = deps

  function fits(connectionId: string, other: string | undefined): boolean {
    const party = pins.partyOf(connectionId)
    if (party === undefined || party === other) return true
    deps.alarm('PARTY_ALTERED')
    return false
  }

  /** Undefined where the answer contradicts itself. */
  function otherOf({ userId1, userId2, user1, user2 }: Connection): string | undefined {
    if (user1.id !== userId1 || user2.id !== userId2) return undefined
    if (userId1 === userId) return userId2
    return userId2 === userId ? userId1 : undefined
  }

  return {
    isRight: (connection) => fits(connection.id, otherOf(connection)),
    isRightParty: fits,
  }
}
