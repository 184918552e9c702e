import { account } from '@privity/contract/account'
import { closeCodes } from '@privity/contract/events'
import { keys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { holdNext } from '../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { makeRecoveryPair, random, wrapped } from '../../support/server/memberKeys.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ env: { ORG_NAME: 'Chambers', ORG_TYPE: 'Law' } })
})
afterAll(() => server.close())

/** The same person in another browser. */
async function elsewhere({ user, password }: Member): Promise<Caller> {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: user.username, password } })
  return browser
}

const signsIn = async ({ user }: Member, password: string) =>
  (await server.visitor().request('POST', '/api/login', { username: user.username, password })).status

const change = (member: Member, newPassword = 'the new password') => ({
  currentPassword: member.password,
  newPassword,
  wrappedAccountKey: wrapped(),
  identityKey: member.keys?.identityKey ?? random(32),
})

const profileOf = ({ user: { firstName, lastName, email } }: Member) => ({ firstName, lastName, email })

test('the overview names the organization', async () => {
  const member = await server.signUp()
  expect(await member.call(account.overview, {})).toEqual({ organization: { name: 'Chambers', type: 'Law' } })
})

test('a saved profile stays, trimmed, and contacts and other tabs hear of it at once', async () => {
  const { anna, ben, connection } = await createTalk(server)
  const [own, theirs] = [await anna.socket(), await ben.socket()]
  const { password } = anna
  const body = { firstName: ' Änne ', lastName: 'Berg-Ost', email: ' Anne.Berg@Example.COM ', password }
  const saved = { firstName: 'Änne', lastName: 'Berg-Ost', email: 'anne.berg@example.com' }
  expect(await anna.call(account.updateProfile, { body })).toEqual({ ...anna.user, ...saved })
  await own.next('user_changed')
  for (;;) {
    const { connectionId, party } = await theirs.next('party_changed')
    if (party.firstName !== 'Änne') continue
    expect({ connectionId, party }).toMatchObject({
      connectionId: connection.id,
      party: { id: anna.user.id, ...saved },
    })
    break
  }
  expect(await anna.call(session.getUser, {})).toMatchObject({ ...anna.user, ...saved })
})

test('a taken address is refused in any case, the own one is accepted, and nothing is half saved', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  const { password } = member
  const taken = { firstName: 'Changed', lastName: 'Too', email: other.user.email.toUpperCase(), password }
  const refusal = await member.refused(account.updateProfile, { body: taken })
  expect(refusal).toMatchObject({ status: 409, body: { code: 'EMAIL_TAKEN' } })
  expect(await member.call(session.getUser, {})).toMatchObject(member.user)
  const own = { ...profileOf(member), email: member.user.email.toUpperCase() }
  expect(await member.call(account.updateProfile, { body: own })).toEqual(member.user)
})

test('of two who take one address at once, one gets it', async () => {
  const members = [await server.signUp(), await server.signUp(), await server.signUp()]
  const email = 'wanted@example.com'
  const answers = await Promise.all(
    members.map((member) =>
      member.request('PATCH', '/api/user', { ...profileOf(member), email, password: member.password }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
})

test('finding out who has an account is limited; saving is not', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  for (let at = 0; at < rateLimits.takenEmail.requests; at++) {
    const lastName = `Name ${at}`
    await member.call(account.updateProfile, { body: { ...profileOf(member), lastName } })
    const refusal = await member.refused(account.updateProfile, {
      body: { ...profileOf(member), email: other.user.email, password: member.password },
    })
    expect(refusal.status).toBe(409)
  }
  const refusal = await member.refused(account.updateProfile, { body: profileOf(member) })
  expect(refusal).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
  server.clock.advance(rateLimits.takenEmail.window)
  await member.call(account.updateProfile, { body: profileOf(member) })
})

test('a new password replaces verifier and wrap, and ends every other session and socket', async () => {
  const member = await server.signUp()
  const other = await elsewhere(member)
  const [mine, theirs] = [await member.socket(), await connectSocket(server.url, other, member.user.id)]
  const body = change(member)
  await member.call(account.changePassword, { body })
  expect(await theirs.closed).toBe(closeCodes.sessionEnded)
  expect((await other.refused(session.getUser, {})).status).toBe(401)
  expect(await member.call(session.listSessions, {})).toMatchObject([{ current: true }])
  await mine.next('sessions_changed')
  expect(mine.raw.readyState).toBe(mine.raw.OPEN)
  expect((await member.call(keys.getOwn, { query: {} })).wrappedAccountKey).toBe(body.wrappedAccountKey)
  expect(await signsIn(member, member.password)).toBe(401)
  expect(await signsIn(member, body.newPassword)).toBe(200)
})

test('a wrong current password changes nothing, and counts and locks like a failed sign-in', async () => {
  const member = await server.signUp()
  const stolen = server.visitor()
  for (const [name, value] of member.cookies) if (name.includes('session')) stolen.cookies.set(name, value)
  const before = await member.call(keys.getOwn, { query: {} })
  const body = { ...change(member), currentPassword: 'a guess' }
  for (let at = 0; at < limits.failedSignIns; at++) {
    const refusal = await stolen.refused(account.changePassword, { body })
    expect(refusal).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD', error: 'Incorrect password.' },
    })
  }
  // After the lock, even calls with the right password are refused: all calls share one counter.
  const password = member.password
  const { identityKey } = before
  const recoveryRenewal = {
    password,
    recoveryProof: random(32),
    recovery: makeRecoveryPair(member.user.id),
    recoveryWrappedAccountKey: wrapped(),
    identityKey,
  }
  const refusals = [
    await stolen.refused(account.changePassword, { body: change(member) }),
    await stolen.refused(account.provePassword, { body: { password } }),
    await stolen.refused(account.renewRecoveryKey, { body: recoveryRenewal }),
    await stolen.refused(account.remove, { body: { username: member.user.username, password } }),
    await stolen.refused(session.login, { body: { username: member.user.username, password } }),
  ]
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
  expect(refusals[0]?.headers.get('retry-after')).toBe('900')
  expect(await member.call(keys.getOwn, { query: {} })).toEqual(before)
  const events = await server.core.db.read.all<{ event_type: string }>(
    'select event_type from security_events where user_id = ? order by id',
    [member.user.id],
  )
  const types = events.map(({ event_type }) => event_type)
  expect(types.filter((type) => type === 'failed_password_check')).toHaveLength(limits.failedSignIns)
  expect(types).toContain('account_locked')

  // The owner's own browser has a separate counter.
  await member.call(account.changePassword, { body: change(member) })
})

test('guesses of the password over many sessions at once do not outrun the lock', async () => {
  const member = await server.signUp()
  const stolen = server.visitor()
  for (const [name, value] of member.cookies) if (name.includes('session')) stolen.cookies.set(name, value)
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async (_, at) => {
      const { status } = await stolen.request('POST', '/api/account/proof', { password: `guess ${at}` })
      return status
    }),
  )
  expect(statuses.filter((status) => status === 403)).toHaveLength(limits.failedSignIns)
  expect(statuses.filter((status) => status === 423)).toHaveLength(20 - limits.failedSignIns)
})

test('of two password changes at once one holds, and verifier and wrap are of the same one', async () => {
  const member = await server.signUp()
  const other = await elsewhere(member)
  const bodies = [change(member, 'the first one'), change(member, 'the second one')]
  const [first, second] = await Promise.all([
    member.request('PUT', '/api/account/password', bodies[0]),
    other.request('PUT', '/api/account/password', bodies[1]),
  ])
  const [won, lost] = first?.status === 200 ? [0, second] : [1, first]
  expect([401, 403]).toContain(lost?.status)
  const browser = server.visitor()
  const password = bodies[won]?.newPassword as string
  await browser.call(session.login, { body: { username: member.user.username, password } })
  expect((await browser.call(keys.getOwn, { query: {} })).wrappedAccountKey).toBe(bodies[won]?.wrappedAccountKey)
  expect(await signsIn(member, bodies[1 - won]?.newPassword as string)).toBe(401)
})

test('a password change is refused whose password the same session has replaced meanwhile', async () => {
  const member = await server.signUp()
  const { during } = holdNext(server.core.passwords, 'hash')
  const late = member.request('PUT', '/api/account/password', change(member, 'the late one'))
  await during(() => member.call(account.changePassword, { body: change(member, 'the first one') }))
  expect(await late).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  expect(await signsIn(member, 'the first one')).toBe(200)
})

test('a change whose session ends meanwhile is refused', async () => {
  const member = await server.signUp()
  const other = await elsewhere(member)
  const { during } = holdNext(server.core.passwords, 'hash')
  const answer = other.request('PUT', '/api/account/password', change(member))
  await during(() => member.call(session.endOtherSessions, {}))
  expect(await answer).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
  expect(await signsIn(member, member.password)).toBe(200)
})

test('an account with keys cannot lose them over a new password, one without cannot gain a wrap', async () => {
  const member = await server.signUp()
  const { wrappedAccountKey: _left, ...bare } = change(member)
  const refusal = await member.refused(account.changePassword, { body: bare })
  expect(refusal).toMatchObject({ status: 400, body: { details: [{ path: 'wrappedAccountKey' }] } })
  const plain = await server.signUp(undefined, { keys: false })
  const refused = await plain.refused(account.changePassword, { body: change(plain) })
  expect(refused).toMatchObject({ status: 409, body: { code: 'NO_KEYS' } })
  const body = { currentPassword: plain.password, newPassword: 'new' }
  await plain.call(account.changePassword, { body })
  expect(await signsIn(plain, 'new')).toBe(200)
})

test('browsers that knew the old password are strangers after a change', async () => {
  const member = await server.signUp()
  await elsewhere(member)
  const known = () => server.core.db.read.all('select device from known_devices where user_id = ?', [member.user.id])
  expect(await known()).toHaveLength(2)
  await member.call(account.changePassword, { body: change(member) })
  expect(await known()).toHaveLength(1)
})

test('the new recovery key opens, the old one does not, and it takes the password to make one', async () => {
  const member = await server.signUp()
  const { username } = member.user
  const old = { username, recoveryProof: member.keys?.recoveryProof as string }
  const identityKey = member.keys?.identityKey as string
  const made = {
    recoveryProof: random(32),
    recovery: makeRecoveryPair(member.user.id),
    recoveryWrappedAccountKey: wrapped(),
    identityKey,
  }
  const refusal = await member.refused(account.renewRecoveryKey, { body: { ...made, password: 'a guess' } })
  expect(refusal).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  await server.visitor().call(recovery.start, { body: old })

  await member.call(account.renewRecoveryKey, { body: { ...made, password: member.password } })
  expect((await server.visitor().refused(recovery.start, { body: old })).body.code).toBe('RECOVERY_REFUSED')
  const body = { username, recoveryProof: made.recoveryProof }
  expect(await server.visitor().call(recovery.start, { body })).toMatchObject({
    recoveryWrappedAccountKey: made.recoveryWrappedAccountKey,
  })
})

test('a list of sessions is told when one begins or ends, and all others end at once', async () => {
  const member = await server.signUp()
  const socket = await member.socket()
  const others = [await elsewhere(member), await elsewhere(member)]
  await socket.next('sessions_changed')
  await socket.next('sessions_changed')
  const one = (await member.call(session.listSessions, {})).find(({ current }) => !current)
  await member.call(session.endSession, { params: { id: one?.id as string } })
  await socket.next('sessions_changed')
  expect(await member.call(session.endOtherSessions, {})).toEqual({ ended: 1 })
  await socket.next('sessions_changed')
  for (const other of others) expect((await other.refused(session.getUser, {})).status).toBe(401)
  expect(await member.call(session.listSessions, {})).toMatchObject([{ current: true }])
})

sqliteTest('plans')(
  'the security status finds the last recovery key renewal without reading the whole log',
  async () => {
    const plan = await server.core.db.read.all<{ detail: string }>(
      `explain query plan select created_at from audit_log where actor_id = ? and action = 'recovery_key_renewed'
     order by seq desc limit 1`,
      [''],
    )
    expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('audit_log_recovery_key_renewals')])
  },
)
