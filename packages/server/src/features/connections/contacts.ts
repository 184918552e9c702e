import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { toParty } from './connections.ts'
import { selectConnections, selectParties, selectParty } from './queries.ts'
import { type Visibility, visibilityAmong } from './visibility.ts'

export const connectionsOf = (db: Reader, userId: string): Promise<ConnectionRow[]> => selectConnections(db, [userId])

/** One side of a connection: a user and their contact. */
interface Contact {
  connectionId: string
  userId: string
  contactId: string
}

/** The contacts of these users; a connection between two of them yields one entry for each. */
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

/** The subject of a notice: profile data, which not every contact may see, or a change from the visibility `before`. */
type News = { about: 'profile' } | { before: Visibility }

/**
 * Notifies the contacts of a user how they see the user now: presence, name, availability. With `news`, only contacts
 * for whom something changed: a notice without news would itself reveal that the user is online.
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
 * Notifies contacts of users who came online or went offline: those who may see it and are connected to this process.
 * Every process does this for its own sockets.
 */
export async function tellPresence(core: Core, userIds: readonly string[]): Promise<void> {
  const { sockets, db } = core
  const contacts = (await contactsOf(db.read, userIds)).filter(({ contactId }) => sockets.isConnectedHere(contactId))
  if (contacts.length === 0) return
  const parties = await selectParties(db.read, [...new Set(contacts.map(({ userId }) => userId))])
  // Queries the rules per batch, right before the notices, so that users who hide their presence meanwhile are left
  // out.
  for (const some of splitIntoStatements(contacts)) {
    const seen = await visibilityAmong(db.read, bothOf(some))
    for (const { connectionId, userId, contactId } of some) {
      const row = parties.get(userId)
      const mine = seen(userId, contactId)
      if (row === undefined || !mine.online) continue
      sockets.notifyHere([contactId], { type: 'party_changed', connectionId, party: toParty(core, row, mine) })
    }
  }
}

/** Notifies a user how they see each of their contacts now. */
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
