import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addNotification } from '../../../src/features/notifications/notifications.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createNotified, type Notified } from '../../support/scenes/notifications.ts'
import { approve, createTalk } from '../../support/scenes/conversation.ts'

const day = 24 * 60 * 60 * 1000
let server: TestServer
let notified: Notified
beforeAll(async () => {
  server = await createTestServer()
  notified = createNotified(server)
})
afterAll(() => server.close())

/** Advances the clock by days and uses the sessions of these members, so that they do not expire. */
async function pass(members: Member[], days: number): Promise<void> {
  for (let hours = 0; hours < days * 24; hours += 12) {
    await server.advance(day / 2)
    for (const member of members) await member.call(connections.list, {})
  }
}

describe('how long they are kept', () => {
  const stored = (member: Member) =>
    server.core.db.read.all<{ kind: string }>('select kind from notifications where user_id = ?', [member.user.id])

  test('30 days, not a millisecond longer, and then not on the disk either', { timeout: 30_000 }, async () => {
    const { ben } = await createTalk(server)
    const start = server.clock.now()
    await pass([ben], 29)
    server.clock.advance(start + 30 * day - 2 - server.clock.now())
    await notified.signIn(ben, ben)
    expect(await notified.kinds(ben)).toEqual(['signed_in', 'connection_created'])
    server.clock.advance(1)
    expect(await notified.kinds(ben)).toEqual(['signed_in'])
    await server.advance(60_000)
    expect((await stored(ben)).map(({ kind }) => kind)).toEqual(['signed_in'])
  })

  test('about a file as long as the file', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    notified.tick()
    await approve(talk.anna, talk.ben, filePath)
    expect(await notified.kinds(talk.ben)).toEqual(['file_decided', 'connection_created'])
    await pass([talk.anna, talk.ben], 0.5)
    server.clock.advance(day / 2 - 2)
    expect((await stored(talk.anna)).map(({ kind }) => kind)).toEqual(['file_requested'])
    server.clock.advance(1)
    expect(await notified.kinds(talk.ben)).toEqual(['connection_created'])
    expect(await notified.kinds(talk.anna)).toEqual([])
    await server.advance(60_000)
    expect(await stored(talk.anna)).toEqual([])
    expect((await stored(talk.ben)).map(({ kind }) => kind)).toEqual(['connection_created'])
  })

  test('about a connection as long as the connection, and both hear that they are gone', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    await notified.ask(talk.ben, filePath)
    const sockets = [await talk.anna.socket(), await talk.ben.socket()]
    await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
    for (const socket of sockets) await socket.next('notifications_changed')
    expect([await stored(talk.anna), await stored(talk.ben)]).toEqual([[], []])
  })

  test('as long as the account, and as the account they are about', async () => {
    const { anna, ben } = await createTalk(server)
    await notified.signIn(anna)
    await server.core.db.write((tx) => tx.run('delete from users where id = ?', [anna.user.id]))
    expect([await stored(anna), await stored(ben)]).toEqual([[], []])
  })

  test('at most 200 of an account, the newest', async () => {
    const { anna, ben, connection } = await createTalk(server)
    const about = { connectionId: connection.id, peerId: anna.user.id }
    await server.core.db.write(async (tx) => {
      for (let at = 0; at < limits.notificationsKept + 20; at++) {
        notified.tick()
        await addNotification(tx, server.core, ben.user.id, { kind: 'connection_created', ...about })
      }
    })
    const { notifications: kept, unread, more } = await notified.list(ben, { limit: 200 })
    expect([kept.length, unread, more]).toEqual([200, 200, false])
    expect(kept[0]?.createdAt).toBe(server.clock.now())
    expect(kept.at(-1)?.createdAt).toBe(server.clock.now() - 199)
  })

  test('hundreds that are due go in one run of the job, in small batches', async () => {
    const members = [await createTalk(server), await createTalk(server)].map(({ ben }) => ben)
    const expired = server.clock.now() + 1
    await server.core.db.write(async (tx) => {
      for (const { user } of members) {
        for (let at = 0; at < 180; at++) {
          const about = {
            kind: 'signed_in',
            sessionId: user.id,
            device: 'x',
            address: 'x',
            isNews: true,
            failures: 0,
          } as const
          await addNotification(tx, server.core, user.id, about)
        }
        await tx.run("update notifications set expires_at = ? where user_id = ? and kind = 'signed_in'", [
          expired,
          user.id,
        ])
      }
    })
    await server.advance(60_000)
    for (const member of members) expect((await stored(member)).map(({ kind }) => kind)).toEqual(['connection_created'])
  })
})
