import { account } from '@privity/contract/account'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { wrapped } from '../../support/server/memberKeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const attempt = async (caller: Caller, username: string, password: string) =>
  (await caller.request('POST', '/api/login', { username, password })).status

async function failTimes(caller: Caller, username: string, times: number): Promise<number[]> {
  const statuses: number[] = []
  for (let at = 0; at < times; at++) statuses.push(await attempt(caller, username, `wrong ${at}`))
  return statuses
}

/** A browser that is known to the account: it has signed in and out once. */
async function knownBrowser(member: Member): Promise<Caller> {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: member.user.username, password: member.password } })
  await browser.call(session.logout, {})
  return browser
}

test('five failures lock for 15 minutes; right and wrong passwords then get the same answer', async () => {
  const member = await server.signUp('locked')
  const stranger = server.visitor()
  expect(await failTimes(stranger, 'locked', 5)).toEqual([401, 401, 401, 401, 401])
  const body = { username: 'locked', password: member.password }
  const right = await stranger.refused(session.login, { body })
  const wrong = await stranger.refused(session.login, { body: { ...body, password: 'wrong' } })
  expect(right).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
  expect(right.headers.get('retry-after')).toBe('900')
  expect(wrong.body).toEqual(right.body)

  server.clock.advance(limits.lockTime - 1)
  expect(await attempt(server.visitor(), 'locked', member.password)).toBe(423)
  server.clock.advance(1)
  expect(await attempt(server.visitor(), 'locked', member.password)).toBe(200)
})

test('after the lock the count starts again', async () => {
  await server.signUp('again')
  await failTimes(server.visitor(), 'again', 5)
  server.clock.advance(limits.lockTime)
  expect(await failTimes(server.visitor(), 'again', 6)).toEqual([401, 401, 401, 401, 401, 423])
})

test('failures of a day ago count no more, even before they are deleted', async () => {
  const { user } = await server.signUp('yesterday')
  await failTimes(server.visitor(), 'yesterday', 4)
  const sql = 'update sign_in_locks set last_failed_at = last_failed_at - ? where account = ?'
  await server.core.db.write((tx) => tx.run(sql, [24 * 60 * 60 * 1000, user.id]))
  expect(await failTimes(server.visitor(), 'yesterday', 6)).toEqual([401, 401, 401, 401, 401, 423])
})

test('a success starts the count again', async () => {
  const member = await server.signUp('resets')
  const browser = server.visitor()
  for (let round = 0; round < 3; round++) {
    await failTimes(browser, 'resets', 4)
    expect(await attempt(browser, 'resets', member.password)).toBe(200)
    browser.cookies.clear()
  }
})

test('a stranger cannot lock out a browser that has signed in before', async () => {
  const member = await server.signUp('owner')
  const known = await knownBrowser(member)
  await failTimes(server.visitor(), 'owner', 7)
  expect(await attempt(server.visitor(), 'owner', member.password)).toBe(423)
  expect(await attempt(known, 'owner', member.password)).toBe(200)
  expect(await attempt(server.visitor(), 'owner', member.password)).toBe(423)
})

test('what strangers failed at before a new password locks nobody out of it', async () => {
  const member = await server.signUp('renewed')
  await failTimes(server.visitor(), 'renewed', 5)
  expect(await attempt(server.visitor(), 'renewed', member.password)).toBe(423)
  const wrap = { wrappedAccountKey: wrapped(), identityKey: member.keys?.identityKey }
  const body = { currentPassword: member.password, newPassword: 'the new one', ...wrap }
  await member.call(account.changePassword, { body })
  expect(await attempt(server.visitor(), 'renewed', 'the new one')).toBe(200)
})

test('the known browser has its own count, and its failures do not lock strangers', async () => {
  const member = await server.signUp('careless')
  const known = await knownBrowser(member)
  expect(await failTimes(known, 'careless', 6)).toEqual([401, 401, 401, 401, 401, 423])
  expect(await attempt(known, 'careless', member.password)).toBe(423)
  expect(await attempt(server.visitor(), 'careless', member.password)).toBe(200)
  server.clock.advance(limits.lockTime)
  expect(await attempt(known, 'careless', member.password)).toBe(200)
})

test('being known to one account helps with no other, and a forged cookie with none', async () => {
  const member = await server.signUp('victim')
  const attacker = await knownBrowser(await server.signUp('attacker'))
  await failTimes(attacker, 'victim', 5)
  expect(await attempt(attacker, 'victim', member.password)).toBe(423)
  expect(await attempt(server.visitor(), 'victim', member.password)).toBe(423)

  const forged = server.visitor()
  const [id] = (member.cookies.get('privity_device') as string).split('.')
  forged.cookies.set('privity_device', `${id}.${'A'.repeat(43)}`)
  expect(await attempt(forged, 'victim', member.password)).toBe(423)
  forged.cookies.set('privity_device', member.cookies.get('privity_device') as string)
  expect(await attempt(forged, 'victim', member.password)).toBe(200)
})

test('an unknown name locks exactly like a known one', async () => {
  await server.signUp('exists')
  const [known, unknown] = [server.visitor(), server.visitor()]
  expect(await failTimes(unknown, 'exists-not', 7)).toEqual(await failTimes(known, 'exists', 7))
  server.clock.advance(limits.lockTime)
  expect(await failTimes(unknown, 'exists-not', 6)).toEqual(await failTimes(known, 'exists', 6))
})

test('failures a day old are forgotten, for known and unknown names', async () => {
  await server.signUp('patient')
  for (const name of ['patient', 'patient-not']) await failTimes(server.visitor(), name, 4)
  await server.advance(24 * 60 * 60 * 1000)
  for (const name of ['patient', 'patient-not']) {
    expect(await failTimes(server.visitor(), name, 5)).toEqual([401, 401, 401, 401, 401])
  }
})

test('guesses made at the same moment cannot outrun the count', async () => {
  await server.signUp('rushed')
  const statuses = await Promise.all(
    Array.from({ length: 20 }, (_, at) => attempt(server.visitor(), 'rushed', `wrong ${at}`)),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 423)).toHaveLength(15)
})

test('a lock survives a restart, and is a security event without the name that was typed', async () => {
  const member = await server.signUp('restarted')
  await failTimes(server.visitor(), 'restarted', 5)
  await failTimes(server.visitor(), 'my-password-by-mistake', 5)
  await server.restart()
  expect(await attempt(server.visitor(), 'restarted', member.password)).toBe(423)
  const events = await server.core.db.read.all(
    'select event_type, severity from security_events where user_id = ? order by created_at, id',
    [member.user.id],
  )
  expect(events).toHaveLength(6)
  expect(events).toContainEqual({ event_type: 'account_locked', severity: 'medium' })
  const everything = JSON.stringify([
    await server.core.db.read.all('select * from security_events'),
    await server.core.db.read.all('select * from sign_in_locks'),
  ])
  expect(everything).not.toContain('my-password-by-mistake')
})

test('a lock that was set while the clock was wrong holds nobody longer than a lock does', async () => {
  const member = await server.signUp()
  const stranger = server.visitor()
  await failTimes(stranger, member.user.username, 5)
  expect(await attempt(stranger, member.user.username, member.password)).toBe(423)
  await server.core.db.write((tx) =>
    tx.run('update sign_in_locks set locked_until = locked_until + 86400000 where account = ?', [member.user.id]),
  )
  expect(await attempt(stranger, member.user.username, member.password)).toBe(200)
})
