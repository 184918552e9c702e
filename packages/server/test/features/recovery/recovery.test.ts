import { account } from '@privity/contract/account'
import { keys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { invitations } from '@privity/contract/organization'
import { privacy } from '@privity/contract/privacy'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeRecoveryPair, random, wrapped } from '../../support/server/memberKeys.ts'
import { join } from '../../support/scenes/organization.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const proofOf = (member: Member) => ({
  username: member.user.username,
  recoveryProof: member.keys?.recoveryProof as string,
})

test('the proof allows a new password, which ends every session and socket and starts one', async () => {
  const member = await server.signUp('forgetful')
  const elsewhere = server.visitor()
  await elsewhere.call(session.login, { body: { username: 'forgetful', password: member.password } })
  const socket = await member.socket()

  const browser = server.visitor()
  const started = await browser.call(recovery.start, { body: proofOf(member) })
  expect(started).toEqual({
    userId: member.user.id,
    recoveryWrappedAccountKey: member.keys?.recoveryWrappedAccountKey,
  })
  await member.call(session.getUser, {})

  const wrappedAccountKey = wrapped()
  const body = { ...proofOf(member), password: 'a new one', wrappedAccountKey }
  expect(await browser.call(recovery.finish, { body })).toMatchObject(member.user)
  expect(await socket.closed).toBe(4003)
  for (const old of [member, elsewhere]) expect((await old.refused(session.getUser, {})).status).toBe(401)
  expect((await browser.call(keys.getOwn, { query: {} })).wrappedAccountKey).toBe(wrappedAccountKey)

  const oldPassword = { username: 'forgetful', password: member.password }
  expect((await server.visitor().refused(session.login, { body: oldPassword })).status).toBe(401)
  await server.visitor().call(session.login, { body: { ...oldPassword, password: 'a new one' } })
})

test('invitations that the lost password may have made stop working, and the entry says so', async () => {
  const inviter = await join(server, 'org_admin')
  const { token } = await inviter.call(invitations.create, {
    body: { role: 'org_admin', validFor: limits.invitationUsual },
  })
  const finish = async (member: Member) => {
    const body = { ...proofOf(member), password: 'a new one', wrappedAccountKey: wrapped() }
    await server.visitor().call(recovery.finish, { body })
    const entry = await server.core.db.read.get<{ details: string }>(
      "select details from audit_log where action = 'password_recovered' and actor_id = ?",
      [member.user.id],
    )
    return entry?.details
  }
  await server.visitor().call(invitations.check, { body: { token } })
  expect(await finish(inviter)).toBe('{"invitationsRevoked":true}')
  expect((await server.visitor().refused(invitations.check, { body: { token } })).body.code).toBe('INVITATION_INVALID')
  expect(await finish(await server.signUp())).toBe('{}')
})

test('a wrong proof, an unknown name and an account without keys get the same answer', async () => {
  const member = await server.signUp('kept')
  const plain = await server.signUp('keyless', { keys: false })
  const finish = { password: 'x', wrappedAccountKey: wrapped() }
  for (const username of ['kept', 'no-such-name', 'keyless']) {
    const visitor = server.visitor()
    const body = { username, recoveryProof: random(32) }
    const start = await visitor.refused(recovery.start, { body })
    const end = await visitor.refused(recovery.finish, { body: { ...body, ...finish } })
    expect(start).toMatchObject({ status: 401, body: { code: 'RECOVERY_REFUSED' } })
    expect(end.body).toEqual(start.body)
    expect(visitor.cookies.size).toBe(0)
  }
  await member.call(session.getUser, {})
  await plain.call(session.getUser, {})
})

test('wrong proofs lock neither known nor unknown names; they count against the address', async () => {
  const member = await server.signUp('guessed')
  const guess = (username: string, address?: string) =>
    server.visitor(address).refused(recovery.start, { body: { username, recoveryProof: random(32) } })
  for (const username of ['guessed', 'guessed-not']) {
    for (let at = 0; at < 12; at++) expect((await guess(username)).body.code).toBe('RECOVERY_REFUSED')
  }
  await server.visitor().call(recovery.start, { body: proofOf(member) })
  const finish = { ...proofOf(member), password: 'a new one', wrappedAccountKey: wrapped() }
  await server.visitor().call(recovery.finish, { body: finish })

  for (let at = 0; at < rateLimits.signIn.requests; at++) await guess('guessed', '10.9.9.9')
  expect((await guess('guessed', '10.9.9.9')).body.code).toBe('RATE_LIMITED')
})

test('its owner is told of a wrong proof among the failed sign-ins, and from where it came', async () => {
  const [member, other] = [await server.signUp('watched'), await server.signUp()]
  const stranger = server.visitor()
  await stranger.refused(recovery.start, { body: { username: 'watched', recoveryProof: random(32) } })
  const lastAt = server.clock.now()
  const { failedSignIns } = await member.call(privacy.securityFacts, {})
  expect(failedSignIns).toEqual({ count: 1, lastAt, lastAddress: stranger.address })
  expect((await other.call(privacy.securityFacts, {})).failedSignIns).toEqual({ count: 0 })
})

test('browsers that knew the lost password are strangers after it, but for the one that recovers', async () => {
  const member = await server.signUp('replaced')
  const thief = server.visitor()
  const signIn = { username: 'replaced', password: member.password }
  await thief.call(session.login, { body: signIn })
  const body = { ...proofOf(member), password: 'a new one', wrappedAccountKey: wrapped() }
  await member.call(recovery.finish, { body })
  // The known browser has a separate counter; all other browsers share one.
  for (let at = 0; at < limits.failedSignIns; at++)
    await server.visitor().refused(session.login, { body: { ...signIn, password: 'a guess' } })
  const known = { ...signIn, password: 'a new one' }
  expect((await thief.refused(session.login, { body: known })).body.code).toBe('ACCOUNT_LOCKED')
  await member.call(session.login, { body: known })
})

test('an account locked by wrong passwords can be recovered, and is not locked after', async () => {
  const member = await server.signUp('stuck')
  const visitor = server.visitor()
  for (let at = 0; at < 5; at++) {
    await visitor.refused(session.login, { body: { username: 'stuck', password: 'wrong' } })
  }
  const body = { ...proofOf(member), password: 'remembered now', wrappedAccountKey: wrapped() }
  await visitor.call(recovery.finish, { body })
  await server.visitor().call(session.login, { body: { username: 'stuck', password: 'remembered now' } })
})

test('a recovery key that is renewed while a recovery with it is on its way changes nothing', async () => {
  const member = await server.signUp('renewing')
  const { passwords } = server.core
  const { hash } = passwords
  // Renews the key after the proof of the old one was verified.
  passwords.hash = async (given) => {
    passwords.hash = hash
    const identityKey = member.keys?.identityKey as string
    const made = {
      recoveryProof: random(32),
      recovery: makeRecoveryPair(member.user.id),
      recoveryWrappedAccountKey: wrapped(),
      identityKey,
    }
    await member.call(account.renewRecoveryKey, { body: { ...made, password: member.password } })
    return hash(given)
  }
  const body = { ...proofOf(member), password: 'a new one', wrappedAccountKey: wrapped() }
  expect((await server.visitor().refused(recovery.finish, { body })).body.code).toBe('RECOVERY_REFUSED')
  await member.call(session.getUser, {})
  await server.visitor().call(session.login, { body: { username: 'renewing', password: member.password } })
})

test('a suspended account cannot be recovered', async () => {
  const member = await server.signUp('barred')
  await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [member.user.id]))
  const body = { ...proofOf(member), password: 'x', wrappedAccountKey: wrapped() }
  expect((await server.visitor().refused(recovery.finish, { body })).body.code).toBe('ACCOUNT_UNAVAILABLE')
})
