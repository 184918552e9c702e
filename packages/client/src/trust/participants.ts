import type { Connection, Participant } from '@privity/contract/connections'
import type { SecurityAlert } from '../transport/callError.ts'
import type { Pins } from './pins.ts'
import type { Questions } from './questions.ts'

/**
 * Checks that the participants the server shows are those whose keys the user has accepted. A mismatch alerts the user.
 */
export interface Participants {
  /** Remembers the contact's name too. */
  isExpected(connection: Connection): boolean
  /** The expected ones of all connections. */
  filter(all: readonly Connection[]): Connection[]
  /**
   * Call this before the user makes a connection here, and call the function that it returns with the connection made:
   * this browser then does not ask about the contact. It still asks if it knew the connection before, because a
   * dishonest server can answer with any connection of the user.
   */
  beginMeeting(): (connection: Connection) => Promise<void>
  isExpectedUser(connectionId: string, contact: Participant): boolean
}

export function createParticipants(deps: {
  userId: string
  pins: Pins
  alarm: SecurityAlert
  questions: Pick<Questions, 'showName' | 'meet'>
}): Participants {
  const { userId, pins, questions } = deps

  function matchesPin(connectionId: string, contact: Participant | undefined): boolean {
    const pinnedId = pins.participantOf(connectionId)
    if (pinnedId === undefined || pinnedId === contact?.id) {
      if (contact) questions.showName(connectionId, `${contact.firstName} ${contact.lastName}`)
      return true
    }
    deps.alarm('PARTY_ALTERED')
    return false
  }

  /** Undefined where the response contradicts itself. */
  function contactOf({ userId1, userId2, user1, user2 }: Connection): Participant | undefined {
    if (user1.id !== userId1 || user2.id !== userId2) return undefined
    if (userId1 === userId) return user2
    return userId2 === userId ? user1 : undefined
  }

  const isExpected = (connection: Connection) => matchesPin(connection.id, contactOf(connection))

  return {
    isExpected,
    filter: (all) => all.filter(isExpected),
    beginMeeting() {
      // Read before the call, because an event may report the new connection before the call is answered.
      const before = pins.participants()
      return async (connection) => {
        const contact = contactOf(connection)
        if (!contact || Object.hasOwn(before, connection.id)) return
        await questions.meet({ userId: contact.id, connectionId: connection.id })
      }
    },
    isExpectedUser: matchesPin,
  }
}
