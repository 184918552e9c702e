import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createTalk, type Talk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const [hour, eightHours, day] = limits.lifetimes

const set = ({ connection }: Talk, member: Member, lifetime: (typeof limits.lifetimes)[number]) =>
  member.call(connections.setLifetime, { params: { id: connection.id }, body: { lifetime } })
const lifetimesOf = async (member: Member) => (await member.call(connections.list, {})).map(({ lifetime }) => lifetime)
const livesFor = ({ createdAt, expiresAt }: { createdAt: number; expiresAt: number }) => expiresAt - createdAt

test('messages live 24 hours until a side sets another lifetime, which holds for both and stays', async () => {
  const talk = await createTalk(server)
  const { anna, ben } = talk
  expect(talk.connection.lifetime).toBe(day)
  expect(livesFor(await talk.send(anna))).toBe(day)
  expect(await set(talk, ben, hour)).toEqual({ lifetime: hour })
  for (const member of [anna, ben]) expect(livesFor(await talk.send(member))).toBe(hour)
  await server.restart()
  expect([await lifetimesOf(anna), await lifetimesOf(ben)]).toEqual([[hour], [hour]])
  expect(livesFor(await talk.send(anna))).toBe(hour)
  await set(talk, anna, day)
  expect(livesFor(await talk.send(ben))).toBe(day)
})

test('a message of a shorter life is gone for both once it is over, and earlier ones keep theirs', async () => {
  const talk = await createTalk(server)
  const { anna, ben, connection } = talk
  const before = await talk.send(anna)
  await set(talk, anna, hour)
  await talk.send(ben)
  await server.advance(hour)
  for (const member of [anna, ben]) {
    const listed = await member.call(messages.list, { params: { id: connection.id }, query: {} })
    expect(listed.map(({ id }) => id)).toEqual([before.id])
  }
})

test('a file lives as long as its message', async () => {
  const talk = await createTalk(server)
  await set(talk, talk.anna, eightHours)
  const { filePath } = await talk.sendFile(talk.anna)
  const rows = await server.core.db.read.all<{ expires_at: number }>('select expires_at from files where id = ?', [
    filePath.split('/').at(-1) ?? '',
  ])
  expect(rows).toEqual([{ expires_at: server.clock.now() + eightHours }])
})

test('both hear of a change live, with the one who made it, and only of a change', async () => {
  const talk = await createTalk(server)
  const { anna, ben, connection } = talk
  const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
  await set(talk, anna, day)
  await set(talk, anna, eightHours)
  const frame = { type: 'lifetime_changed', connectionId: connection.id, lifetime: eightHours, userId: anna.user.id }
  expect(await ofAnna.next('lifetime_changed')).toEqual(frame)
  expect(await ofBen.next('lifetime_changed')).toEqual(frame)
  ofAnna.close()
  ofBen.close()
})

test('a message that was sealed with another lifetime is refused and takes no number', async () => {
  const talk = await createTalk(server)
  const { anna } = talk
  for (const lifetime of [day, day]) await talk.send(anna, { lifetime })
  await set(talk, talk.ben, hour)
  const refusal = await anna.refused(messages.send, { body: talk.text(anna, { lifetime: day }) })
  expect(refusal).toMatchObject({ status: 409, body: { code: 'LIFETIME_CHANGED' } })
  expect(await talk.send(anna, { lifetime: hour })).toMatchObject({ seq: 3 })
})

test('a message that was stored before a change is answered again under its old lifetime', async () => {
  const talk = await createTalk(server)
  const body = talk.text(talk.anna, { lifetime: day })
  const first = await talk.anna.call(messages.send, { body })
  await set(talk, talk.anna, hour)
  expect(await talk.anna.request('POST', '/api/messages', body)).toMatchObject({ status: 200, body: first })
})

test('two who set it at the same time leave one of the two lifetimes, the same for both', async () => {
  const talk = await createTalk(server)
  await Promise.all([set(talk, talk.anna, hour), set(talk, talk.ben, eightHours)])
  const [[ofAnna], [ofBen]] = [await lifetimesOf(talk.anna), await lifetimesOf(talk.ben)]
  expect(ofAnna).toBe(ofBen)
  expect([hour, eightHours]).toContain(ofAnna)
})

test('nobody else can set it, and no other lifetime is taken', async () => {
  const talk = await createTalk(server)
  const other = await server.signUp()
  const params = { id: talk.connection.id }
  const refusal = await other.refused(connections.setLifetime, { params, body: { lifetime: hour } })
  expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
  for (const lifetime of [0, -1, 1, hour + 1, 2 * day, 1e300, null, 'hour', undefined]) {
    const path = `/api/connections/${talk.connection.id}/lifetime`
    expect((await talk.anna.request('PUT', path, { lifetime })).status, String(lifetime)).toBe(400)
  }
  expect(await lifetimesOf(talk.anna)).toEqual([day])
})

test('a change is logged with the lifetime, for both', async () => {
  const talk = await createTalk(server)
  await set(talk, talk.anna, hour)
  const entries = await server.core.db.read.all<{ details: string; actor_id: string; target_id: string }>(
    "select details, actor_id, target_id from audit_log where action = 'message_lifetime_changed' and actor_id = ?",
    [talk.anna.user.id],
  )
  expect(entries).toHaveLength(1)
  expect(entries[0]).toMatchObject({ target_id: talk.ben.user.id })
  expect(JSON.stringify(entries[0]?.details)).toContain(String(hour))
})

test('a server that keeps messages shorter never lets them live longer', async () => {
  await using short = await createTestServer({ env: { MESSAGE_RETENTION: '2h' } })
  const talk = await createTalk(short)
  expect(talk.connection.lifetime).toBe(2 * hour)
  expect(await set(talk, talk.anna, eightHours)).toEqual({ lifetime: 2 * hour })
  expect(livesFor(await talk.send(talk.ben))).toBe(2 * hour)
  await set(talk, talk.anna, hour)
  expect(livesFor(await talk.send(talk.ben, { lifetime: hour }))).toBe(hour)
})
