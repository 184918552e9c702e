import { founderSessions } from '@privity/contract/founder/session'
import { limits, rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { founderLogin, signInFounder } from '../../../support/founder/founder.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
// Expires the locks and limits of earlier tests.
beforeEach(() => server.advance(24 * 60 * 60 * 1000))

const attempt = async (browser: Caller, password: string, username = 'founder') =>
  browser.request('POST', '/api/founder/login', { username, password })

async function failTimes(browser: Caller, times: number, username?: string): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < times; at++) statuses.push((await attempt(browser, `wrong ${at}`, username)).status)
  return statuses
}

const right = async () => (await founderLogin(server, server.visitor())).body.password
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
    await server.advance(limits.lockTime)
    const known = await signInFounder(server)
    const forged = server.visitor()
    const [id] = (known.cookies.get('privity_device') as string).split('.')
    forged.cookies.set('privity_device', `${id}.${'A'.repeat(43)}`)
    await failTimes(server.visitor(), 5)
    expect((await attempt(forged, await right())).status).toBe(423)
  })

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
    // Attempts count before their input is validated.
    for (let at = 0; at < requests; at++) await browser.request('POST', '/api/founder/login', {})
    const refused = await attempt(browser, await right())
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await browser.refused(session.login, { body: { username: 'nobody', password: 'x' } })).status).toBe(401)
    server.clock.advance(window)
    expect((await attempt(browser, await right())).status).toBe(200)
  })

  test('the founder has a bucket of their own, over all their browsers', async () => {
    const [one, two] = [await signInFounder(server), await signInFounder(server)]
    for (let at = 0; at < rateLimits.other.requests; at++) await one.call(founderSessions.verify, {})
    expect((await two.refused(founderSessions.verify, {})).status).toBe(429)
    const member = await server.signUp()
    await member.call(session.getUser, {})
    server.clock.advance(rateLimits.other.window)
    await two.call(founderSessions.verify, {})
  })
})
