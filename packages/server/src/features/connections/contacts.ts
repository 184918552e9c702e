import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import { splitIntoStatements } from '../../core/database/statements.ts'
import type { ConnectionRow } from '../../core/database/tables/connections.ts'
import { toParticipant } from './connections.ts'
import { selectConnections, selectParticipants, selectParticipant } from './queries.ts'
import { type Visibility, loadVisibility } from './visibility.ts'

export const connectionsOf = (db: Reader, userId: string): Promise<ConnectionRow[]> => selectConnections(db, [userId])

/** One side of a connection: a user and their contact. */
interface Contact {
  connectionId: string
  userId: string
  contactId: string
}

/** The contacts of these users; a connection between two of them yields one entry for each. */
async function contactsOf(db: Reader, userIds: readonly string[]): Promise<Contact[]> {
  const members = new Set(userIds)
  const connections = await selectConnections(db, userIds)
  return connections
    .flatMap(({ id: connectionId, user_id_1: one, user_id_2: two }) => [
      { connectionId, userId: one, contactId: two },
      { connectionId, userId: two, contactId: one },
    ])
    .filter(({ userId }) => members.has(userId))
}

const participantsOf = (contacts: readonly Contact[]): string[] => [
  ...new Set(contacts.flatMap(({ userId, contactId }) => [userId, contactId])),
]

/** Why contacts are notified: changed profile data, which not all may see, or a visibility other than `before`. */
type NoticeReason = { changed: 'profile' } | { before: Visibility }

/**
 * Notifies the contacts of a user how they see the user now: presence, name, availability. With a reason, only
 * contacts who see a change: any other notice would itself reveal that the user is online.
 */
export async function notifyContacts(core: Core, userId: string, reason?: NoticeReason): Promise<void> {
  const { read } = core.db
  const contacts = await contactsOf(read, [userId])
  const row = await selectParticipant(read, userId)
  if (row === undefined) return
  const visibleParts = await loadVisibility(read, participantsOf(contacts))
  for (const { connectionId, contactId } of contacts) {
    const visible = visibleParts(userId, contactId)
    if (reason !== undefined && 'changed' in reason && !visible[reason.changed]) continue
    if (reason !== undefined && 'before' in reason) {
      const previous = visibleParts(userId, contactId, reason.before)
      if (previous.online === visible.online && previous.profile === visible.profile) continue
    }
    core.sockets.notify(contactId, { type: 'party_changed', connectionId, party: toParticipant(core, row, visible) })
  }
}

/**
 * Notifies contacts of users who came online or went offline: those who may see it and are connected to this process.
 * Every process does this for its own sockets.
 */
export async function notifyPresence(core: Core, userIds: readonly string[]): Promise<void> {
  const { sockets, db } = core
  const contacts = (await contactsOf(db.read, userIds)).filter(({ contactId }) => sockets.isConnectedHere(contactId))
  if (contacts.length === 0) return
  const participants = await selectParticipants(db.read, [...new Set(contacts.map(({ userId }) => userId))])
  // Loads visibility per batch, right before its notices, so users who hide their presence meanwhile are left out.
  for (const batch of splitIntoStatements(contacts)) {
    const visibleParts = await loadVisibility(db.read, participantsOf(batch))
    for (const { connectionId, userId, contactId } of batch) {
      const row = participants.get(userId)
      const visible = visibleParts(userId, contactId)
      if (row === undefined || !visible.online) continue
      sockets.notifyHere([contactId], { type: 'party_changed', connectionId, party: toParticipant(core, row, visible) })
    }
  }
}

/** Notifies a user how they see each of their contacts now. */
export async function notifyOfContacts(core: Core, userId: string): Promise<void> {
  const { read } = core.db
  const contacts = await contactsOf(read, [userId])
  const participants = await selectParticipants(
    read,
    contacts.map(({ contactId }) => contactId),
  )
  const visibleParts = await loadVisibility(read, participantsOf(contacts))
  for (const { connectionId, contactId } of contacts) {
    const row = participants.get(contactId)
    if (row === undefined) continue
    const party = toParticipant(core, row, visibleParts(contactId, userId))
    core.sockets.notify(userId, { type: 'party_changed', connectionId, party })
  }
}
