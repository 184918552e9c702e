import { randomUUID } from 'node:crypto'
import { closeCodes } from '@privity/contract/events'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { makeEpoch, publication } from '../../support/server/memberKeys.ts'
import { prefer, setPolicy } from '../../support/scenes/preferences.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

async function signInElsewhere({ user, password }: Member): Promise<Caller> {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: user.username, password } })
  return browser
}

const isSignedIn = async (browser: Caller) => (await browser.request('GET', '/api/user')).status === 200

test('off: a session lasts 30 days without use, also one that existed before', async () => {
  const member = await server.signUp()
  const [used, unused] = [await signInElsewhere(member), await signInElsewhere(member)]
  await prefer(member, { sessionTimeout: false })
  await server.advance(limits.sessionIdle * 2)
  expect(await isSignedIn(member)).toBe(true)
  expect(await isSignedIn(used)).toBe(true)
  await server.advance(limits.sessionIdleLong - limits.sessionIdle * 2 - 1)
  expect(await isSignedIn(used)).toBe(true)
  await server.advance(1)
  expect(await isSignedIn(unused)).toBe(false)
  expect(await isSignedIn(used)).toBe(true)
})

test('off, also after a restart and for a session that begins later', async () => {
  const member = await server.signUp()
  await prefer(member, { sessionTimeout: false })
  const later = await signInElsewhere(member)
  await server.restart()
  await server.advance(limits.sessionIdle * 3)
  expect(await isSignedIn(later)).toBe(true)
})

test('switching on ends sessions that were idle longer, with their sockets, and no others', async () => {
  const member = await server.signUp()
  await prefer(member, { sessionTimeout: false })
  const forgotten = await signInElsewhere(member)
  const recent = await signInElsewhere(member)
  await server.advance(limits.sessionIdle * 2)
  const socket = await member.socket()
  expect(await isSignedIn(recent)).toBe(true)
  await prefer(member, { sessionTimeout: true })
  expect(await isSignedIn(forgotten)).toBe(false)
  expect(await isSignedIn(recent)).toBe(true)
  const listed = await member.call(session.listSessions, {})
  expect(listed).toHaveLength(2)
  await server.advance(60_000)
  const rows = await server.core.db.read.all('select 1 from sessions where user_id = ?', [member.user.id])
  expect(rows).toHaveLength(2)
  await server.advance(limits.sessionIdle)
  expect(await socket.closed).toBe(4003)
})

test('polls, sockets and new epoch keys of an open page nobody uses do not keep the session', async () => {
  const member = await server.signUp()
  for (let hours = 0; hours < 24; hours += 6) {
    await server.advance(limits.sessionIdle / 4)
    if (hours < 18) {
      await member.call(messages.unreadCounts, {})
      const epoch = makeEpoch(member.user.id, 2 + hours / 6, server.clock.now())
      await member.call(keys.publishEpochs, publication(epoch))
      ;(await member.socket()).close()
    }
  }
  expect((await member.refused(messages.unreadCounts, {})).status).toBe(401)
  await expect(member.socket()).rejects.toThrow('401')
})

test('however many sessions nobody uses, all of them end within a minute, with their sockets', async () => {
  const member = await server.signUp()
  const socket = await member.socket()
  await server.core.db.write(async (tx) => {
    for (let at = 0; at < 450; at++)
      await tx.run(
        `insert into sessions (id, user_id, token_hash, key_share, created_at, last_used_at, idle_limit, address, device)
         values (?, ?, ?, '', 0, 0, 1, '', '')`,
        [randomUUID(), member.user.id, randomUUID()],
      )
    await tx.run('update sessions set last_used_at = 1, idle_limit = 1 where user_id = ?', [member.user.id])
  })
  await server.advance(60_000)
  expect(await socket.closed).toBe(closeCodes.sessionEnded)
  const left = 'select count(*) as n from sessions where user_id = ?'
  expect(await server.core.db.read.get(left, [member.user.id])).toEqual({ n: 0 })
})

describe('a session that began while the clock was ahead', () => {
  const year = 365 * 24 * 60 * 60 * 1000

  async function signInAhead(member: Member): Promise<Caller> {
    server.clock.ahead = year
    const browser = await signInElsewhere(member)
    // From memory from here on, and with a time of use that is not written down yet.
    server.clock.ahead += 1_000
    expect(await isSignedIn(browser)).toBe(true)
    server.clock.ahead = 0
    return browser
  }

  test('ends by its idle limit once the clock is right', async () => {
    const browser = await signInAhead(await server.signUp())
    await server.advance(60_000)
    await server.advance(limits.sessionIdle)
    expect(await isSignedIn(browser)).toBe(false)
  })

  test('ends at the end of its life, however much it is used', async () => {
    const member = await server.signUp()
    await prefer(member, { sessionTimeout: false })
    const browser = await signInAhead(member)
    await server.advance(60_000)
    const step = limits.sessionIdleLong / 2
    let lived = 0
    for (; lived < limits.sessionLife - step; lived += step) {
      await server.advance(step)
      expect(await isSignedIn(browser)).toBe(true)
    }
    await server.advance(limits.sessionLife - lived)
    expect(await isSignedIn(browser)).toBe(false)
  })
})

test('the organization can insist: the switch changes nothing then', async () => {
  const member = await server.signUp()
  await prefer(member, { sessionTimeout: false })
  await setPolicy(server, { sessionTimeout: true })
  await prefer(member, { sessionTimeout: true })
  await prefer(member, { sessionTimeout: false })
  const other = await signInElsewhere(member)
  await server.advance(limits.sessionIdle)
  expect([await isSignedIn(member), await isSignedIn(other)]).toEqual([false, false])
  await setPolicy(server, { sessionTimeout: false })
})

test('nobody changes how long the sessions of others last', async () => {
  const [member, stranger] = [await server.signUp(), await server.signUp()]
  await stranger.request('PATCH', '/api/preferences', { sessionTimeout: false, userId: member.user.id })
  await server.advance(limits.sessionIdle)
  expect(await isSignedIn(member)).toBe(false)
})

test('the cookie outlives every session, so that the server alone decides', async () => {
  const member = await server.signUp()
  const answer = await server.visitor().request('POST', '/api/login', {
    username: member.user.username,
    password: member.password,
  })
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('privity_session='))
  const seconds = Number(/Max-Age=(\d+)/.exec(cookie ?? '')?.[1])
  expect(seconds * 1000).toBeGreaterThan(limits.sessionIdleLong)
})
