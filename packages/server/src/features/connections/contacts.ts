import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/db.ts'
import type { ConnectionRow } from '../../core/schema.ts'
import { toParty } from './connections.ts'
import { selectConnections, selectParties } from './queries.ts'
import { type Visibility, visibilityAmong } from './visibility.ts'

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

/** What a notice is about: something that not everybody may see, or what the user let others see until now. */
type News = { about: 'online' | 'profile' } | { before: Visibility }

/**
 * Tells the contacts of a user, and nobody else, how he is seen now: presence, name, availability. With `news`,
 * only those are told to whom it is some: a notice that says nothing new would itself say that he is there. Who comes
 * and goes is noticed in every process, which tells those who are connected to it.
 */
export async function tellContacts(core: Core, userId: string, news?: News): Promise<void> {
  const { parties, contacts, seen } = await contactsOf(core, userId)
  const row = parties.get(userId)
  if (row === undefined) return
  for (const { connectionId, contactId } of contacts) {
    const mine = seen(userId, contactId)
    if (news !== undefined && 'about' in news && !mine[news.about]) continue
    if (news !== undefined && 'before' in news) {
      const until = seen(userId, contactId, news.before)
      if (until.online === mine.online && until.profile === mine.profile) continue
    }
    const notice = { type: 'party_changed', connectionId, party: toParty(core, row, mine) } as const
    if (news !== undefined && 'about' in news && news.about === 'online') core.sockets.notifyHere([contactId], notice)
    else core.sockets.notify(contactId, notice)
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
