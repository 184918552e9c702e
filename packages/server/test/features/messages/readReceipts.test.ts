import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import type { TestSocket } from '../../support/server/testSocket.ts'
import { createTalk, type Talk } from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const params = () => ({ params: { id: talk.connection.id } })
const read = (member: Member) => member.call(messages.markRead, params())
const unread = (member: Member) => member.call(messages.unreadCounts, {})

/** The progress of `of`, as `viewer` receives it. */
async function progress(viewer: Member, of: Member) {
  const both = await viewer.call(messages.progress, params())
  return both.find(({ userId }) => userId === of.user.id)
}

const told = ({ frames }: TestSocket) => frames.flatMap((frame) => (frame.type === 'progress' ? [frame.progress] : []))

async function receive(member: Member, seq: number): Promise<void> {
  const socket = await member.socket()
  socket.send({ type: 'received', connectionId: talk.connection.id, seq })
  await socket.settled()
  await server.advance(100)
}

test.each(['the reader', 'the sender'])(
  'with receipts off for %s, neither sees what the other has read',
  async (who) => {
    const { anna, ben } = talk
    await talk.send(anna)
    await talk.send(ben)
    await prefer(who === 'the reader' ? ben : anna, { readReceipts: false })
    await read(ben)
    await read(anna)
    for (const [viewer, of] of [
      [anna, ben],
      [ben, anna],
    ] as const) {
      expect(await progress(viewer, of)).toEqual({
        connectionId: talk.connection.id,
        userId: of.user.id,
        deliveredSeq: 2,
      })
      expect(await progress(viewer, viewer)).toMatchObject({ readSeq: 2 })
    }
  },
)

test('one’s own unread badge goes on working', async () => {
  const { anna, ben, connection } = talk
  await prefer(ben, { readReceipts: false })
  await talk.send(anna)
  expect(await unread(ben)).toEqual([{ connectionId: connection.id, count: 1 }])
  const elsewhere = await ben.socket()
  await read(ben)
  expect(await unread(ben)).toEqual([])
  expect((await elsewhere.next('progress')).progress).toMatchObject({ userId: ben.user.id, readSeq: 1 })
})

test('"Delivered" stays, and reading sends the sender no notice to tell the time by', async () => {
  const { anna, ben } = talk
  await prefer(ben, { readReceipts: false })
  await talk.send(anna)
  const socket = await anna.socket()
  await receive(ben, 1)
  expect((await socket.next('progress')).progress).toEqual({
    connectionId: talk.connection.id,
    userId: ben.user.id,
    deliveredSeq: 1,
  })
  await read(ben)
  await socket.settled()
  expect(told(socket)).toEqual([])
  expect(await progress(anna, ben)).toEqual({
    connectionId: talk.connection.id,
    userId: ben.user.id,
    deliveredSeq: 1,
  })
})

test('switching off takes back at once what open browsers show, on both sides', async () => {
  const { anna, ben } = talk
  await talk.send(anna)
  await talk.send(ben)
  await Promise.all([read(anna), read(ben)])
  expect(await progress(anna, ben)).toMatchObject({ readSeq: 2 })
  const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
  await prefer(ben, { readReceipts: false })
  await Promise.all([ofAnna.settled(), ofBen.settled()])
  const taken = (of: Member) => ({ connectionId: talk.connection.id, userId: of.user.id, deliveredSeq: 2 })
  expect(told(ofAnna)).toEqual([taken(ben)])
  expect(told(ofBen)).toEqual([taken(anna)])
})

test('switching on again reveals nothing read meanwhile; later reads are reported', async () => {
  const { anna, ben } = talk
  await talk.send(anna)
  await read(ben)
  await prefer(ben, { readReceipts: false })
  await talk.send(anna)
  await read(ben)
  const socket = await anna.socket()
  await prefer(ben, { readReceipts: true })
  await socket.settled()
  expect(told(socket)).toEqual([expect.objectContaining({ userId: ben.user.id, readSeq: 1 })])
  await read(ben)
  expect(await progress(anna, ben)).toMatchObject({ readSeq: 1 })
  await talk.send(anna)
  await read(ben)
  expect(await progress(anna, ben)).toMatchObject({ readSeq: 3 })
})

test('what a contact read while the sender kept receipts off is not told later either', async () => {
  const { anna, ben } = talk
  await prefer(anna, { readReceipts: false })
  await talk.send(anna)
  await read(ben)
  await prefer(anna, { readReceipts: true })
  expect(await progress(anna, ben)).toMatchObject({ readSeq: 0 })
})

test('once switching off is answered, no concurrent read is reported', async () => {
  const { anna, ben } = talk
  const socket = await anna.socket()
  for (let round = 0; round < 10; round++) {
    await prefer(ben, { readReceipts: true })
    await talk.send(anna)
    const reading = Array.from({ length: 3 }, () => read(ben))
    const switched = prefer(ben, { readReceipts: false })
    await Promise.all([...reading, switched])
    await socket.settled()
    // In any order, the last notice to the sender has no reading progress.
    expect(told(socket).at(-1)).not.toHaveProperty('readSeq')
    expect(await progress(anna, ben)).not.toHaveProperty('readSeq')
    socket.frames.length = 0
    await talk.send(anna)
    await read(ben)
    await socket.settled()
    expect(told(socket).filter((each) => 'readSeq' in each)).toEqual([])
  }
})

test('another member cannot switch it for somebody else', async () => {
  const { anna, ben } = talk
  await talk.send(anna)
  await read(ben)
  await anna.request('PATCH', '/api/preferences', { readReceipts: true, userId: ben.user.id })
  await prefer(ben, { readReceipts: false })
  await anna.request('PATCH', '/api/preferences', { readReceipts: true, userId: ben.user.id, user_id: ben.user.id })
  expect(await progress(anna, ben)).not.toHaveProperty('readSeq')
})
