import { limits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ options: { rateLimits: { signIn: { requests: 1000, window: 1000 } } } })
})
afterAll(() => server.close())

const passwordOf = ({ password }: Member) => ({ password })
const finish = (ticket: string, proof: object) => ({ body: { ticket, ...proof } })

test('five wrong codes and passwords together lock, even with the right password in between', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const stranger = server.visitor()
  const { username } = member.user
  for (let at = 0; at < 2; at++) await stranger.refused(session.login, { body: { username, password: 'wrong' } })
  for (let at = 0; at < 3; at++) {
    const { ticket } = await enterPassword(stranger, member)
    const refusal = await stranger.refused(secondFactor.signIn, finish(ticket, { code: app.wrong() }))
    expect(refusal.body.code).toBe('SECOND_FACTOR_WRONG')
  }
  const locked = await stranger.refused(session.login, { body: { username, password: member.password } })
  expect(locked).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
  const events = await server.core.db.read.all<{ event_type: string }>(
    'select event_type from security_events where user_id = ? order by id',
    [member.user.id],
  )
  const types = events.map(({ event_type }) => event_type)
  expect(types.filter((type) => type === 'failed_second_factor')).toHaveLength(3)
  expect(types).toContain('account_locked')

  await server.advance(limits.lockTime)
  const { ticket } = await enterPassword(stranger, member)
  await stranger.call(secondFactor.signIn, finish(ticket, { code: app.code() }))
})

test('simultaneous codes cannot outrun the count; the owner’s browser has its own', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const stranger = server.visitor()
  const { ticket } = await enterPassword(stranger, member)
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const body = { ticket, code: app.wrong() }
      return (await stranger.request('POST', '/api/login/second-factor', body)).status
    }),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 423)).toHaveLength(7)
  const right = await stranger.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))
  expect(right.body.code).toBe('ACCOUNT_LOCKED')

  const own = await enterPassword(member, member)
  await member.call(secondFactor.signIn, finish(own.ticket, { code: app.code() }))
})

test('proving the password gives somebody inside no more guesses', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const guess = async () =>
    (
      await member.request('POST', '/api/second-factor/removal', {
        ...passwordOf(member),
        what: 'everything',
        code: app.wrong(),
      })
    ).status
  for (let at = 0; at < 4; at++) {
    expect(await guess()).toBe(401)
    expect((await member.request('POST', '/api/account/proof', passwordOf(member))).status).toBe(200)
  }
  expect(await guess()).toBe(401)
  expect(await guess()).toBe(423)
})

test('a new password by the recovery key still needs the second factor and keeps its count', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const browser = server.visitor()
  const proof = { username: member.user.username, recoveryProof: member.keys?.recoveryProof as string }
  const reset = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  const guessed = await enterPassword(browser, member)
  for (let at = 0; at < 4; at++)
    await browser.refused(secondFactor.signIn, finish(guessed.ticket, { code: app.wrong() }))

  const refusal = await browser.refused(recovery.finish, { body: reset })
  expect(refusal).toMatchObject({ status: 401, body: { code: 'SECOND_FACTOR_REQUIRED' } })
  expect(browser.cookies.has('privity_session')).toBe(false)
  await member.call(session.getUser, {})
  const { ticket } = refusal.body.details as { ticket: string }
  expect((await browser.refused(secondFactor.signIn, finish(ticket, { code: app.wrong() }))).body.code).toBe(
    'SECOND_FACTOR_WRONG',
  )
  expect((await browser.refused(secondFactor.signIn, finish(ticket, { code: app.code() }))).body.code).toBe(
    'ACCOUNT_LOCKED',
  )

  await server.advance(limits.lockTime)
  const again = await browser.refused(recovery.finish, { body: reset })
  const later = again.body.details as { ticket: string }
  expect(await browser.call(secondFactor.signIn, finish(later.ticket, { code: app.code() }))).toMatchObject(member.user)
})

test('failures of strangers do not bar the owner’s browser after a recovery', async () => {
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  const elsewhere = server.visitor()
  const { ticket: other } = await enterPassword(elsewhere, member)
  await elsewhere.call(secondFactor.signIn, finish(other, { code: app.code() }))
  await server.advance(60_000)
  const { username } = member.user
  for (let at = 0; at < limits.failedSignIns; at++)
    await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })

  const proof = { username, recoveryProof: member.keys?.recoveryProof as string }
  const reset = { ...proof, password: 'a new one', wrappedAccountKey: wrapped() }
  const refusal = await member.refused(recovery.finish, { body: reset })
  const { ticket } = refusal.body.details as { ticket: string }
  expect(await member.call(secondFactor.signIn, finish(ticket, { code: app.code() }))).toMatchObject(member.user)
  const password = 'a new one'
  expect((await elsewhere.refused(session.login, { body: { username, password } })).body.code).toBe('ACCOUNT_LOCKED')
})
