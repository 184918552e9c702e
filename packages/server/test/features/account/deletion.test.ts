import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { closeCodes } from '@privity/contract/events'
import { keys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, makeKeys, makePins, publication, random } from '../../support/server/memberKeys.ts'
import { approve, createTalk, download, randomFile, registerFile, upload } from '../../support/scenes/conversation.ts'
import { newAddress, objects, startPut, untilArriving } from '../../support/scenes/uploads.ts'
import { findPlaces } from '../../support/scenes/traces.ts'
import { referencesTo } from '../../support/database/schema.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

const remove = ({ call, user, password }: Member) =>
  call(account.remove, { body: { username: user.username, password } })

/** Columns that may keep the id of a deleted user, and nothing else; an id is never reused. */
const records = [
  'audit_log.actor_id',
  'audit_log.target_id',
  'invitations.created_by',
  'invitations.used_by',
  'retired_users.id',
  'security_events.user_id',
  'alerts.subject',
  'alert_windows.subject',
]

test('a deleted account leaves nothing in any table or object, and its contacts keep their data', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection, send, sendFile } = await createTalk(server)
  const cara = await server.signUp('cara')
  const { id: theirs } = await server.connect(ben, cara)
  const old = await server.connect(anna, cara)
  await send(anna)
  await send(ben)
  const [annaFile, benFile] = [await sendFile(anna), await sendFile(ben)]
  await approve(anna, ben, annaFile.filePath)
  await approve(ben, anna, benFile.filePath)
  expect((await download(anna, benFile.filePath)).status).toBe(200)
  const unsent = await registerFile(anna, randomFile(10))
  await upload(anna, randomFile(10))
  await newAddress(anna)
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, server.clock.now())))
  await anna.call(keys.putPins, { body: makePins(anna.user.id, 2) })
  await server.visitor().refused(session.login, { body: { username: anna.user.username, password: 'a guess' } })
  await server.core.db.write(async (tx) => {
    await tx.run(
      `insert into invitations (id, token_hash, organization_id, role, created_by, created_at, used_by)
       select 'made', 'made', organization_id, 'user', id, 0, id from users where id = ?`,
      [anna.user.id],
    )
  })
  const marks = [anna.user.id, anna.user.username, anna.user.email, anna.user.connectionCode, connection.id, old.id]
  const traces = await findPlaces(server, marks)
  for (const place of ['epochs.user_id', 'sign_in_locks.account', 'uploads.owner_id', 'envelopes.from_id'])
    expect(traces).toContain(place)
  const kept = await registerFile(ben, randomFile(10))
  expect((await objects(server)).length).toBe(5)

  await remove(anna)
  // Already when the call returns, before any job.
  expect(await objects(server)).toEqual([kept.filePath.slice(-36)])
  expect(
    (await findPlaces(server, [connection.id, old.id])).filter((place) => /^(messages|envelopes|files)/.test(place)),
  ).toEqual([])
  await server.advance(15_000)
  const left = await findPlaces(server, marks)
  expect(left.filter((place) => !records.includes(place) && place !== 'audit_log.details')).toEqual([])
  expect(await findPlaces(server, [anna.user.username, anna.user.email, anna.user.connectionCode])).toEqual([])
  expect(await objects(server)).toEqual([kept.filePath.slice(-36)])
  expect(unsent.filePath).not.toBe(kept.filePath)
  expect(await ben.call(connections.list, {})).toMatchObject([{ id: theirs }])
})

test('every row that belongs to a user is deleted with the account, whichever table it is in', async () => {
  await using server = await createTestServer()
  const references = await referencesTo(server.core.db.read, 'users')
  expect(references.length).toBeGreaterThan(8)
  expect(references.filter(({ rule }) => rule !== 'CASCADE')).toEqual([])
})

test('contacts are told, every session and socket ends, and the cookie is taken back', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection } = await createTalk(server)
  const [own, contact] = [await anna.socket(), await ben.socket()]
  await remove(anna)
  expect(await contact.next('connection_removed')).toEqual({ type: 'connection_removed', connectionId: connection.id })
  expect(await own.closed).toBe(closeCodes.sessionEnded)
  expect(await own.closedFor).toBe('')
  expect([...anna.cookies.keys()].filter((name) => name.includes('session'))).toEqual([])
  const body = { username: anna.user.username, password: anna.password }
  expect((await server.visitor().refused(session.login, { body })).body.code).toBe('WRONG_CREDENTIALS')
  expect((await ben.refused(messages.list, { params: { id: connection.id }, query: {} })).body.code).toBe(
    'CONNECTION_NOT_FOUND',
  )
})

test('name and address are free again, the identifier is not', async () => {
  await using server = await createTestServer()
  const anna = await server.signUp('anna')
  await remove(anna)
  const again = await server.signUp('anna')
  expect(again.user.id).not.toBe(anna.user.id)
  const body = { username: 'other', password: 'x', firstName: 'A', lastName: 'B', email: 'other@example.com' }
  const used = { ...body, keys: makeKeys(server.clock.now(), anna.user.id) }
  expect((await server.visitor().refused(session.register, { body: used })).body.code).toBe('USER_ID_TAKEN')
})

test('it takes the right name and the right password', async () => {
  await using server = await createTestServer()
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  const { username } = anna.user
  const other = await anna.refused(account.remove, { body: { username: ben.user.username, password: anna.password } })
  expect(other).toMatchObject({ status: 400, body: { details: [{ path: 'username' }] } })
  const wrong = await anna.refused(account.remove, { body: { username, password: ben.password } })
  expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  expect(await anna.call(session.getUser, {})).toMatchObject(anna.user)
})

const promote = (server: TestServer, { user }: Member) =>
  server.core.db.write((tx) => tx.run("update users set role = 'super_admin' where id = ?", [user.id]))

test('the last super_admin stays while there are other members, even if two leave at once', async () => {
  await using server = await createTestServer()
  const [first, second, third] = [await server.signUp(), await server.signUp(), await server.signUp()]
  await promote(server, first)
  const body = { username: first.user.username, password: first.password }
  const refusal = await first.refused(account.remove, { body })
  expect(refusal).toMatchObject({ status: 409, body: { code: 'LAST_SUPER_ADMIN' } })
  expect(await first.call(session.getUser, {})).toMatchObject({ id: first.user.id })

  // A suspended administrator does not count as a successor.
  await promote(server, second)
  const suspend = (suspended: number) =>
    server.core.db.write((tx) => tx.run('update users set suspended = ? where id = ?', [suspended, second.user.id]))
  await suspend(1)
  expect((await first.refused(account.remove, { body })).body.code).toBe('LAST_SUPER_ADMIN')
  await suspend(0)
  const answers = await Promise.all(
    [first, second].map(({ request, user, password }) =>
      request('POST', '/api/account/deletion', { username: user.username, password }),
    ),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  await remove(third)
  const rest = answers[0]?.status === 200 ? second : first
  await remove(rest)
  expect(await server.core.db.read.all('select id from users')).toEqual([])
})

test('deleted in the middle of an upload: the upload ends at once and leaves nothing', async () => {
  await using server = await createTestServer()
  const anna = await server.signUp()
  const address = await newAddress(anna)
  const put = startPut(server, anna, address, 'content-length: 50000000', randomFile(300_000))
  await untilArriving(server, address)
  await remove(anna)
  await put.closed
  await expect.poll(async () => objects(server)).toEqual([])
  expect(await server.core.db.read.all('select id from uploads')).toEqual([])
})

test('signed out in the middle of an upload: the same', async () => {
  await using server = await createTestServer()
  const anna = await server.signUp()
  const path = await newAddress(anna)
  const put = startPut(server, anna, path, 'content-length: 50000000', randomFile(300_000))
  await untilArriving(server, path)
  await anna.call(session.logout, {})
  await put.closed
  await expect.poll(async () => objects(server)).toEqual([])
})

test('calls that run during the deletion fail with catalogue errors and store nothing', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection, text } = await createTalk(server)
  const answers = await Promise.all([
    remove(anna),
    ...Array.from({ length: 10 }, () => anna.request('POST', '/api/objects/upload')),
    anna.request('POST', '/api/messages', text(anna)),
    ben.request('POST', '/api/messages', text(ben)),
    anna.request('PUT', '/api/keys/pins', { version: 2, sealed: random(10) }),
    // From another browser: in the same one, a sign-in would end the session that deletes.
    server.visitor().request('POST', '/api/login', { username: anna.user.username, password: anna.password }),
  ])
  for (const { status } of answers.slice(1) as { status: number }[]) expect(status).toBeLessThan(500)
  await server.advance(15_000)
  const left = await findPlaces(server, [anna.user.id, connection.id])
  expect(left.filter((place) => !records.includes(place) && place !== 'audit_log.details')).toEqual([])
})

test('a contact who is downloading is cut off', async () => {
  await using server = await createTestServer()
  const { anna, ben, sendFile } = await createTalk(server)
  const { filePath } = await sendFile(anna, randomFile(30_000_000))
  await approve(anna, ben, filePath)
  const response = await ben.fetch(filePath)
  const reader = response.body?.getReader()
  await reader?.read()
  await remove(anna)
  const rest = (async () => {
    while (reader && !(await reader.read()).done);
  })()
  await expect(rest).rejects.toThrow()
  expect(await objects(server)).toEqual([])
})

test('after a stop between the deletion and the bytes, the next start destroys them', async () => {
  await using server = await createTestServer()
  const { anna, ben, send, sendFile, connection } = await createTalk(server)
  await send(ben)
  await sendFile(anna)
  await sendFile(ben)
  const { storage } = server.core
  const original = storage.remove
  storage.remove = () => Promise.reject(new Error('the disk is gone'))
  await remove(anna)
  storage.remove = original
  expect(await objects(server)).toHaveLength(2)
  const { connectionCode } = anna.user
  expect((await ben.refused(connections.create, { body: { connectionCode } })).body.code).toBe('CODE_UNKNOWN')
  await server.restart()
  expect(await objects(server)).toEqual([])
  const left = await findPlaces(server, [anna.user.id, connection.id])
  expect(left.filter((place) => !records.includes(place) && place !== 'audit_log.details')).toEqual([])
})
