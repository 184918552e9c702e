import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { notifications } from '@privity/contract/notifications'
import { recovery } from '@privity/contract/recovery'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createNotified, type Notified } from '../../support/scenes/notifications.ts'
import { checkFile, createTalk, makeGrant, type Talk } from '../../support/scenes/conversation.ts'
import { refuse } from '../../support/database/schema.ts'

let server: TestServer
let notified: Notified
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many, signUp: many } } })
  notified = createNotified(server)
})
afterAll(() => server.close())

const whoOf = ({ user: { id, firstName, lastName } }: Member) => ({ id, firstName, lastName })

describe('what an account is told', () => {
  test('a connection is notified, live and after a restart, to the owner of the code only', async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    const { id: connectionId } = await server.connect(anna, ben)
    const told = { kind: 'connection_created', id: expect.any(String), connectionId, who: whoOf(anna) }
    const notification = { ...told, createdAt: server.clock.now(), read: false }
    expect((await ofBen.next('notification')).notification).toEqual(notification)
    await ofAnna.settled()
    expect(ofAnna.frames.filter(({ type }) => type === 'notification')).toEqual([])
    for (const socket of [ofAnna, ofBen]) socket.close()
    await server.restart()
    expect(await notified.list(ben)).toEqual({ notifications: [notification], unread: 1, more: false })
    expect(await notified.list(anna)).toEqual({ notifications: [], unread: 0, more: false })
  })

  test('a request for its file, read once it is decided, and each decision on its own request', async () => {
    const talk = await createTalk(server)
    const { anna, ben, connection } = talk
    const { filePath } = await talk.sendFile(anna)
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    const { authorizationId = '' } = await notified.ask(ben, filePath)
    const shared = { filePath, connectionId: connection.id }
    const requested = { kind: 'file_requested', who: whoOf(ben), ...shared, read: false }
    expect((await ofAnna.next('notification')).notification).toMatchObject(requested)
    await notified.decide(anna, authorizationId, true)
    const decided = { kind: 'file_decided', who: whoOf(anna), ...shared, read: false }
    expect((await ofBen.next('notification')).notification).toMatchObject({ ...decided, decision: 'approved' })
    expect(await ofAnna.next('notifications_changed')).toBeDefined()
    expect(await notified.list(anna)).toMatchObject({ notifications: [{ ...requested, read: true }], unread: 0 })
    await notified.decide(anna, authorizationId, false)
    const [revoked, created, ...more] = (await notified.list(ben)).notifications
    expect(revoked).toMatchObject({ ...decided, decision: 'revoked' })
    expect([created?.kind, more]).toEqual(['connection_created', []])
  })

  test('a denial', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    const { authorizationId = '' } = await notified.ask(talk.ben, filePath)
    await notified.decide(talk.anna, authorizationId, false)
    expect((await notified.list(talk.ben)).notifications[0]).toMatchObject({ kind: 'file_decided', decision: 'denied' })
  })

  test('a sign-in by a new browser, with device, address and time; to that browser it is no news', async () => {
    const anna = await server.signUp()
    expect(await notified.kinds(anna)).toEqual([])
    const socket = await anna.socket()
    const stranger = await notified.signIn(anna)
    const told = {
      kind: 'signed_in',
      device: 'Firefox on Android',
      address: stranger.address,
      read: false,
      current: false,
    }
    const createdAt = server.clock.now()
    expect((await socket.next('notification')).notification).toMatchObject({ ...told, createdAt })
    expect(await notified.list(anna)).toMatchObject({ notifications: [told], unread: 1 })
    const seenByIt = await stranger.call(notifications.list, { query: {} })
    expect(seenByIt).toMatchObject({ notifications: [{ ...told, read: true, current: true }], unread: 0 })
    const own = (await stranger.call(session.listSessions, {})).find(({ current }) => current)
    expect(seenByIt.notifications[0]).toMatchObject({ sessionId: own?.id })
  })

  test('a sign-in by a browser that has signed in before is listed as read', async () => {
    const anna = await server.signUp()
    const again = await notified.signIn(anna)
    await again.call(session.logout, {})
    await notified.signIn(anna, again)
    const { notifications: both, unread } = await notified.list(anna)
    expect(both.map(({ read }) => read)).toEqual([true, false])
    expect(unread).toBe(1)
  })

  test('a password set with the recovery key', async () => {
    const anna = await server.signUp()
    const thief = server.visitor()
    const proof = { username: anna.user.username, recoveryProof: anna.keys?.recoveryProof ?? '' }
    await thief.call(recovery.finish, { body: { ...proof, password: 'another', wrappedAccountKey: wrapped() } })
    await notified.signIn({ ...anna, password: 'another' }, anna)
    const told = (await notified.list(anna)).notifications
    expect(told.map(({ kind }) => kind).toSorted()).toEqual(['account_changed', 'signed_in', 'signed_in'])
    expect(told).toContainEqual(expect.objectContaining({ kind: 'signed_in', address: thief.address, read: false }))
  })

  test('of a file never its name, its key or a word of content', async () => {
    const talk = await createTalk(server)
    const message = await talk.sendFile(talk.anna)
    const { authorizationId = '' } = await notified.ask(talk.ben, message.filePath)
    await notified.decide(talk.anna, authorizationId, true)
    const rows = await server.core.db.read.all('select * from notifications where file_id is not null')
    const said = JSON.stringify([rows, await notified.list(talk.anna), await notified.list(talk.ben)])
    for (const secret of [message.fileName, message.fileKey, message.content]) expect(said).not.toContain(secret)
  })
})

describe('a changed key that a browser found', () => {
  const report = (member: Member, { connection }: Talk, identityKey = '') =>
    member.request('POST', '/api/notifications/key-changes', { connectionId: connection.id, identityKey })

  test('is kept once for a key, and told live', async () => {
    const talk = await createTalk(server)
    const { anna, ben, connection } = talk
    const socket = await anna.socket()
    const answers = await Promise.all(Array.from({ length: 5 }, () => report(anna, talk, ben.keys?.identityKey)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const told = { kind: 'key_changed', connectionId: connection.id, who: whoOf(ben), read: false }
    expect((await socket.next('notification')).notification).toMatchObject(told)
    expect(await notified.list(anna)).toMatchObject({ notifications: [told], unread: 1 })
    expect(await notified.kinds(ben)).toEqual(['connection_created'])
  })

  test('is refused for a key that is not the contact’s', async () => {
    const talk = await createTalk(server)
    const answer = await report(talk.anna, talk, talk.anna.keys?.identityKey)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await notified.kinds(talk.anna)).toEqual([])
  })
})

describe('the same transaction', () => {
  test('an action that fails leaves no notification', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    const before = [await notified.list(talk.anna), await notified.list(talk.ben)]
    await talk.anna.refused(connections.create, { body: { connectionCode: talk.ben.user.connectionCode } })
    await talk.ben.refused(files.request, { body: { filePath: `/objects/${talk.ben.user.id}` } })
    const { username } = talk.ben.user
    await server.visitor().refused(session.login, { body: { username, password: 'wrong' } })
    const { authorizationId: id = '' } = await notified.ask(talk.ben, filePath)
    const stale = { authorize: true, grant: makeGrant(2) }
    const answer = await talk.anna.refused(files.decide, { params: { id }, body: stale })
    expect(answer.body.code).toBe('EPOCH_SUPERSEDED')
    expect(await notified.list(talk.ben)).toEqual(before[1])
    expect(await notified.list(talk.anna)).toMatchObject({ unread: 1, notifications: [{ kind: 'file_requested' }] })
  })

  test('a notification that cannot be kept undoes the action', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    const allow = await refuse(server.core.db, 'notifications')
    const answer = await talk.ben.request('POST', files.request.path, { filePath })
    await allow()
    expect(answer.status).toBe(500)
    expect(await checkFile(talk.ben, filePath)).toEqual({ status: 'none' })
  })
})

describe('the list', () => {
  test('comes newest first in pages, each with the unread count of all', async () => {
    const ben = await server.signUp()
    const others = await notified.connectMany(ben, 5)
    const first = await notified.list(ben, { limit: 2 })
    const second = await notified.list(ben, { limit: 2, before: first.notifications[1]?.id ?? '' })
    const third = await notified.list(ben, { limit: 2, before: second.notifications[1]?.id ?? '' })
    expect([first, second, third].map(({ more, unread }) => [more, unread])).toEqual([
      [true, 5],
      [true, 5],
      [false, 5],
    ])
    const told = [first, second, third].flatMap((page) => page.notifications)
    const names = told.map((each) => (each.kind === 'connection_created' ? each.who.id : each.kind))
    expect(names).toEqual(others.map(({ user }) => user.id).reverse())
  })

  test('is answered with 304 while nothing has changed', async () => {
    const { ben } = await createTalk(server)
    const etag = (await ben.request('GET', '/api/notifications')).headers.get('etag') ?? ''
    expect((await ben.request('GET', '/api/notifications', undefined, { 'if-none-match': etag })).status).toBe(304)
    await ben.call(notifications.markRead, { body: {} })
    expect((await ben.request('GET', '/api/notifications', undefined, { 'if-none-match': etag })).status).toBe(200)
  })

  test('is marked as read, some or all, and every tab hears of it', async () => {
    const ben = await server.signUp()
    await notified.connectMany(ben, 3)
    const socket = await ben.socket()
    const ids = (await notified.list(ben)).notifications.map(({ id }) => id)
    expect(await ben.call(notifications.markRead, { body: { ids: ids.slice(0, 1) } })).toEqual({ unread: 2 })
    await socket.next('notifications_changed')
    expect((await notified.list(ben)).notifications.map(({ read }) => read)).toEqual([true, false, false])
    expect(await ben.call(notifications.markRead, { body: {} })).toEqual({ unread: 0 })
    await socket.next('notifications_changed')
    await ben.call(notifications.markRead, { body: {} })
    await socket.settled()
    expect(socket.frames.filter(({ type }) => type === 'notifications_changed')).toEqual([])
  })

  test('is cleared, but for what came after the newest that was seen, and stays so after a restart', async () => {
    const ben = await server.signUp()
    await notified.connectMany(ben, 2)
    const newest = (await notified.list(ben)).notifications[0]?.id ?? ''
    await notified.connectMany(ben, 1)
    expect(await ben.call(notifications.clear, { query: { newest } })).toEqual({ unread: 1 })
    const [left] = (await notified.list(ben)).notifications
    await ben.call(notifications.remove, { params: { id: left?.id ?? '' } })
    await notified.connectMany(ben, 1)
    const socket = await ben.socket()
    expect(await ben.call(notifications.clear, { query: {} })).toEqual({ unread: 0 })
    await socket.next('notifications_changed')
    socket.close()
    await server.restart()
    expect(await notified.list(ben)).toEqual({ notifications: [], unread: 0, more: false })
  })

  test('of another account is out of reach: nothing of it is read, marked or removed', async () => {
    const { anna, ben } = await createTalk(server)
    const before = await notified.list(ben)
    const ids = before.notifications.map(({ id }) => id)
    expect(await anna.call(notifications.markRead, { body: { ids } })).toEqual({ unread: 0 })
    await anna.call(notifications.clear, { query: {} })
    const refusal = await anna.refused(notifications.remove, { params: { id: ids[0] ?? '' } })
    expect(refusal).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
    expect(await notified.list(ben)).toEqual(before)
    expect(await notified.list(anna)).toMatchObject({ notifications: [] })
  })
})

describe('bad input', () => {
  const good = '01890000-0000-7000-8000-000000000000'
  test.each([
    ['GET', '/api/notifications?limit=0'],
    ['GET', '/api/notifications?limit=201'],
    ['GET', '/api/notifications?limit=x'],
    ['GET', '/api/notifications?before=7'],
    ['PUT', '/api/notifications/read'],
    ['PUT', '/api/notifications/read', { ids: [] }],
    ['PUT', '/api/notifications/read', { ids: 'all' }],
    ['PUT', '/api/notifications/read', { ids: ['7'] }],
    ['PUT', '/api/notifications/read', { ids: Array.from({ length: 201 }, () => good) }],
    ['DELETE', '/api/notifications?newest=x'],
    ['DELETE', '/api/notifications/x'],
    ['POST', '/api/notifications/key-changes', { connectionId: good }],
    ['POST', '/api/notifications/key-changes', { connectionId: 'x', identityKey: 'A'.repeat(43) }],
    ['POST', '/api/notifications/key-changes', { connectionId: good, identityKey: 'A'.repeat(42) }],
  ])('%s %s %j is refused and changes nothing', async (method, path, body?: object) => {
    const { ben } = await createTalk(server)
    const before = await notified.list(ben)
    const answer = await ben.request(method, path, body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await notified.list(ben)).toEqual(before)
  })
})
