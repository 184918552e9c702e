import { keys } from '@privity/contract/keys'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeContent, makeEnvelope, makeEpoch, publication } from '../../support/server/memberKeys.ts'
import type { TestSocket } from '../../support/server/testSocket.ts'
import { countRows, createTalk, type Talk } from '../../support/scenes/conversation.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { send: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const list = (member: Member, query: Record<string, number> = {}) =>
  member.call(messages.list, { params: { id: talk.connection.id }, query })
const seqs = async (member: Member, query?: Record<string, number>) => (await list(member, query)).map(({ seq }) => seq)
const sendMany = (from: Member, count: number) => Promise.all(Array.from({ length: count }, () => talk.send(from)))
const unread = (member: Member) => member.call(messages.unreadCounts, {})
const read = (member: Member) => member.call(messages.markRead, { params: { id: talk.connection.id } })
const told = ({ frames }: TestSocket) => frames.filter(({ type }) => type === 'progress')
const progress = (member: Member) => member.call(messages.progress, { params: { id: talk.connection.id } })

const ofTalk = 'select id from messages where connection_id = ?'

describe('the list', () => {
  test('gives the newest 50, oldest first, and pages in both directions', async () => {
    await sendMany(talk.anna, 55)
    expect(await seqs(talk.ben)).toEqual(Array.from({ length: 50 }, (_, at) => at + 6))
    expect(await seqs(talk.ben, { before: 6 })).toEqual([1, 2, 3, 4, 5])
    expect(await seqs(talk.ben, { limit: 3 })).toEqual([53, 54, 55])
    expect(await seqs(talk.ben, { limit: 3, before: 54 })).toEqual([51, 52, 53])
    expect(await seqs(talk.ben, { after: 52 })).toEqual([53, 54, 55])
    expect(await seqs(talk.ben, { after: 0, limit: 2 })).toEqual([1, 2])
    expect(await seqs(talk.ben, { after: 50, before: 53 })).toEqual([51, 52])
    expect(await seqs(talk.ben, { after: 55 })).toEqual([])
  })

  test.each([
    'limit=0',
    'limit=201',
    'limit=x',
    'limit=1.5',
    'before=0',
    'before=-1',
    'after=-1',
    'after=1e99',
    'before=',
  ])('refuses %s', async (query) => {
    const answer = await talk.anna.request('GET', `/api/connections/${talk.connection.id}/messages?${query}`)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })

  test('gives each envelope once in an answer, with the first message that needs it', async () => {
    const { anna, ben, connection } = talk
    await talk.send(anna)
    await talk.send(ben)
    await talk.send(anna)
    await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, server.clock.now())))
    const ends = { connectionId: connection.id, from: anna.user.id, to: ben.user.id }
    const envelope = makeEnvelope(ends, { epochFrom: 2, epochTo: 1 }, server.clock.now())
    const { content } = makeContent(envelope.id)
    await anna.call(messages.send, { body: { connectionId: connection.id, content, envelope } })
    const all = await list(ben)
    expect(all.map((each) => each.envelope !== undefined)).toEqual([true, true, false, true])
    expect(all[3]?.envelope).toEqual(envelope)
    expect((await list(ben, { after: 1 })).map((each) => each.envelope?.id)).toEqual([
      all[1]?.envelope?.id,
      all[0]?.envelope?.id,
      envelope.id,
    ])
  })

  test('never gives a message at or after its expiry, to the millisecond', async () => {
    const { anna, ben } = talk
    const day = 24 * 60 * 60 * 1000
    const stored = async () => (await server.core.db.read.all(ofTalk, [talk.connection.id])).length
    // Between two runs of the job that deletes expired messages, which runs at whole seconds.
    await server.advance(500)
    await talk.send(anna)
    server.clock.advance(1000)
    await talk.send(ben)
    await server.advance(day - 1001)
    expect(await seqs(anna)).toEqual([1, 2])
    expect(await unread(ben)).toEqual([{ connectionId: talk.connection.id, count: 1 }])
    server.clock.advance(1)
    expect(await stored()).toBe(2)
    expect(await seqs(anna)).toEqual([2])
    expect(await seqs(anna, { after: 0 })).toEqual([2])
    expect(await unread(ben)).toEqual([])
    expect(await unread(anna)).toHaveLength(1)
    server.clock.advance(999)
    expect(await seqs(anna)).toEqual([2])
    server.clock.advance(1)
    expect(await seqs(anna)).toEqual([])
    expect(await unread(anna)).toEqual([])
    await talk.renewEpoch(anna)
    const next = await talk.send(anna)
    expect(next.seq).toBe(3)
  })

  test('an expired message sent again is not given back', async () => {
    const body = talk.text(talk.anna)
    const post = () => talk.anna.request('POST', '/api/messages', body)
    const { id } = (await post()).body as { id: string }
    const expire = 'update messages set expires_at = ? where id = ?'
    await server.core.db.write((tx) => tx.run(expire, [server.clock.now(), id]))
    expect(await post()).toMatchObject({ status: 409, body: { code: 'MESSAGE_ID_TAKEN' } })
    await server.advance(15_000)
    expect(await post()).toMatchObject({ status: 201, body: { id, seq: 2, createdAt: server.clock.now() } })
  })
})

describe('reading', () => {
  test('counts what the other sent and one has not read', async () => {
    const { anna, ben, connection } = talk
    await sendMany(anna, 3)
    await talk.send(ben)
    expect(await unread(ben)).toEqual([{ connectionId: connection.id, count: 3 }])
    expect(await unread(anna)).toEqual([{ connectionId: connection.id, count: 1 }])
    await read(ben)
    expect(await unread(ben)).toEqual([])
    expect(await unread(anna)).toHaveLength(1)
    await talk.send(anna)
    expect(await unread(ben)).toEqual([{ connectionId: connection.id, count: 1 }])
  })

  test('counts up to 200, over both sides of any number of connections', { timeout: 30_000 }, async () => {
    const { anna, ben, connection } = talk
    await sendMany(anna, 201)
    const cleo = await createTalk(server)
    const other = await server.connect(cleo.anna, ben)
    const ends = { connectionId: other.id, from: cleo.anna.user.id, to: ben.user.id }
    const envelope = makeEnvelope(ends, undefined, server.clock.now())
    const body = { connectionId: other.id, content: makeContent(envelope.id).content, envelope }
    await cleo.anna.call(messages.send, { body })
    const counts = await unread(ben)
    expect(counts).toHaveLength(2)
    expect(counts).toContainEqual({ connectionId: connection.id, count: 200 })
    expect(counts).toContainEqual({ connectionId: other.id, count: 1 })
  })

  test('finds what the other sent last, however much one has sent oneself around it', { timeout: 30_000 }, async () => {
    const { anna, ben, connection } = talk
    await talk.send(anna)
    await sendMany(ben, 220)
    await talk.send(anna)
    await sendMany(ben, 220)
    expect(await unread(ben)).toEqual([{ connectionId: connection.id, count: 1 }])
    await read(ben)
    expect(await unread(ben)).toEqual([])
  })

  test('tells both how far it went, once', async () => {
    const { anna, ben, connection } = talk
    await sendMany(anna, 2)
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    await read(ben)
    const expected = { connectionId: connection.id, userId: ben.user.id, deliveredSeq: 2, readSeq: 2 }
    for (const socket of [ofAnna, ofBen]) expect((await socket.next('progress')).progress).toEqual(expected)
    expect(await progress(anna)).toContainEqual(expected)
    expect(await progress(ben)).toEqual(await progress(anna))
    await read(ben)
    await read(anna)
    await talk.send(ben)
    await read(ben)
    await Promise.all([ofAnna.settled(), ofBen.settled()])
    expect(told(ofAnna)).toEqual([])
  })

  sqliteTest('changes')('what was read already is not written again', async () => {
    const { anna, ben } = talk
    await sendMany(anna, 2)
    await read(ben)
    const changes = () => server.core.db.write((tx) => tx.get<{ n: number }>('select total_changes() as n'))
    const before = await changes()
    await read(ben)
    await read(anna)
    await talk.send(ben)
    await read(ben)
    const sent = 4 // Ben's message, its connection, its envelope, and the counter of its minute
    expect((await changes())?.n).toBe((before?.n ?? 0) + sent)
  })

  test('a connection of others cannot be read, nor its progress', async () => {
    const stranger = (await createTalk(server)).anna
    await sendMany(talk.anna, 1)
    const params = { id: talk.connection.id }
    const before = await countRows(server)
    expect((await stranger.refused(messages.markRead, { params })).body.code).toBe('CONNECTION_NOT_FOUND')
    expect((await stranger.refused(messages.progress, { params })).body.code).toBe('CONNECTION_NOT_FOUND')
    expect(await countRows(server)).toEqual(before)
    expect(await unread(talk.ben)).toHaveLength(1)
  })
})

describe('receiving', () => {
  test('is told to both, a burst as one', async () => {
    const { anna, ben, connection } = talk
    await sendMany(anna, 5)
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    for (const seq of [1, 2, 5, 4, 3]) ofBen.send({ type: 'received', connectionId: connection.id, seq })
    await ofBen.settled()
    expect(await progress(anna)).toContainEqual(expect.objectContaining({ userId: ben.user.id, deliveredSeq: 0 }))
    await server.advance(100)
    const expected = { connectionId: connection.id, userId: ben.user.id, deliveredSeq: 5, readSeq: 0 }
    expect((await ofAnna.next('progress')).progress).toEqual(expected)
    expect((await ofBen.next('progress')).progress).toEqual(expected)
    expect(told(ofAnna)).toEqual([])
  })

  test('never goes back, beyond what was sent, or into a connection of others', async () => {
    const { anna, ben, connection } = talk
    await sendMany(anna, 2)
    const stranger = await (await createTalk(server)).anna.socket()
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    stranger.send({ type: 'received', connectionId: connection.id, seq: 2 })
    ofBen.send({ type: 'received', connectionId: '01900000-0000-7000-8000-000000000000', seq: 2 })
    ofBen.send({ type: 'received', connectionId: connection.id, seq: 1_000_000 })
    await Promise.all([stranger.settled(), ofBen.settled()])
    await server.advance(100)
    expect((await ofAnna.next('progress')).progress).toMatchObject({ userId: ben.user.id, deliveredSeq: 2 })
    ofBen.send({ type: 'received', connectionId: connection.id, seq: 1 })
    await ofBen.settled()
    await server.advance(100)
    await sendMany(anna, 1)
    await ofAnna.next('new_message')
    expect(told(ofAnna)).toEqual([])
    expect(told(stranger)).toEqual([])
    expect(await progress(ben)).toContainEqual(expect.objectContaining({ userId: ben.user.id, deliveredSeq: 2 }))
  })
})
