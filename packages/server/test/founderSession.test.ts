import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { founderSessions } from '@privity/contract/founder/session'
import { limits, rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deriveFounderSecret } from '../src/features/founder/session/verifier.ts'
import { createTestServer, type TestServer } from './harness.ts'
import { selectAudit } from './harnessAudit.ts'
import type { Caller } from './harnessClient.ts'
import { founderLogin, signInFounder } from './harnessFounder.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
// Whatever a test before has locked or used up.
beforeEach(() => server.advance(24 * 60 * 60 * 1000))

const attempt = async (browser: Caller, password: string, username = 'founder') =>
  browser.request('POST', '/api/founder/login', { username, password })

async function failTimes(browser: Caller, times: number, username?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < times; at++) statuses.push((await attempt(browser, `wrong ${at}`, username)).status)
  return statuses
}

const right = async () => (await founderLogin(server, server.visitor())).body.password
const cookieOf = (answer: Response, name: string) =>
  answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`))

describe('signing in', () => {
  test('answers who it is, and the session opens the calls of the founder', async () => {
    const browser = server.visitor()
    expect(await browser.call(founderSessions.login, await founderLogin(server, browser))).toEqual({
      isFounder: true,
      username: 'founder',
    })
    expect(await browser.call(founderSessions.verify, {})).toEqual({ isFounder: true, username: 'founder' })
  })

  test('a wrong username and a wrong password get the same answer', async () => {
    const [one, other, both] = [
      await attempt(server.visitor(), await right(), 'somebody'),
      await attempt(server.visitor(), 'wrong'),
      await attempt(server.visitor(), 'wrong', 'somebody'),
    ]
    expect(one).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
    expect([other.body, both.body]).toEqual([one.body, one.body])
    expect([other.status, both.status]).toEqual([401, 401])
  })

  test('checks a password for a wrong username too: the time tells nothing', async () => {
    const { passwords } = server.core
    const checked: (string | undefined)[] = []
    const { verify } = passwords
    passwords.verify = (password, stored) => {
      checked.push(stored)
      return verify(password, stored)
    }
    try {
      await attempt(server.visitor(), 'wrong', 'somebody')
      await attempt(server.visitor(), 'wrong')
    } finally {
      passwords.verify = verify
    }
    expect(checked).toHaveLength(2)
    expect(checked[0]).toBe(checked[1])
  })

  test('takes what browsers derive, never the password itself', async () => {
    expect((await attempt(server.visitor(), server.founderPassword)).status).toBe(401)
  })

  test('starts a session of its own each time; several live side by side', async () => {
    const [one, two] = [await signInFounder(server), await signInFounder(server)]
    const before = one.cookies.get('privity_founder')
    await signInFounder(server, one)
    expect(one.cookies.get('privity_founder')).not.toBe(before)
    expect(before).toMatch(/^[\w-]{43}$/)
    const old = server.visitor()
    old.cookies.set('privity_founder', before as string)
    await old.refused(founderSessions.verify, {})
    await two.call(founderSessions.verify, {})
    const listed = await one.call(founderSessions.listSessions, {})
    expect(listed.filter(({ current }) => current)).toHaveLength(1)
    expect(listed.filter(({ current }) => !current)).toHaveLength(1)
  })

  test('keeps only a hash of the token and of the password', async () => {
    const browser = await signInFounder(server)
    const tables = ['founder_sessions', 'founder_devices', 'settings', 'sign_in_locks', 'security_events']
    const kept = JSON.stringify(
      await Promise.all(tables.map((name) => server.core.db.read.all(`select * from ${name}`))),
    )
    expect(kept).not.toContain(browser.cookies.get('privity_founder'))
    expect(kept).not.toContain(server.founderPassword)
    expect(kept).not.toContain(await right())
  })
})

describe('the cookie', () => {
  const login = async (at: TestServer) => {
    const browser = at.visitor()
    const { body } = await founderLogin(at, browser)
    return browser.fetch('/api/founder/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  }

  test('is out of reach of scripts and of other sites', async () => {
    const line = cookieOf(await login(server), 'privity_founder')
    expect(line).toMatch(/^privity_founder=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/)
  })

  test('is Secure and bound to the host under HTTPS', async () => {
    await using named = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
    const line = cookieOf(await login(named), '__Host-privity_founder')
    expect(line).toMatch(/^__Host-privity_founder=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/)
  })

  test('of a member opens nothing of the founder, and his nothing of a member', async () => {
    const member = await server.signUp()
    const founder = await signInFounder(server)
    const mixed = server.visitor()
    mixed.cookies.set('privity_founder', member.cookies.get('privity_session') as string)
    mixed.cookies.set('privity_session', founder.cookies.get('privity_founder') as string)
    expect((await mixed.refused(founderSessions.verify, {})).status).toBe(401)
    expect((await mixed.refused(session.getUser, {})).status).toBe(401)
  })
})

describe('a session ends', () => {
  test('when nobody has used it for 4 hours; its own checks are no use of it', async () => {
    const founder = await signInFounder(server)
    server.clock.advance(limits.founderSessionIdle - 1)
    await founder.call(founderSessions.verify, {})
    await founder.call(founderSessions.listSessions, {})
    server.clock.advance(limits.founderSessionIdle - 1)
    await founder.call(founderSessions.verify, {})
    server.clock.advance(1)
    const refused = await founder.refused(founderSessions.verify, {})
    expect(refused).toMatchObject({ status: 401, body: { code: 'NOT_FOUNDER' } })
    await server.advance(60_000)
    expect(await server.core.db.read.all('select id from founder_sessions')).toEqual([])
  })

  test('when it is signed out, at once, and no other with it', async () => {
    const [one, two] = [await signInFounder(server), await signInFounder(server)]
    const token = one.cookies.get('privity_founder') as string
    await one.call(founderSessions.logout, {})
    expect(one.cookies.has('privity_founder')).toBe(false)
    one.cookies.set('privity_founder', token)
    await one.refused(founderSessions.verify, {})
    await two.call(founderSessions.verify, {})
  })

  test('when it is ended from another', async () => {
    const [one, two] = [await signInFounder(server), await signInFounder(server)]
    const listed = await one.call(founderSessions.listSessions, {})
    const other = listed.find(({ current }) => !current)?.id as string
    await one.call(founderSessions.endSession, { params: { id: other } })
    await two.refused(founderSessions.verify, {})
    await one.call(founderSessions.verify, {})
  })

  test('when FOUNDER_PASSWORD is another at the next start; known browsers and locks are gone too', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'privity-founder-'))
    const start = (password: string) => createTestServer({ env: { FOUNDER_PASSWORD: password }, dataDir })
    try {
      const first = await start('the first password')
      const founder = await signInFounder(first)
      await first.restart()
      await founder.call(founderSessions.verify, {})
      await failTimes(first.visitor(), 5)
      await first.close()

      await using second = await start('the second password')
      const browser = second.visitor()
      for (const [name, value] of founder.cookies) browser.cookies.set(name, value)
      await browser.refused(founderSessions.verify, {})
      await browser.refused(founderSessions.login, await founderLogin(second, browser, 'the first password'))
      await signInFounder(second)
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('the lock', () => {
  test('comes after five failures, for 15 minutes, and hides whether the password is right', async () => {
    const stranger = server.visitor()
    expect(await failTimes(stranger, 5)).toEqual([401, 401, 401, 401, 401])
    const [good, bad] = [await attempt(stranger, await right()), await attempt(stranger, 'wrong')]
    expect(good).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
    expect(good.headers.get('retry-after')).toBe('900')
    expect(bad.body).toEqual(good.body)
    server.clock.advance(limits.lockTime - 1)
    expect((await attempt(server.visitor(), await right())).status).toBe(423)
    server.clock.advance(1)
    expect((await attempt(server.visitor(), await right())).status).toBe(200)
  })

  test('that a stranger causes does not reach a browser the founder has signed in with', async () => {
    const known = await signInFounder(server)
    await known.call(founderSessions.logout, {})
    await failTimes(server.visitor(), 6)
    expect((await attempt(server.visitor(), await right())).status).toBe(423)
    expect((await attempt(known, await right())).status).toBe(200)
    expect((await attempt(server.visitor(), await right())).status).toBe(423)
  })

  test('of a known browser is its own, and reaches no other', async () => {
    const known = await signInFounder(server)
    expect(await failTimes(known, 6)).toEqual([401, 401, 401, 401, 401, 423])
    expect((await attempt(server.visitor(), await right())).status).toBe(200)
  })

  test('a device cookie of a member, or a forged one, is no known browser', async () => {
    const member = await server.signUp()
    await failTimes(server.visitor(), 5)
    expect((await attempt(member, await right())).status).toBe(423)
    const known = await signInFounderLater()
    const forged = server.visitor()
    const [id] = (known.cookies.get('privity_device') as string).split('.')
    forged.cookies.set('privity_device', `${id}.${'A'.repeat(43)}`)
    await failTimes(server.visitor(), 5)
    expect((await attempt(forged, await right())).status).toBe(423)
  })

  async function signInFounderLater(): Promise<Caller> {
    await server.advance(limits.lockTime)
    return signInFounder(server)
  }

  test('a wrong username locks like the right one, and locks nobody else', async () => {
    expect(await failTimes(server.visitor(), 6, 'somebody')).toEqual([401, 401, 401, 401, 401, 423])
    expect((await attempt(server.visitor(), await right())).status).toBe(200)
  })

  test('of a member who is called like the founder is another', async () => {
    const member = await server.signUp('founder')
    await failTimes(server.visitor(), 5)
    const body = { username: 'founder', password: member.password }
    await server.visitor().call(session.login, { body })
  })

  test('cannot be outrun by guesses made at the same moment', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => (await attempt(server.visitor(), `wrong ${at}`)).status),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 423)).toHaveLength(15)
  })

  test('is a security event, like each failure, without what was typed', async () => {
    const before = await server.core.db.read.all('select id from security_events')
    const stranger = server.visitor()
    await failTimes(stranger, 5, 'my-password-by-mistake')
    const events = await server.core.db.read.all<{ event_type: string; severity: string; address: string }>(
      'select event_type, severity, address from security_events order by created_at, id',
    )
    const added = events.slice(before.length)
    expect(added.map(({ event_type: type }) => type).sort()).toEqual([
      ...Array.from({ length: 5 }, () => 'failed_founder_sign_in'),
      'founder_locked',
    ])
    expect(new Set(added.map(({ address }) => address))).toEqual(new Set([stranger.address]))
    const kept = [await server.core.db.read.all('select * from sign_in_locks'), events]
    expect(JSON.stringify(kept)).not.toContain('my-password-by-mistake')
  })
})

describe('limits', () => {
  test('an address may try to sign in 60 times in 10 minutes, and members elsewhere do not count', async () => {
    const { requests, window } = rateLimits.founderSignIn
    const browser = server.visitor()
    // Counted before the input is looked at.
    for (let at = 0; at < requests; at++) await browser.request('POST', '/api/founder/login', {})
    const refused = await attempt(browser, await right())
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await browser.refused(session.login, { body: { username: 'nobody', password: 'x' } })).status).toBe(401)
    server.clock.advance(window)
    expect((await attempt(browser, await right())).status).toBe(200)
  })

  test('the founder has a bucket of his own, over all his browsers', async () => {
    const [one, two] = [await signInFounder(server), await signInFounder(server)]
    for (let at = 0; at < rateLimits.other.requests; at++) await one.call(founderSessions.verify, {})
    expect((await two.refused(founderSessions.verify, {})).status).toBe(429)
    const member = await server.signUp()
    await member.call(session.getUser, {})
    server.clock.advance(rateLimits.other.window)
    await two.call(founderSessions.verify, {})
  })
})

test('other sites can neither sign the founder in nor out', async () => {
  const headers = { origin: 'https://evil.example' }
  const founder = await signInFounder(server)
  const { body } = await founderLogin(server, founder)
  for (const [path, given] of [
    ['login', body],
    ['logout', undefined],
  ] as const) {
    const answer = await founder.request('POST', `/api/founder/${path}`, given, headers)
    expect(answer, path).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
  }
  await founder.call(founderSessions.verify, {})
})

test('signing in and out is in the audit log, with the founder as actor', async () => {
  const before = (await selectAudit(server.core.db.read)).length
  const founder = await signInFounder(server)
  await founder.call(founderSessions.logout, {})
  await founder.call(founderSessions.logout, {})
  const added = (await selectAudit(server.core.db.read)).slice(before)
  expect(added.map((entry) => [entry.action, entry.actor_id])).toEqual([
    ['founder_signed_in', 'founder'],
    ['founder_signed_out', 'founder'],
  ])
})

test('what the server derives of a password is what browsers derive: a known answer', async () => {
  expect(await deriveFounderSecret('correct horse battery', 'AAECAwQFBgcICQoLDA0ODw')).toBe(
    'UqxypI_uEaBrFOmdUUzV2f4ORHbwr25-Xa4yLv5vuog',
  )
})
