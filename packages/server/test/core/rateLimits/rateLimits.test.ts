import { config } from '@privity/contract/config'
import { rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createRates, networkOf } from '../../../src/core/rateLimits/rateLimits.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

const hasNothing = (server: TestServer, address: string) =>
  server.visitor(address).request('POST', '/api/login', { username: 'nobody', password: 'x' })

test('60 sign-ins in 10 minutes from one address, then 429 with Retry-After until the end', async () => {
  await using server = await createTestServer()
  const { requests, window } = rateLimits.signIn
  const statuses = new Set<number>()
  for (let at = 0; at < requests; at++) statuses.add((await hasNothing(server, '10.9.9.9')).status)
  expect(statuses.has(429)).toBe(false)
  server.clock.advance(window - 90_500)
  const refused = await hasNothing(server, '10.9.9.9')
  expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect(refused.headers.get('retry-after')).toBe('91')
  expect((await hasNothing(server, '10.9.9.8')).status).toBe(423)
  server.clock.advance(90_500)
  expect((await hasNothing(server, '10.9.9.9')).status).toBe(423)
})

test('20 sign-ups in an hour from one address; recovery counts as signing in', async () => {
  await using server = await createTestServer()
  const signUp = (at: number) =>
    server.visitor('10.9.9.9').request('POST', '/api/register', { username: `u${at}`, password: 'x' })
  for (let at = 0; at < rateLimits.signUp.requests; at++) expect((await signUp(at)).status).toBe(400)
  const refused = await signUp(20)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3600'])
  server.clock.advance(rateLimits.signUp.window)
  expect((await signUp(21)).status).toBe(400)

  for (let at = 0; at < rateLimits.signIn.requests; at++) {
    await server.visitor('10.9.9.7').request('POST', '/api/recovery', {})
  }
  expect((await hasNothing(server, '10.9.9.7')).status).toBe(429)
})

test('300 other calls in 10 seconds by account, not by address', async () => {
  await using server = await createTestServer()
  const [anna, bela] = [await server.signUp(), await server.signUp()]
  const { requests, window } = rateLimits.other
  for (let at = 0; at < requests; at++) await anna.call(session.getUser, {})
  const elsewhere = server.visitor()
  for (const [name, value] of anna.cookies) elsewhere.cookies.set(name, value)
  expect((await elsewhere.refused(session.getUser, {})).status).toBe(429)
  const sameAddress = server.visitor(anna.address)
  for (const [name, value] of bela.cookies) sameAddress.cookies.set(name, value)
  await sameAddress.call(session.getUser, {})
  server.clock.advance(window)
  await anna.call(session.getUser, {})
})

test('visitors are counted by address, on member calls too', async () => {
  await using server = await createTestServer()
  const visitor = server.visitor()
  for (let at = 0; at < rateLimits.other.requests / 2; at++) {
    await visitor.call(config.get, {})
    expect((await visitor.refused(session.getUser, {})).status).toBe(401)
  }
  expect((await visitor.refused(session.getUser, {})).status).toBe(429)
  expect((await visitor.refused(config.get, {})).status).toBe(429)
})

test('X-Forwarded-For counts only where a proxy is trusted, and only its own entry', async () => {
  await using direct = await createTestServer({ env: { TRUST_PROXY: '0', PUBLIC_URL: 'https://chat.example.org' } })
  for (let at = 0; at < rateLimits.signIn.requests; at++) await hasNothing(direct, `10.0.0.${at}`)
  expect((await hasNothing(direct, '10.0.0.200')).status).toBe(429)

  await using proxied = await createTestServer({ env: { TRUST_PROXY: '1' } })
  for (let at = 0; at < rateLimits.signIn.requests; at++) await hasNothing(proxied, `10.0.0.${at}, 192.0.2.1`)
  expect((await hasNothing(proxied, '10.0.0.200, 192.0.2.1')).status).toBe(429)
  expect((await hasNothing(proxied, '10.0.0.200')).status).not.toBe(429)
})

test.each([
  ['IPv4 with the port', (at: number) => `203.0.113.7:${40_000 + at}`, '203.0.113.7'],
  ['IPv6 with the port', (at: number) => `[2001:db8::7]:${40_000 + at}`, '2001:db8::7'],
  ['no address at all', (at: number) => `x${at}`.repeat(1_000), '127.0.0.1'],
  ['thousands of them', (at: number) => `10.0.0.${at % 250},${','.repeat(15_000)}198.51.100.7`, '198.51.100.7'],
])('what a proxy writes as an address is one: %s', async (_what, write, address) => {
  await using server = await createTestServer()
  for (let at = 0; at < rateLimits.signIn.requests; at++) await hasNothing(server, write(at))
  expect((await hasNothing(server, write(1_000))).status).toBe(429)
  const { user } = await server.signUp('anna', { address: write(2_000) })
  const rows = await server.core.db.read.all('select address from sessions where user_id = ?', [user.id])
  expect(rows).toEqual([{ address }])
})

test('a flood of sign-ins is refused beyond a bound, and others go on being served', { timeout: 30_000 }, async () => {
  await using server = await createTestServer({ options: { passwordCost: undefined } })
  const member = await server.signUp()
  const flood = Array.from({ length: 150 }, (_, at) =>
    server.visitor().request('POST', '/api/login', { username: `flood${at}`, password: 'x' }),
  )
  const during = await Promise.race([member.call(session.getUser, {}).then(() => 'served'), Promise.all(flood)])
  expect(during).toBe('served')
  const answers = await Promise.all(flood)
  const unavailable = answers.filter(({ status }) => status === 503)
  expect(unavailable.length).toBeGreaterThan(0)
  expect(unavailable[0]?.headers.get('retry-after')).toBe('5')
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
})

test('IPv6 addresses count by their first 64 bits, IPv4 ones written as IPv6 as themselves', async () => {
  await using server = await createTestServer()
  const { requests } = rateLimits.signIn
  for (let at = 0; at < requests; at++) await hasNothing(server, `2001:db8:0:7:${at.toString(16)}::1`)
  expect((await hasNothing(server, '2001:db8::7:ffff:0:0:1')).status).toBe(429)
  expect((await hasNothing(server, '2001:DB8:0:7::2')).status).toBe(429)
  expect((await hasNothing(server, '2001:db8:0:8::1')).status).not.toBe(429)
  for (let at = 0; at < requests; at++) await hasNothing(server, `::ffff:10.7.7.${at}`)
  expect((await hasNothing(server, '::ffff:10.7.7.200')).status).not.toBe(429)
})

test('what was counted while the clock was wrong holds nobody longer than a window', () => {
  let now = 10 * 86_400_000
  const rates = createRates({ now: () => now, even: () => now, every: () => () => {}, after: () => () => {} })
  for (let at = 0; at < rateLimits.signIn.requests; at++) rates.take('signIn', 'somewhere')
  expect(() => rates.take('signIn', 'somewhere')).toThrow()
  now -= 86_400_000
  rates.take('signIn', 'somewhere')
})

test('calls that leave an audit entry have a limit of their own for each account', async () => {
  expect(rateLimits.change).toMatchObject({ by: 'account', requests: 600, window: 10 * 60_000 })
  const window = rateLimits.change.window
  await using server = await createTestServer({ options: { rateLimits: { change: { requests: 10, window } } } })
  const talk = await createTalk(server)
  const { anna, ben, connection } = talk
  const change = () => anna.request('POST', '/api/connection-code/generate')
  const entries = async () => (await selectAudit(server.core.db.read)).length
  while ((await change()).status === 200);
  const before = await entries()
  expect(await change()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  expect((await anna.request('DELETE', `/api/connections/${connection.id}`)).status).toBe(429)
  expect(await entries()).toBe(before)
  await talk.send(ben)
  for (let at = 0; at < 20; at++) {
    expect((await anna.request('PUT', `/api/connections/${connection.id}/messages/read`, { seq: 1 })).status).toBe(200)
    await talk.send(anna)
    await anna.call(session.getUser, {})
  }
  expect((await ben.request('POST', '/api/connection-code/generate')).status).toBe(200)
  server.clock.advance(window)
  expect((await change()).status).toBe(200)
})

test('all networks of an IPv6 site together have sixteen times the limit of one network', () => {
  const clock = createFakeClock()
  const rates = createRates(clock)
  const { requests, window } = rateLimits.signUp
  const taken = (network: number, site = '7') => {
    let count = 0
    try {
      for (; count <= requests; count++) rates.take('signUp', networkOf(`2001:db8:${site}:${network.toString(16)}::1`))
    } catch {}
    return count
  }
  for (let network = 0; network < 16; network++) expect(taken(network)).toBe(requests)
  expect([taken(16), taken(0xffff), taken(1, '8')]).toEqual([0, 0, requests])
  clock.advance(window)
  const giveBack = Array.from({ length: 17 }, (_, network) =>
    rates.take('signUp', networkOf(`2001:db8:7:${network}::1`)),
  )
  for (const give of giveBack) give()
  for (let network = 0; network < 16; network++) expect(taken(network)).toBe(requests)
})
