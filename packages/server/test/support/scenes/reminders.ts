import { limits } from '@privity/contract/limits'
import type { Member, TestServer } from '../server/testServer.ts'
import { createTalk, type Talk } from './conversation.ts'

/** Lets all messages of a conversation expire in a little less than 8 hours, and the job look. */
export async function expireSoon(server: TestServer, { connection }: Pick<Talk, 'connection'>): Promise<void> {
  const expiresAt = server.clock.now() + limits.reminderLead + 5_000
  await server.core.db.write((tx) =>
    tx.run('update messages set expires_at = ? where connection_id = ?', [expiresAt, connection.id]),
  )
  await server.advance(15_000)
}

/** Sends this member a message that will expire soon, unread. */
export async function missSoon(server: TestServer, member: Member): Promise<void> {
  const members = [await server.signUp(), member].values()
  const { clock, connect } = server
  const talk = await createTalk({ clock, connect, signUp: async () => members.next().value as Member })
  await talk.send(talk.anna)
  await expireSoon(server, talk)
}
