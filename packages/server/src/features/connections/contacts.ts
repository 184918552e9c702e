import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { inStatements } from '../../core/database/bulkInsert.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { toParty } from './connections.ts'
import { selectConnections, selectParties, selectParty } from './queries.ts'
import { type Visibility, visibilityAmong } from './visibility.ts'

export const connectionsOf = (db: Reader, userId: string): Promise<ConnectionRow[]> => selectConnections(db, [userId])

/** One side of a connection: a user, and whom he is connected with. */
interface Contact {
  connectionId: string
  userId: string
  contactId: string
}

/** Of these users; of two of them who are connected, each one's. */
async function contactsOf(db: Reader, userIds: readonly string[]): Promise<Contact[]> {
  const asked = new Set(userIds)
  const connections = await selectConnections(db, userIds)
  return connections
    .flatMap(({ id: connectionId, user_id_1: one, user_id_2: two }) => [
      { connectionId, userId: one, contactId: two },
      { connectionId, userId: two, contactId: one },
    ])
    .filter(({ userId }) => asked.has(userId))
}

const bothOf = (contacts: readonly Contact[]): string[] => [
  ...new Set(contacts.flatMap(({ userId, contactId }) => [userId, contactId])),
]

/** What a notice is about: something that not everybody may see, or what the user let others see until now. */
type News = { about: 'profile' } | { before: Visibility }

/**
 * Tells the contacts of a user, and nobody else, how he is seen now: presence, name, availability. With `news`,
 * only those are told to whom it is some: a notice that says nothing new would itself say that he is there.
 */
export async function tellContacts(core: Core, userId: string, news?: News): Promise<void> {
  const { read } = core.db
  const contacts = await contactsOf(read, [userId])
  const row = await selectParty(read, userId)
  if (row === undefined) return
  const seen = await visibilityAmong(read, bothOf(contacts))
  for (const { connectionId, contactId } of contacts) {
    const mine = seen(userId, contactId)
    if (news !== undefined && 'about' in news && !mine[news.about]) continue
    if (news !== undefined && 'before' in news) {
      const until = seen(userId, contactId, news.before)
      if (until.online === mine.online && until.profile === mine.profile) continue
    }
    core.sockets.notify(contactId, { type: 'party_changed', connectionId, party: toParty(core, row, mine) })
  }
}

/**
 * Tells the contacts of users who have come or gone, those who may see it and are connected to this process: every
 * process notices who comes and goes.
 */
export async function tellPresence(core: Core, userIds: readonly string[]): Promise<void> {
  const { sockets, db } = core
  const contacts = (await contactsOf(db.read, userIds)).filter(({ contactId }) => sockets.isConnectedHere(contactId))
  if (contacts.length === 0) return
  const parties = await selectParties(db.read, [...new Set(contacts.map(({ userId }) => userId))])
  // In parts whose rules are one question: who switches his presence off meanwhile is not told of afterwards.
  for (const some of inStatements(contacts)) {
    const seen = await visibilityAmong(db.read, bothOf(some))
    for (const { connectionId, userId, contactId } of some) {
      const row = parties.get(userId)
      const mine = seen(userId, contactId)
      if (row === undefined || !mine.online) continue
      sockets.notifyHere([contactId], { type: 'party_changed', connectionId, party: toParty(core, row, mine) })
    }
  }
}

/** Tells a user how he sees each of his contacts now. */
export async function tellOfContacts(core: Core, userId: string): Promise<void> {
  const { read } = core.db
  const contacts = await contactsOf(read, [userId])
  const parties = await selectParties(
    read,
    contacts.map(({ contactId }) => contactId),
  )
  const seen = await visibilityAmong(read, bothOf(contacts))
  for (const { connectionId, contactId } of contacts) {
    const row = parties.get(contactId)
    if (row === undefined) continue
    const party = toParty(core, row, seen(contactId, userId))
    core.sockets.notify(userId, { type: 'party_changed', connectionId, party })
  }
}
