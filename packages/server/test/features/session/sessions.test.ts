import { connections } from '@privity/contract/connections'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, makeKeys, random, signEpoch } from '../../support/server/memberKeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const account = (username: string) => ({
  username,
  password: `secret of ${username}`,
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: `${username}@example.com`,
})

describe('signing up', () => {
  test('signs in, and signing out ends it', async () => {
    const anna = await server.signUp('anna')
    expect(await anna.call(session.getUser, {})).toMatchObject(anna.user)
    expect(anna.user).toMatchObject({ username: 'anna', isActive: true, suspended: false, hasKeys: true })
    expect(anna.user.connectionCode).toMatch(/^[A-HJ-NP-Z]{3}-[A-HJ-NP-Z]{3}-[2-9]{3}$/)
    expect(anna.user.id).toBe(anna.keys?.userId)
    await anna.call(session.logout, {})
    expect(anna.cookies.has('privity_session')).toBe(false)
    expect((await anna.refused(session.getUser, {})).body).toMatchObject({ code: 'NOT_SIGNED_IN' })
    await anna.call(session.logout, {})
  })

  test('a plain client without keys gets an account and an id from the server', async () => {
    const plain = await server.signUp('plain', { keys: false })
    expect(plain.user.hasKeys).toBe(false)
    expect((await plain.refused(keys.getOwn, { query: {} })).body.code).toBe('NO_KEYS')
  })

  test('username and email are taken in any case, and say so', async () => {
    await server.signUp('taken')
    const visitor = server.visitor()
    const sameName = { ...account('other'), username: ' TAKEN ' }
    expect((await visitor.refused(session.register, { body: sameName })).body.code).toBe('USERNAME_TAKEN')
    const sameEmail = { ...account('other'), email: 'Taken@Example.com' }
    const refusal = await visitor.refused(session.register, { body: sameEmail })
    expect(refusal).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
    expect(visitor.cookies.size).toBe(0)
  })

  test('an id is used once, ever', async () => {
    const first = await server.signUp('first-with-id')
    const body = { ...account('second-with-id'), keys: makeKeys(server.clock.now(), first.user.id) }
    expect((await server.visitor().refused(session.register, { body })).body.code).toBe('USER_ID_TAKEN')
    const retired = makeKeys(server.clock.now())
    await server.core.db.write((tx) =>
      tx.run('insert into retired_users (id, retired_at) values (?, ?)', [retired.userId, 1]),
    )
    const again = { ...body, keys: retired }
    expect((await server.visitor().refused(session.register, { body: again })).body.code).toBe('USER_ID_TAKEN')
    for (const userId of [retired.userId.toUpperCase(), '00000000-0000-0000-0000-000000000000']) {
      const odd = { ...body, keys: makeKeys(server.clock.now(), userId) }
      expect((await server.visitor().refused(session.register, { body: odd })).body.code).toBe('INVALID_INPUT')
    }
  })

  test('of the same name at the same moment, exactly one succeeds', async () => {
    const attempts = Array.from({ length: 6 }, (_, at) =>
      server.visitor().request('POST', '/api/register', { ...account('race'), email: `race${at}@example.com` }),
    )
    const answers = await Promise.all(attempts)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of answers.filter((answer) => answer.status !== 201)) {
      expect([status, body]).toEqual([409, expect.objectContaining({ code: 'USERNAME_TAKEN' })])
    }
    const rows = await server.core.db.read.all("select 1 from users where username = 'race'")
    expect(rows).toHaveLength(1)
  })

  test.each([
    ['a foreign epoch', (now: number) => ({ ...makeKeys(now), epoch: makeEpoch(makeKeys(now).userId, 1, now) })],
    ['a first epoch that is not the first', (now: number) => withEpoch(now, { n: 2 })],
    ['a first epoch with one before it', (now: number) => withEpoch(now, { previousHash: random(32) })],
    ['a first epoch that nobody signed', (now: number) => unsigned(now)],
    ['an epoch from the future', (now: number) => withEpoch(now, { createdAt: now + 6 * 60_000 })],
  ])('refuses %s', async (_what, make) => {
    const before = await server.core.db.read.all('select id from users')
    const body = { ...account('bad-keys'), keys: make(server.clock.now()) }
    expect((await server.visitor().refused(session.register, { body })).body.code).toBe('INVALID_INPUT')
    expect(await server.core.db.read.all('select id from users')).toEqual(before)
  })

  test('neither passwords, tokens, wraps nor proofs are stored as they are', async () => {
    const member = await server.signUp('sealed')
    const row = await server.core.db.read.get('select * from users where id = ?', [member.user.id])
    const epoch = await server.core.db.read.get('select * from epochs where user_id = ?', [member.user.id])
    const stored = JSON.stringify([row, epoch])
    const given = member.keys
    if (given === undefined) throw new Error('no keys')
    for (const secret of [
      member.password,
      given.wrappedAccountKey,
      given.wrappedIdentitySeed,
      given.recoveryWrappedAccountKey,
      given.recoveryProof,
      given.epoch.wrappedSeed,
    ]) {
      expect(stored).not.toContain(secret)
    }
    const token = member.cookies.get('privity_session') as string
    const sessions = await server.core.db.read.all<{ token_hash: string }>('select * from sessions')
    expect(JSON.stringify(sessions)).not.toContain(token)
    expect(sessions.some(({ token_hash }) => token_hash === hashToken(token))).toBe(true)
  })
})

describe('signing in', () => {
  test('takes the name in any case and gives a new session each time', async () => {
    const member = await server.signUp('Bela')
    const visitor = server.visitor()
    const user = await visitor.call(session.login, { body: { username: ' BELA ', password: member.password } })
    expect(user).toMatchObject(member.user)
    const first = visitor.cookies.get('privity_session')
    await visitor.call(session.login, { body: { username: 'bela', password: member.password } })
    expect(visitor.cookies.get('privity_session')).not.toBe(first)
    const old = await visitor.request('GET', '/api/user', undefined, { cookie: `privity_session=${first}` })
    expect(old.status).toBe(401)
  })

  test('a wrong password and an unknown name get the same answer', async () => {
    await server.signUp('carl')
    const visitor = server.visitor()
    const wrong = await visitor.refused(session.login, { body: { username: 'carl', password: 'x' } })
    const unknown = await visitor.refused(session.login, { body: { username: 'nobody-here', password: 'x' } })
    expect(wrong.status).toBe(401)
    expect(unknown.body).toEqual(wrong.body)
  })

  test.each([
    ['deactivated', 'is_active = 0'],
    ['suspended', 'suspended = 1'],
  ])('a %s account is told so only with the right password, however often', async (what, change) => {
    const member = await server.signUp(`un${what}`)
    await server.core.db.write((tx) => tx.run(`update users set ${change} where id = ?`, [member.user.id]))
    const visitor = server.visitor()
    for (let attempt = 0; attempt <= limits.failedSignIns; attempt++) {
      const right = await visitor.refused(session.login, { body: { username: `un${what}`, password: member.password } })
      expect(right).toMatchObject({ status: 403, body: { code: 'ACCOUNT_UNAVAILABLE' } })
    }
    const wrong = await visitor.refused(session.login, { body: { username: `un${what}`, password: 'x' } })
    expect(wrong.body.code).toBe('WRONG_CREDENTIALS')
  })

  test('GET /api/login sends a visitor to the sign-in page', async () => {
    const response = await server.visitor().fetch('/api/login')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/auth'])
  })
})

describe('sessions', () => {
  test('are listed newest first, and ending one ends it at once, sockets included', async () => {
    const here = await server.signUp('dora')
    server.clock.advance(1000)
    const there = server.visitor()
    await there.request(
      'POST',
      '/api/login',
      { username: 'dora', password: here.password },
      {
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      },
    )
    const listed = await here.call(session.listSessions, {})
    expect(listed.map(({ current, device }) => [current, device])).toEqual([
      [false, 'Firefox on Linux'],
      [true, expect.any(String)],
    ])
    expect(listed[0]?.address).toBe(there.address)

    const socket = await here.socket()
    const [other = '', own = ''] = listed.map(({ id }) => id)
    await here.call(session.endSession, { params: { id: other } })
    expect((await there.refused(session.getUser, {})).status).toBe(401)
    await here.call(session.getUser, {})
    await here.call(session.endSession, { params: { id: own } })
    expect(await socket.closed).toBe(4003)
    expect((await here.refused(session.getUser, {})).status).toBe(401)
  })

  test("nobody ends another's session", async () => {
    const [owner, stranger] = [await server.signUp('owner'), await server.signUp('stranger')]
    const [own] = await owner.call(session.listSessions, {})
    const refusal = await stranger.refused(session.endSession, { params: { id: own?.id as string } })
    expect(refusal).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    await owner.call(session.getUser, {})
  })

  test('end after 24 hours without use, and use keeps them', async () => {
    const [busy, idle] = [await server.signUp('busy'), await server.signUp('idle')]
    const socket = await idle.socket()
    await server.advance(limits.sessionIdle / 2)
    await busy.call(session.getUser, {})
    await server.advance(limits.sessionIdle / 2)
    await busy.call(session.getUser, {})
    expect((await idle.refused(session.getUser, {})).status).toBe(401)
    await server.advance(60_000)
    expect(await socket.closed).toBe(4003)
    const left = await server.core.db.read.all('select 1 from sessions where user_id = ?', [idle.user.id])
    expect(left).toEqual([])
  })

  test('survive a restart', async () => {
    const member = await server.signUp('survivor')
    await server.restart()
    expect(await member.call(session.getUser, {})).toMatchObject(member.user)
  })

  test('a token that is not ours, cut off or doubled is nobody', async () => {
    const member = await server.signUp('tokens')
    const token = member.cookies.get('privity_session') as string
    const flipped = (token[0] === 'A' ? 'B' : 'A') + token.slice(1)
    for (const cookie of [
      `privity_session=${flipped}`,
      `privity_session=${token.slice(1)}`,
      `privity_session=${token}x`,
      `privity_session=`,
      `other_privity_session=${token}`,
      `x=privity_session=${token}`,
    ]) {
      expect((await server.visitor().request('GET', '/api/user', undefined, { cookie })).status, cookie).toBe(401)
    }
    const among = await server
      .visitor()
      .request('GET', '/api/user', undefined, { cookie: `a=1; privity_session=${token}; b=2` })
    expect(among.status).toBe(200)
  })
})

describe('the connection code', () => {
  test('is replaced: the old one stops working, the own browsers hear of it', async () => {
    const [owner, other] = [await server.signUp('coder'), await server.signUp('other')]
    const socket = await owner.socket()
    const { connectionCode } = await owner.call(session.generateCode, {})
    expect(connectionCode).not.toBe(owner.user.connectionCode)
    await socket.next('user_changed')
    expect((await owner.call(session.getUser, {})).connectionCode).toBe(connectionCode)
    const old = await other.refused(connections.create, { body: { connectionCode: owner.user.connectionCode } })
    expect(old.body.code).toBe('CODE_UNKNOWN')
    await other.call(connections.create, { body: { connectionCode } })
  })
})

function unsigned(now: number) {
  const made = makeKeys(now)
  return { ...made, epoch: { ...made.epoch, signature: random(64) } }
}

function withEpoch(now: number, change: object) {
  const made = makeKeys(now)
  const { wrappedSeed: _seed, signature: _signature, ...unsigned } = made.epoch
  return { ...made, epoch: signEpoch({ ...unsigned, ...change }) }
}
