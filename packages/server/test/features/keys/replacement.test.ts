import { account } from '@privity/contract/account'
import { closeCodes } from '@privity/contract/events'
import { keys, type KeyReplacement, maxFormerKeys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { files } from '@privity/contract/files'
import { messages } from '@privity/contract/messages'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, makeKeys, publication, random, wrapped } from '../../support/server/memberKeys.ts'
import { replaceKeys, replacing } from '../../support/scenes/keyReplacement.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createTalk, grantFor, makeGrant } from '../../support/scenes/conversation.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** A copy of this browser with all its cookies. */
function copyOf(member: Member) {
  const copy = server.visitor()
  for (const [name, value] of member.cookies) copy.cookies.set(name, value)
  return copy
}

const stateOf = ({ user }: Member) =>
  Promise.all(
    ['users where id', 'epochs where user_id', 'sessions where user_id', 'audit_log where actor_id'].map((of) =>
      server.core.db.read.all(`select * from ${of} = ?`, [user.id]),
    ),
  )

test('every key is another one, what is alive comes sealed anew, and contacts hear of it', async () => {
  const { anna, ben } = await createTalk(server)
  const heard = await ben.socket()
  const before = await anna.call(keys.getOwn, { query: {} })
  const body = await replacing(anna)
  const { replacement } = body
  await anna.call(account.changePassword, { body })
  expect((await heard.next('keys_replaced')).userId).toBe(anna.user.id)
  const after = await anna.call(keys.getOwn, { query: {} })
  expect(after).toEqual({
    userId: anna.user.id,
    identityKey: replacement.identityKey,
    wrappedIdentitySeed: replacement.wrappedIdentitySeed,
    wrappedAccountKey: body.wrappedAccountKey,
    epochs: [{ ...before.epochs[0], ...replacement.former[0] }, { ...replacement.epoch }],
    pins: replacement.pins,
    browsers: { ...before.browsers, recovery: replacement.recovery },
  })
  const entries = await server.core.db.read.all<{ action: string }>(
    'select action from audit_log where actor_id = ? order by seq desc limit 3',
    [anna.user.id],
  )
  expect(entries.map(({ action }) => action)).toEqual(['password_changed', 'recovery_key_renewed', 'keys_replaced'])
})

test('a copied browser, the old password, recovery key and identity key stop working', async () => {
  const member = await server.signUp()
  const { username } = member.user
  const copy = copyOf(member)
  const sockets = [await member.socket(), await connectSocket(server.url, copy, member.user.id)]
  const oldEpoch = makeEpoch(member.user.id, 2, server.clock.now())
  const oldProof = { username, recoveryProof: member.keys?.recoveryProof as string }
  const oldPassword = member.password
  const { recoveryProof, recoveryWrappedAccountKey, epoch } = await replaceKeys(member)

  for (const socket of sockets) expect(await socket.closed).toBe(closeCodes.sessionEnded)
  expect((await copy.refused(session.getUser, {})).status).toBe(401)
  expect((await copy.refused(session.login, { body: { username, password: oldPassword } })).status).toBe(401)
  expect((await copy.refused(recovery.start, { body: oldProof })).body.code).toBe('RECOVERY_REFUSED')
  const finish = { ...oldProof, password: 'x', wrappedAccountKey: wrapped() }
  expect((await copy.refused(recovery.finish, { body: finish })).body.code).toBe('RECOVERY_REFUSED')
  // The device cookie is replaced, too: the copy counts as an unknown browser, whose failures do not lock the member's
  // own.
  const known = await server.core.db.read.all('select device from known_devices where user_id = ?', [member.user.id])
  expect(known).toHaveLength(1)
  for (let at = 0; at < limits.failedSignIns; at++)
    await copy.request('POST', '/api/login', { username, password: 'guess' })
  await member.call(account.provePassword, { body: { password: member.password } })

  expect(await member.call(session.listSessions, {})).toMatchObject([{ current: true }])
  // A holder of the old identity key cannot publish epochs, not even from the signed-in browser.
  for (const n of [2, 3]) {
    const refusal = await member.refused(keys.publishEpochs, publication({ ...oldEpoch, n }))
    expect(refusal.body.code).toBe('INVALID_INPUT')
  }
  expect((await member.call(keys.getOwn, { query: {} })).epochs.at(-1)).toMatchObject({
    n: 2,
    signature: epoch.signature,
  })
  const started = await server.visitor().call(recovery.start, { body: { username, recoveryProof } })
  expect(started).toEqual({ userId: member.user.id, recoveryWrappedAccountKey })
})

const spoiled: [string, (made: KeyReplacement) => Partial<KeyReplacement>, string][] = [
  ['an epoch that is not the next', ({ epoch }) => ({ epoch: { ...epoch, n: epoch.n + 1 } }), 'INVALID_INPUT'],
  ['an epoch of somebody else', ({ epoch }) => ({ epoch: { ...epoch, userId: makeKeys(0).userId } }), 'INVALID_INPUT'],
  ['an identity key that did not sign', () => ({ identityKey: makeKeys(0).identityKey }), 'INVALID_INPUT'],
  ['no signature of the former key', () => ({ formerSignature: random(64) }), 'INVALID_INPUT'],
  ['no living epoch', ({ former }) => ({ former: former.map((each) => ({ ...each, n: 9 })) }), 'EPOCH_CONFLICT'],
  [
    'no former account key',
    ({ former }) => ({ former: former.map(({ n, wrappedSeed }) => ({ n, wrappedSeed })) }),
    'INVALID_INPUT',
  ],
  ['an empty list of epochs', () => ({ former: [] }), 'EPOCH_CONFLICT'],
  ['older pins', ({ pins }) => ({ pins: { ...pins, version: pins.version - 1 } }), 'STALE_VERSION'],
  ['pins of later', ({ pins }) => ({ pins: { ...pins, version: pins.version + 1 } }), 'STALE_VERSION'],
]

test.each(spoiled)('with %s nothing at all is changed', async (_what, change, code) => {
  const member = await server.signUp()
  const body = await replacing(member, change)
  const before = await stateOf(member)
  const refusal = await member.refused(account.changePassword, { body })
  expect(refusal.body.code).toBe(code)
  expect(await stateOf(member)).toEqual(before)
  expect(refusal.headers.getSetCookie()).toEqual([])
})

test('contacts get the identity keys before this one, the newest eight, each with its signature', async () => {
  const { anna, ben, connection } = await createTalk(server)
  const params = { id: connection.id }
  expect(await ben.call(keys.getContactKeys, { params })).toMatchObject({ former: [] })
  const first = anna.keys?.identityKey
  const second = await replaceKeys(anna)
  const one = { identityKey: first, signature: second.formerSignature }
  expect(await ben.call(keys.getContactKeys, { params })).toMatchObject({ former: [one] })
  const older = Array.from({ length: maxFormerKeys - 1 }, () => ({ identityKey: random(32), signature: random(64) }))
  await server.core.db.write((tx) =>
    tx.run('update users set former_keys = ? where id = ?', [JSON.stringify([one, ...older]), anna.user.id]),
  )
  const third = await replaceKeys(anna)
  const two = { identityKey: second.identityKey, signature: third.formerSignature }
  expect(await ben.call(keys.getContactKeys, { params })).toMatchObject({
    identityKey: third.identityKey,
    former: [two, one, ...older.slice(0, -1)],
  })
})

test('the same identity key again, a wrong password, and keys for an account without are refused', async () => {
  const member = await server.signUp()
  const own = await member.call(keys.getOwn, { query: {} })
  const body = await replacing(member)
  const next = makeEpoch(member.user.id, 2, own.epochs[0]?.createdAt as number)
  const same = { ...body, replacement: { ...body.replacement, identityKey: own.identityKey, epoch: next } }
  const refusal = await member.refused(account.changePassword, { body: same })
  expect(refusal.body).toMatchObject({ code: 'INVALID_INPUT', details: [{ path: 'identityKey' }] })
  const wrong = await member.refused(account.changePassword, { body: { ...body, currentPassword: 'a guess' } })
  expect(wrong.body.code).toBe('WRONG_PASSWORD')
  const plain = await server.signUp(undefined, { keys: false })
  const { wrappedAccountKey: _none, ...bare } = { ...body, currentPassword: plain.password }
  expect((await plain.refused(account.changePassword, { body: bare })).body.code).toBe('NO_KEYS')
})

test('asked for twice, it is done once, and the second is clearly refused', async () => {
  const member = await server.signUp()
  const body = await replacing(member)
  const again = copyOf(member)
  const both = await Promise.all([member, again].map((caller) => caller.request('PUT', '/api/account/password', body)))
  expect(both.map(({ status }) => status).toSorted()[0]).toBe(200)
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: member.user.username, password: body.newPassword } })
  expect((await browser.call(keys.getOwn, { query: {} })).epochs).toHaveLength(2)
  const refusal = await browser.refused(account.changePassword, { body })
  expect(refusal.body.code).toBe('WRONG_PASSWORD')
  // Even with the current password, the old replacement of keys is refused.
  const replay = await browser.refused(account.changePassword, {
    body: { ...body, currentPassword: body.newPassword, newPassword: 'yet another password' },
  })
  expect(replay.body.code).toBe('INVALID_INPUT')
})

test('beside a sign-in, epoch, pin list, password change and recovery, one state is whole', async () => {
  const member = await server.signUp()
  const other = server.visitor()
  const { username } = member.user
  await other.call(session.login, { body: { username, password: member.password } })
  const body = await replacing(member)
  const proof = { username, recoveryProof: member.keys?.recoveryProof as string }
  const identityKey = member.keys?.identityKey
  const plain = { currentPassword: member.password, newPassword: 'plain', wrappedAccountKey: wrapped(), identityKey }
  const recovered = { ...proof, password: 'recovered', wrappedAccountKey: wrapped() }
  const racing = [
    member.request('PUT', '/api/account/password', body),
    other.request('PUT', '/api/account/password', plain),
    server.visitor().request('POST', '/api/recovery/password', recovered),
    server.visitor().request('POST', '/api/login', { username, password: member.password }),
    other.request('POST', '/api/keys/epochs', makeEpoch(member.user.id, 2, server.clock.now())),
    other.request('PUT', '/api/keys/pins', { version: 2, sealed: random(64) }),
  ]
  const statuses = (await Promise.all(racing)).map(({ status }) => status)
  expect(statuses.slice(0, 3).filter((status) => status === 200).length).toBeGreaterThan(0)
  const isReplaced = statuses[0] === 200
  const wraps = {
    [body.newPassword]: body.wrappedAccountKey,
    plain: plain.wrappedAccountKey,
    recovered: recovered.wrappedAccountKey,
  }
  const opened = []
  for (const [password, wrap] of Object.entries(wraps)) {
    const browser = server.visitor()
    const { status } = await browser.request('POST', '/api/login', { username, password })
    if (status !== 200) continue
    const own = await browser.call(keys.getOwn, { query: {} })
    expect(own.wrappedAccountKey).toBe(wrap)
    expect(own.identityKey === body.replacement.identityKey).toBe(isReplaced)
    expect(own.wrappedIdentitySeed === body.replacement.wrappedIdentitySeed).toBe(isReplaced)
    opened.push(password)
  }
  expect(opened).toHaveLength(1)
  const old = await server.visitor().request('POST', '/api/login', { username, password: member.password })
  expect(old.status).toBe(401)
})

test('messages from before stay as they are, and those that are under way are sealed again', async () => {
  const talk = await createTalk(server)
  const { anna, ben, connection } = talk
  const before = talk.text(ben)
  const stored = await ben.call(messages.send, { body: before })
  const underway = talk.text(ben)
  await replaceKeys(anna)
  const refusal = await ben.refused(messages.send, { body: underway })
  expect(refusal.body).toMatchObject({ code: 'EPOCH_SUPERSEDED', details: { epochTo: 2, peer: { epoch: { n: 2 } } } })
  const listed = await anna.call(messages.list, { params: { id: connection.id }, query: {} })
  expect(listed.map(({ id }) => id)).toEqual([stored.id])
  expect(listed[0]?.envelope).toMatchObject({ epochTo: 1 })
  // A retry after a lost response is still the same message.
  const again = await ben.request('POST', '/api/messages', before)
  expect(again).toMatchObject({ status: 200, body: stored })
  expect((await anna.call(keys.getOwn, { query: {} })).epochs.map(({ n }) => n)).toEqual([1, 2])
})

test('requests that wait are approved for the new epoch, and for the old one no more', async () => {
  const { anna, ben, sendFile } = await createTalk(server)
  const { filePath } = await sendFile(ben)
  const { authorizationId: id = '' } = await anna.call(files.request, { body: { filePath } })
  await replaceKeys(anna)
  const approval = (grant: ReturnType<typeof makeGrant>) => ({ params: { id }, body: { authorize: true, grant } })
  const old = await ben.refused(files.decide, approval(makeGrant(1)))
  expect(old.body.code).toBe('EPOCH_SUPERSEDED')
  const status = await ben.call(files.decide, approval(await grantFor(server, id, 2)))
  expect(status.status).toBe('can_download')
})

test('the seeds and the key from before are destroyed when their messages are gone', async () => {
  await using own = await createTestServer()
  const member = await own.signUp()
  await replaceKeys(member)
  const second = await replaceKeys(member)
  const epochs = async () => (await member.call(keys.getOwn, { query: {} })).epochs
  expect((await epochs()).map(({ wrappedFormerKey }) => wrappedFormerKey)).toEqual([
    ...second.former.map(({ wrappedFormerKey }) => wrappedFormerKey),
    undefined,
  ])
  expect(second.former.every(({ wrappedFormerKey }) => wrappedFormerKey !== undefined)).toBe(true)
  own.clock.advance(limits.retention - 1)
  expect(await epochs()).toHaveLength(3)
  await member.call(session.getUser, {})
  await own.advance(60_000)
  expect(await epochs()).toHaveLength(1)
  expect(await own.core.db.read.all('select n from epochs')).toHaveLength(1)
})

test('the account key before the last one cannot be left out while it is in use', async () => {
  const member = await server.signUp()
  await replaceKeys(member)
  const body = await replacing(member, ({ former: [first, ...later] }) => ({
    former: [{ ...first, n: first?.n ?? 0, wrappedFormerKey: undefined }, ...later],
  }))
  expect((await member.refused(account.changePassword, { body })).body.details).toEqual([
    { path: 'former', message: 'The former account key is missing with epoch 1.' },
  ])
})

test('it is limited, and a refused one is not counted', async () => {
  const member = await server.signUp()
  const refused = await replacing(member, () => ({ former: [] }))
  await member.refused(account.changePassword, { body: refused })
  for (let at = 0; at < rateLimits.keyReplacement.requests; at++) await replaceKeys(member)
  const refusal = await member.refused(account.changePassword, { body: await replacing(member) })
  expect(refusal).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } })
})

test('new keys are refused under the password there is, and nothing has changed', async () => {
  const member = await server.signUp()
  const before = await stateOf(member)
  const body = { ...(await replacing(member)), newPassword: member.password }
  const refusal = await member.refused(account.changePassword, { body })
  expect(refusal).toMatchObject({ status: 400, body: { code: 'PASSWORD_UNCHANGED' } })
  expect(await stateOf(member)).toEqual(before)
})
