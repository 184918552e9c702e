import { lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'

vi.setConfig({ testTimeout: 60_000 })

let server: TestServer
let founder: Caller
beforeEach(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, founderSignIn: many } } })
  founder = await signInFounder(server)
})
afterEach(() => server.close())

const attempt = async (browser: Caller, username: string, password = 'wrong') =>
  (await browser.request('POST', '/api/login', { username, password })).status

async function lock(browser: Caller, username: string): Promise<void> {
  for (let at = 0; at < 5; at++) await attempt(browser, username)
}

const list = () => founder.call(lockedAccounts.list, {})
const unlock = ({ user }: Member) => founder.call(lockedAccounts.unlock, { params: { id: user.id } })

describe('the list', () => {
  test('has users that are locked now, the longest first, and no name that is nobody', async () => {
    expect(await list()).toEqual({ count: 0, lockedAccounts: [], unknownNames: 0 })
    const [anna, ben] = [await server.signUp('anna'), await server.signUp('ben')]
    await lock(server.visitor(), 'anna')
    server.clock.advance(60_000)
    await lock(server.visitor(), 'ben')
    await lock(server.visitor(), 'never.signed.up')
    const until = server.clock.now() + limits.lockTime
    expect(await list()).toEqual({
      count: 2,
      lockedAccounts: [
        { id: ben.user.id, username: 'ben', lockedUntil: until },
        { id: anna.user.id, username: 'anna', lockedUntil: until - 60_000 },
      ],
      unknownNames: 1,
    })
    server.clock.advance(limits.lockTime - 60_000)
    expect(await list()).toMatchObject({ count: 1, lockedAccounts: [{ username: 'ben' }] })
    server.clock.advance(60_000)
    expect(await list()).toEqual({ count: 0, lockedAccounts: [], unknownNames: 0 })
  })

  test('has an account once, until the last of its locks ends, and not for four failures', async () => {
    const anna = await server.signUp('anna')
    await server.signUp('ben')
    for (let at = 0; at < 4; at++) await attempt(server.visitor(), 'ben')
    await lock(anna, 'anna')
    server.clock.advance(1000)
    await lock(server.visitor(), 'anna')
    const lockedUntil = server.clock.now() + limits.lockTime
    expect(await list()).toMatchObject({ count: 1, lockedAccounts: [{ id: anna.user.id, lockedUntil }] })
  })

  test("the founder's own lock is none of a user", async () => {
    const body = { username: 'founder', password: 'wrong' }
    for (let at = 0; at < 5; at++) await server.visitor().request('POST', '/api/founder/login', body)
    expect(await list()).toEqual({ count: 0, lockedAccounts: [], unknownNames: 0 })
  })

  test('is answered with 304 while nothing has changed', async () => {
    const first = await founder.request('GET', '/api/founder/locked-accounts')
    const etag = first.headers.get('etag') ?? ''
    const headers = { 'if-none-match': etag }
    expect((await founder.request('GET', '/api/founder/locked-accounts', undefined, headers)).status).toBe(304)
    await server.signUp('anna')
    await lock(server.visitor(), 'anna')
    expect((await founder.request('GET', '/api/founder/locked-accounts', undefined, headers)).status).toBe(200)
  })
})

describe('unlocking', () => {
  test('lets the user sign in at once from new and known browsers, and restarts the count', async () => {
    const anna = await server.signUp('anna')
    const { password } = anna
    await anna.call(session.logout, {})
    await lock(anna, 'anna')
    await lock(server.visitor(), 'anna')
    expect(await attempt(anna, 'anna', password)).toBe(423)
    expect(await attempt(server.visitor(), 'anna', password)).toBe(423)
    const lockedUntil = server.clock.now() + limits.lockTime
    expect(await unlock(anna)).toEqual({ id: anna.user.id, username: 'anna' })
    expect(await attempt(anna, 'anna', password)).toBe(200)
    expect(await attempt(server.visitor(), 'anna', password)).toBe(200)
    for (let at = 0; at < 4; at++) expect(await attempt(server.visitor(), 'anna')).toBe(401)
    expect(await attempt(server.visitor(), 'anna', password)).toBe(200)
    const [entry] = await selectAudit(server.core.db.read, "action = 'account_unlocked'")
    expect(entry).toMatchObject({ actor_id: 'founder', target_id: anna.user.id, address: founder.address })
    expect(JSON.parse(entry?.details ?? '')).toEqual({ counters: 2, before: lockedUntil, after: null })
  })

  test('where nothing is locked it is fine, and leaves no entry; twice at once leaves one', async () => {
    const anna = await server.signUp('anna')
    await unlock(anna)
    expect(await selectAudit(server.core.db.read, "action = 'account_unlocked'")).toEqual([])
    await lock(server.visitor(), 'anna')
    await Promise.all([unlock(anna), unlock(anna), unlock(anna)])
    expect(await selectAudit(server.core.db.read, "action = 'account_unlocked'")).toHaveLength(1)
  })

  test('does not lift a suspension', async () => {
    const anna = await server.signUp('anna')
    await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [anna.user.id]))
    await lock(server.visitor(), 'anna')
    await unlock(anna)
    expect(await attempt(server.visitor(), 'anna', anna.password)).toBe(403)
  })

  test('a guess that was under way does not lock the user again', async () => {
    const anna = await server.signUp('anna')
    await lock(server.visitor(), 'anna')
    const [, answer] = await Promise.all([unlock(anna), attempt(server.visitor(), 'anna')])
    expect([401, 423]).toContain(answer)
    expect(await attempt(server.visitor(), 'anna', anna.password)).toBe(200)
  })
})
