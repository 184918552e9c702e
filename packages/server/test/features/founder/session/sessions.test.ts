import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { moderation } from '@privity/contract/founder/moderation'
import { reportKeys } from '@privity/contract/founder/reportKeys'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deriveFounderSecret } from '../../../../src/features/founder/session/verifier.ts'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { founderLogin, signInFounder } from '../../../support/founder/founder.ts'
import { random } from '../../../support/server/memberKeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
// Expires the locks and limits of earlier tests.
beforeEach(() => server.advance(24 * 60 * 60 * 1000))

const attempt = async (browser: Caller, password: string, username = 'founder') =>
  browser.request('POST', '/api/founder/login', { username, password })

const right = async () => (await founderLogin(server, server.visitor())).body.password
const cookieOf = (answer: Response, name: string) =>
  answer.headers.getSetCookie().find((line) => line.startsWith(`${name}=`))

describe('signing in', () => {
  test('answers who it is, and the session opens the calls of the founder', async () => {
    const browser = server.visitor()
    expect(await browser.call(founderSessions.login, await founderLogin(server, browser))).toEqual({
      isFounder: true,
      username: 'founder',
      session: { id: expect.any(String), keyShare: expect.stringMatching(/^[\w-]{43}$/) },
    })
    expect(await browser.call(founderSessions.verify, {})).toMatchObject({ isFounder: true, username: 'founder' })
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

  test('of a member opens nothing of the founder, and the founder’s nothing of a member', async () => {
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

  test('although a console that nobody uses previews new reports', async () => {
    const founder = await signInFounder(server)
    const started = server.clock.now()
    const nothing = '01890000-0000-7000-8000-000000000000'
    const claim = {
      ...{ commitment: random(32), identityKey: random(32), receipt: random(32), createdAt: started },
      ...{ from: nothing, to: nothing, messageId: nothing },
    }
    while (server.clock.now() - started < limits.founderSessionIdle) {
      await founder.call(reportKeys.list, {})
      await founder.refused(moderation.report, { params: { id: nothing }, query: {} })
      expect(await founder.call(moderation.checkReceipt, { body: claim })).toEqual({ valid: false })
      server.clock.advance(limits.founderSessionIdle / 8)
    }
    for (const refused of [
      await founder.refused(reportKeys.list, {}),
      await founder.refused(moderation.report, { params: { id: nothing }, query: {} }),
      await founder.refused(moderation.checkReceipt, { body: claim }),
    ])
      expect(refused).toMatchObject({ status: 401, body: { code: 'NOT_FOUNDER' } })
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
    const wrong = { username: 'founder', password: 'wrong' }
    const start = (password: string) => createTestServer({ env: { FOUNDER_PASSWORD: password }, dataDir })
    try {
      const first = await start('the first password')
      const founder = await signInFounder(first)
      await first.restart()
      await founder.call(founderSessions.verify, {})
      for (let at = 0; at < limits.failedSignIns; at++)
        await first.visitor().request('POST', '/api/founder/login', wrong)
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

describe('a session that began while the clock was ahead', () => {
  async function signInAhead(): Promise<Caller> {
    server.clock.ahead = 365 * 24 * 60 * 60 * 1000
    const founder = await signInFounder(server)
    server.clock.ahead = 0
    await server.advance(60_000)
    return founder
  }

  test('ends by the idle limit once the clock is right', async () => {
    const founder = await signInAhead()
    await server.advance(limits.founderSessionIdle)
    await founder.refused(founderSessions.listSessions, {})
  })

  test('counts its life from when the clock was right', async () => {
    const founder = await signInAhead()
    const sql = 'select max(created_at) as at from founder_sessions'
    expect((await server.core.db.read.get<{ at: number }>(sql))?.at).toBeLessThanOrEqual(server.clock.now())
    await founder.call(founderSessions.listSessions, {})
  })
})
