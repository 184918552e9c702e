import { describe, expect, test } from 'vitest'
import { type DecryptedMessage, quoteOf } from '../../src/index.ts'
import { createStage, next, reaches, sentAll } from '../support/stage.ts'

const hour = 60 * 60 * 1000

const message = (body: DecryptedMessage['body']) => ({ id: 'a', expiresAt: 7, body }) as DecryptedMessage
const textOf = (text: string) => quoteOf(message({ kind: 'text', text }))?.excerpt

describe('a quote', () => {
  test('has id, expiry and text of its message', () => {
    expect(quoteOf(message({ kind: 'text', text: 'Hello' }))).toEqual({
      messageId: 'a',
      expiresAt: 7,
      excerpt: 'Hello',
    })
  })

  test('is one line of 80 characters and 136 bytes at most', () => {
    expect(textOf(' One\n\n two ')).toBe('One two')
    expect(textOf('x'.repeat(80))).toBe('x'.repeat(80))
    expect(textOf('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`)
    expect(textOf('😀'.repeat(34))).toBe('😀'.repeat(34))
    expect(textOf('😀'.repeat(35))).toBe(`${'😀'.repeat(33)}…`)
  })

  test('of a deleted or unreadable message does not exist', () => {
    expect(quoteOf(message({ kind: 'deleted' }))).toBeUndefined()
  })
})

test('a reply carries its quote to the other side', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const asked = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Where do we meet?')
  const quote = quoteOf(await asked)
  const answered = next(anna, 'message')
  await sentAll(anna)
  await ben.client.messages.send(connectionId, 'At the harbour', undefined, quote)
  const own = next(ben, 'message')
  expect((await answered).body).toEqual({ kind: 'text', text: 'At the harbour', quote })
  expect((await own).body).toEqual({ kind: 'text', text: 'At the harbour', quote })
})

test('a reply that waits longer than what it quotes is sent without the quote', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const asked = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Where do we meet?')
  const quote = quoteOf(await asked)
  await stage.advance(12 * hour)
  await reaches(ben.client.live, (state) => state === 'connected')
  const answered = next(anna, 'message')
  const expired = quote && { ...quote, expiresAt: stage.server.clock.now() }
  await ben.client.messages.send(connectionId, 'At the harbour', undefined, expired)
  expect((await answered).body).toEqual({ kind: 'text', text: 'At the harbour' })
})

test('a quote ends with its message, whatever its sender says', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const asked = next(ben, 'message')
  await anna.client.messages.send(connectionId, 'Where do we meet?')
  const original = await asked
  const quote = quoteOf(original)
  await sentAll(anna)
  const answered = next(anna, 'message')
  const longer = quote && { ...quote, expiresAt: quote.expiresAt + hour }
  await ben.client.messages.send(connectionId, 'At the harbour', undefined, longer)
  expect((await answered).body).toMatchObject({ quote: { expiresAt: original.expiresAt } })
})
