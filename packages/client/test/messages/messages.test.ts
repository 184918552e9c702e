import { expect, test } from 'vitest'
import type { Envelope, Message } from '@privity/contract/messages'
import { fromBase64url, toBase64url } from '@privity/e2ee'
import {
  collect,
  connected,
  createStage,
  next,
  reaches,
  reconnected,
  sentAll,
  texts,
  textOf,
} from '../support/stage.ts'

test('two people chat both ways, live', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  const kept = await anna.client.messages.send(connectionId, '  Hello Ben  ')
  expect(kept).toMatchObject({ connectionId, state: 'waiting', body: { kind: 'text', text: 'Hello Ben' } })
  const first = await heard
  expect(first).toMatchObject({ id: kept.id, mine: false, seq: 1, senderId: anna.user.id })
  expect(textOf(first)).toBe('Hello Ben')

  const answer = next(anna, 'message')
  await ben.client.messages.send(connectionId, 'Hello Anna')
  expect(textOf(await answer)).toBe('Hello Anna')
  expect(await texts(anna, connectionId)).toEqual(['Hello Ben', 'Hello Anna'])
  expect(await texts(ben, connectionId)).toEqual(['Hello Ben', 'Hello Anna'])
})

test('every message is told once, in order, to both sides and to both browsers of one user', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const annaElsewhere = await stage.signIn(anna)
  await connected(annaElsewhere)
  const heard = [anna, annaElsewhere, ben].map((tab) => collect(tab, 'message'))
  const sent = Array.from({ length: 12 }, (_, at) => `Number ${at}`)
  for (const text of sent) await anna.client.messages.send(connectionId, text)
  await sentAll(anna)
  await ben.client.messages.send(connectionId, 'The last')
  await sentAll(ben)
  await expect.poll(() => heard.map((events) => events.length)).toEqual([13, 13, 13])
  for (const events of heard) expect(events.map(textOf)).toEqual([...sent, 'The last'])
})

test('a message leaves the outbox right after the event that tells of it', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const inOutbox = new Promise<number>((resolve) => {
    anna.client.on('message', () => resolve(anna.client.outbox.get().length))
  })
  await anna.client.messages.send(connectionId, 'Hello')
  expect(await inOutbox).toBe(1)
  await sentAll(anna)
})

test('an empty text and one of over 500 characters are refused; 500 of any alphabet are not', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await expect(anna.client.messages.send(connectionId, ' \n ')).rejects.toMatchObject({ code: 'EMPTY' })
  await expect(anna.client.messages.send(connectionId, '\u200b\u3164')).rejects.toMatchObject({ code: 'EMPTY' })
  await expect(anna.client.messages.send(connectionId, '𝄞'.repeat(501))).rejects.toMatchObject({ code: 'TOO_LONG' })
  expect(anna.client.outbox.get()).toEqual([])
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, '𝄞'.repeat(500))
  expect(textOf(await heard)).toBe('𝄞'.repeat(500))
})

test('older messages come by pages of 50, and each page opens by itself in a fresh browser', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (let at = 1; at <= 60; at++) await anna.client.messages.send(connectionId, `Number ${at}`)
  // The rate limit for sending has a window of ten seconds.
  while (anna.client.outbox.get().length > 0) {
    await stage.advance(10_000)
    await Promise.race([sentAll(anna), next(anna, 'message')])
  }
  const elsewhere = await stage.signIn(ben)
  const newest = await elsewhere.client.messages.list(connectionId)
  expect(newest.map(textOf)).toEqual(Array.from({ length: 50 }, (_, at) => `Number ${at + 11}`))
  const yetElsewhere = await stage.signIn(ben)
  const older = await yetElsewhere.client.messages.list(connectionId, { before: 11 })
  expect(older.map(textOf)).toEqual(Array.from({ length: 10 }, (_, at) => `Number ${at + 1}`))
})

test('unread counts, read and delivered follow the other side', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const progressOfBen = async () =>
    (await anna.client.messages.progress(connectionId)).find(({ userId }) => userId === ben.user.id)

  ben.network.offline = true
  await reaches(ben.client.live, (state) => state === 'disconnected')
  await anna.client.messages.send(connectionId, 'Hello')
  await sentAll(anna)
  expect(await progressOfBen()).toMatchObject({ deliveredSeq: 0, readSeq: 0 })

  // Messages that arrived meanwhile are fetched after the reconnect, even if their conversation is not open.
  const delivered = next(anna, 'progress')
  ben.network.offline = false
  await reconnected(stage, ben)
  expect(await waitForTimers(stage, delivered)).toMatchObject({ userId: ben.user.id, deliveredSeq: 1, readSeq: 0 })
  expect(await ben.client.messages.unreadCounts()).toEqual([{ connectionId, count: 1 }])

  const read = next(anna, 'progress')
  await ben.client.messages.markRead(connectionId)
  expect(await read).toMatchObject({ userId: ben.user.id, deliveredSeq: 1, readSeq: 1 })
  expect(await ben.client.messages.unreadCounts()).toEqual([])
})

/** Lets the server's clock go on in small steps until this has happened. */
async function waitForTimers<T>(stage: { advance(ms: number): Promise<void> }, happened: Promise<T>): Promise<T> {
  let over = false
  void happened.then(() => (over = true))
  while (!over) await stage.advance(100)
  return happened
}

/** For Network.tampers: changes lists of messages only. */
const inLists =
  (change: (messages: Message[]) => Message[]) =>
  (request: string, answer: unknown): unknown =>
    /^GET .*\/messages(\?|$)/.test(request) ? change(answer as Message[]) : answer

/** One bit of the sealed content flipped in its ciphertext. */
function altered(content: string): string {
  const bytes = fromBase64url(content)
  bytes[200] = (bytes[200] as number) ^ 1
  return toBase64url(bytes)
}

test('a message that was altered is not shown, says so, and spoils no other', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (const text of ['One', 'Two', 'Three']) await anna.client.messages.send(connectionId, text)
  await sentAll(anna)
  ben.network.tampers = inLists((messages) =>
    messages.map((message) => (message.seq === 2 ? { ...message, content: altered(message.content) } : message)),
  )
  expect(await texts(ben, connectionId)).toEqual(['One', expect.stringMatching(/^This message is not shown/), 'Three'])
})

test('messages that were exchanged, or put under another sender, are not shown', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  for (const text of ['One', 'Two']) await anna.client.messages.send(connectionId, text)
  await sentAll(anna)
  const notShown = expect.stringMatching(/^This message is not shown/)
  ben.network.tampers = inLists(([one, two]) =>
    one && two
      ? [
          { ...one, content: two.content },
          { ...two, content: one.content },
        ]
      : [],
  )
  expect(await texts(ben, connectionId)).toEqual([notShown, notShown])
  ben.network.tampers = inLists((messages) => messages.map((message) => ({ ...message, senderId: ben.user.id })))
  expect(await texts(ben, connectionId)).toEqual([notShown, notShown])
})

test('an envelope that was altered opens nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'Secret')
  await sentAll(anna)
  for (const field of ['sealedForRecipient', 'signature'] as const) {
    const elsewhere = await stage.signIn(ben)
    elsewhere.network.tampers = inLists((messages) =>
      messages.map(({ envelope, ...message }) => {
        const bytes = fromBase64url(envelope?.[field] ?? '')
        bytes[7] = (bytes[7] as number) ^ 1
        return { ...message, envelope: { ...(envelope as Envelope), [field]: toBase64url(bytes) } }
      }),
    )
    expect(await texts(elsewhere, connectionId)).toEqual([expect.stringMatching(/^This message is not shown/)])
  }
})

test('messages expire at the millisecond, on the server and in the browser', async () => {
  await using stage = await createStage({ env: { MESSAGE_RETENTION: '30s' } })
  const { anna, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Short-lived')
  const message = await heard
  const expired = collect(ben, 'expired')
  await stage.advance(message.expiresAt - stage.server.clock.now() - 1)
  expect(expired).toEqual([])
  expect(await texts(ben, connectionId)).toEqual(['Short-lived'])
  await stage.advance(1)
  expect(expired).toEqual([{ connectionId, ids: [message.id] }])
  expect(await texts(ben, connectionId)).toEqual([])
})

test('a removed connection disappears for both, live', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const told = next(ben, 'connection_removed')
  await anna.client.connections.remove(connectionId)
  expect(await told).toEqual({ connectionId })
  await expect(ben.client.messages.list(connectionId)).rejects.toMatchObject({ code: 'CONNECTION_NOT_FOUND' })
})

test('half a character, as a cut leaves it, goes out as the sign for one that is missing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'half \ud83d')
  await sentAll(anna)
  expect(await texts(ben, connectionId)).toEqual(['half \ufffd'])
})
