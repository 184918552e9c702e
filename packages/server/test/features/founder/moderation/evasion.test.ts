import { account } from '@privity/contract/account'
import { moderation } from '@privity/contract/founder/moderation'
import { founderUsers } from '@privity/contract/founder/users'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { random } from '../../../support/server/memberKeys.ts'
import { createFloodedServer, floodOf, makeReport } from '../../../support/founder/moderation.ts'
import { createTalk, type Talk } from '../../../support/scenes/conversation.ts'

/** Ways in which a member could hide flagged messages from the founder. */
let server: TestServer
let founder: Caller
let talk: Talk
beforeAll(async () => {
  server = await createFloodedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.core.db.write((tx) => tx.run('delete from message_flags'))
  founder = await signInFounder(server)
  talk = await createTalk(server)
})

const scan = async () => (await founder.call(moderation.scan, {})).flaggedCount
const list = (query = {}) => founder.call(moderation.flagged, { query })

test('a flood with ever new tags gives a flag a minute, and is told of once', async () => {
  const told: unknown[] = []
  const stop = server.core.bus.subscribe('messageFlagged', (event) => told.push(event))
  for (let i = 0; i < 60; i++) await floodOf(server, talk, 5, 4_000, random(32))
  expect(await scan()).toBeLessThanOrEqual(16)
  const { repeatedContent } = await founder.call(moderation.stats, {})
  expect(repeatedContent).toBeGreaterThan(10)
  expect(told).toEqual([{ rule: 'repeated', senderId: talk.anna.user.id }])
  expect(await scan()).toBe(0)
  stop()
})

test('a report goes when either of the two deletes their account, and a suspended one cannot', async () => {
  for (const leaves of ['anna', 'ben'] as const) {
    talk = await createTalk(server)
    await makeReport(server, talk)
    const { user, password } = talk[leaves]
    const body = { password, username: user.username }
    const params = { id: user.id }
    await founder.call(founderUsers.suspend, { params })
    expect((await talk[leaves].refused(account.remove, { body })).status).toBe(401)
    expect((await talk[leaves].refused(session.login, { body })).body.code).toBe('ACCOUNT_UNAVAILABLE')
    expect(await list()).toHaveLength(1)
    await founder.call(founderUsers.unsuspend, { params })
    await talk[leaves].call(session.login, { body })
    await talk[leaves].call(account.remove, { body })
    expect(await server.core.db.read.all('select * from message_flags')).toEqual([])
  }
})

test('a flood hides no report: the list can be had by what flagged', async () => {
  const { message } = await makeReport(server, talk)
  for (let i = 0; i < 3; i++) {
    await floodOf(server, talk, 20, 1000, random(32))
    server.clock.advance(60_000)
  }
  await scan()
  const all = await list()
  const reasons = { rapid: 'Rapid', repeated: 'Repeated', report: 'Reported', bulk: 'Bulk' }
  for (const [rule, word] of Object.entries(reasons))
    expect([rule, await list({ rule })]).toEqual([rule, all.filter(({ flagReason }) => flagReason.startsWith(word))])
  expect(await list({ rule: 'report' })).toMatchObject([{ kind: 'report', messageId: message.id }])
  const rapid = await list({ rule: 'rapid' })
  expect(rapid.length).toBeGreaterThan(2)
  expect(await list({ rule: 'rapid', limit: 2, before: rapid[0]?.id })).toEqual(rapid.slice(1, 3))
  for (const query of ['rule=', 'rule=manual', 'rule=rapid&rule=bulk'])
    expect((await founder.request('GET', `/api/founder/flagged-messages?${query}`)).status).toBe(400)
})
