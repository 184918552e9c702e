import { account } from '@privity/contract/account'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { secondFactor } from '@privity/contract/secondFactor'
import { session } from '@privity/contract/session'
import { describe, expect, test } from 'vitest'
import type { PasswordCost } from '../../../src/core/sessions/passwords.ts'
import { holdNext } from '../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { founderLogin, signInFounder } from '../../support/founder/founder.ts'
import { enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'

/** A server that can restart with a higher password cost than its stored hashes have. */
async function startCheap() {
  const options: { passwordCost: PasswordCost } = { passwordCost: { memory: 8, passes: 1 } }
  const server = await createTestServer({ options })
  return {
    server,
    async raise() {
      options.passwordCost = { memory: 16, passes: 2 }
      await server.restart()
    },
  }
}

const signIn = (server: TestServer, { user, password }: Member) =>
  server.visitor().call(session.login, { body: { username: user.username, password } })

async function storedHash(server: TestServer, { user }: Member): Promise<string> {
  const query = 'select password_hash as hash from users where id = ?'
  return (await server.core.db.read.get<{ hash: string }>(query, [user.id]))?.hash ?? ''
}

test('a password stored under a former cost signs in and is stored under the current one', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const member = await server.signUp()
  await raise()
  expect(await storedHash(server, member)).toContain('$m=8,t=1,p=1$')
  await signIn(server, member)
  const renewed = await storedHash(server, member)
  expect(renewed).toContain('$m=16,t=2,p=1$')
  await signIn(server, member)
  expect(await storedHash(server, member)).toBe(renewed)
})

test('a sign-in that is checked while another one renews the hash is accepted', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const member = await server.signUp()
  await raise()
  const held = holdNext(server.core.passwords, 'verify')
  const first = signIn(server, member)
  await held.during(() => signIn(server, member))
  expect((await first).id).toBe(member.user.id)
})

test('a call with a password that is checked while a sign-in renews the hash is accepted', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const member = await server.signUp()
  await raise()
  const held = holdNext(server.core.passwords, 'verify')
  const removal = member.call(account.remove, { body: { username: member.user.username, password: member.password } })
  await held.during(() => signIn(server, member))
  await removal
})

test('a confirmation of the founder that is checked while a sign-in renews the hash is accepted', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const founder = await signInFounder(server)
  const { password } = (await founderLogin(server, founder)).body
  await raise()
  const held = holdNext(server.core.passwords, 'verify')
  const started = founder.call(founderSecondFactor.start, { body: { password } })
  await held.during(() => signInFounder(server))
  expect(await started).toMatchObject({ secret: expect.any(String) as string })
})

test('a wrong password renews nothing', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const member = await server.signUp()
  await raise()
  const before = await storedHash(server, member)
  const body = { username: member.user.username, password: 'another' }
  expect((await server.visitor().refused(session.login, { body })).body.code).toBe('WRONG_CREDENTIALS')
  expect(await storedHash(server, member)).toBe(before)
})

test('a sign-in that renews the hash goes on to its second factor', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  const member = await server.signUp()
  const app = await enableTotp(server, member)
  await raise()
  const visitor = server.visitor()
  const { ticket } = await enterPassword(visitor, member)
  expect(await storedHash(server, member)).toContain('$m=16,t=2,p=1$')
  await visitor.call(secondFactor.signIn, { body: { ticket, code: app.code() } })
  expect((await visitor.call(session.getUser, {})).id).toBe(member.user.id)
})

/** The costs at which sign-ins with unknown names are verified. */
async function costsOfUnknownNames(server: TestServer, names: readonly string[]): Promise<string[]> {
  const { passwords } = server.core
  const { verify } = passwords
  const checked: string[] = []
  passwords.verify = (password, stored) => {
    checked.push(/\$(m=\d+,t=\d+),/.exec(stored)?.[1] ?? 'none')
    return verify(password, stored)
  }
  for (const username of names)
    await server.visitor().refused(session.login, { body: { username, password: 'a guess' } })
  passwords.verify = verify
  return checked
}

describe('names that nobody has', () => {
  const names = Array.from({ length: 40 }, (_, index) => `nobody${index}`)
  const [former, present] = ['m=8,t=1', 'm=16,t=2']

  test('are checked at the present cost where there is no other', async () => {
    await using server = (await startCheap()).server
    await server.signUp()
    expect(new Set(await costsOfUnknownNames(server, names))).toEqual(new Set([former]))
  })

  test('are checked at a former cost as long as every account has it', async () => {
    const { server, raise } = await startCheap()
    await using _ = server
    await server.signUp()
    await raise()
    expect(new Set(await costsOfUnknownNames(server, names))).toEqual(new Set([former]))
  })

  test('are checked at either cost while accounts have both, each name at the same again', async () => {
    const { server, raise } = await startCheap()
    await using _ = server
    const member = await server.signUp()
    await server.signUp()
    await raise()
    await signIn(server, member)
    await server.advance(60 * 60 * 1000)
    const costs = await costsOfUnknownNames(server, names)
    expect(new Set(costs)).toEqual(new Set([former, present]))
    await server.restart()
    expect(await costsOfUnknownNames(server, names)).toEqual(costs)
  })

  test('move to the present cost as accounts do', async () => {
    const { server, raise } = await startCheap()
    await using _ = server
    const member = await server.signUp()
    await raise()
    await signIn(server, member)
    await server.advance(60 * 60 * 1000)
    expect(new Set(await costsOfUnknownNames(server, names))).toEqual(new Set([present]))
  })
})

test('the founder’s password is stored under the present cost from the next sign-in on', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  await raise()
  const stored = async () =>
    (await server.core.db.read.get<{ value: string }>("select value from settings where key = 'founder_verifier'"))
      ?.value
  expect(await stored()).toContain('$m=8,t=1,p=1$')
  await signInFounder(server)
  expect(await stored()).toContain('$m=16,t=2,p=1$')
  await signInFounder(server)
})

test('the founder’s sign-in that is checked while another one renews the hash is accepted', async () => {
  const { server, raise } = await startCheap()
  await using _ = server
  await raise()
  const held = holdNext(server.core.passwords, 'verify')
  const first = signInFounder(server)
  await held.during(() => signInFounder(server))
  await first
})

test('a stored hash of another form is refused instead of taken for a wrong password', async () => {
  await using server = await createTestServer()
  await expect(server.core.passwords.verify('x', 'plain')).rejects.toThrow('unknown password hash')
})
