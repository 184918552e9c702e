import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/db.ts'
import type { ConnectionRow } from '../../core/schema.ts'
import { toParty } from './connections.ts'
import { selectConnections, selectParties } from './queries.ts'
import { visibilityAmong } from './visibility.ts'

export const connectionsOf: (db: Reader, userId: string) => Promise<ConnectionRow[]> = selectConnections

async function contactsOf(core: Core, userId: string) {
  const { read } = core.db
  const connections = await selectConnections(read, userId)
  const parties = new Map((await selectParties(read, userId)).map((row) => [row.id, row]))
  const contacts = connections.map(({ id, user_id_1, user_id_2 }) => ({
    connectionId: id,
    contactId: user_id_1 === userId ? user_id_2 : user_id_1,
  }))
  const seen = await visibilityAmong(read, [...parties.keys()])
  return { parties, contacts, seen }
}

/**
 * Tells the contacts of a user, and nobody else, how he is seen now: presence, name, availability. `about`
 * presence, only those are told who may know it: a notice that says nothing new would itself say that he came.
 */
export async function tellContacts(core: Core, userId: string, about?: 'presence'): Promise<void> {
  const { parties, contacts, seen } = await contactsOf(core, userId)
  const row = parties.get(userId)
  if (row === undefined) return
  for (const { connectionId, contactId } of contacts) {
    const mine = seen(userId, contactId)
    if (about === 'presence' && !mine.online) continue
    core.sockets.notify(contactId, { type: 'party_changed', connectionId, party: toParty(core, row, mine) })
  }
}

/** Tells a user how he sees each of his contacts now. */
export async function tellOfContacts(core: Core, userId: string): Promise<void> {
  const { parties, contacts, seen } = await contactsOf(core, userId)
  for (const { connectionId, contactId } of contacts) {
    const row = parties.get(contactId)
    if (row === undefined) continue
    const party = toParty(core, row, seen(contactId, userId))
    core.sockets.notify(userId, { type: 'party_changed', connectionId, party })
  }
}
