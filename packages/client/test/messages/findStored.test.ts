import { limits } from '@privity/contract/limits'
import type { Message } from '@privity/contract/messages'
import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createMessageSender } from '../../src/messages/encrypt.ts'
import type { Call } from '../../src/transport/call.ts'

const [id, connectionId] = [newId(0), newId(0)]
const item = { id, connectionId, createdAt: 0, body: { kind: 'text', text: 'Once' }, state: 'waiting' } as const

/** The server lists the conversation in these pages, the newest first; after the last one it repeats that. */
function search(pages: readonly (readonly Partial<Message>[])[]) {
  const asked: (number | undefined)[] = []
  const call = async (_endpoint: unknown, { query }: { query: { before?: number } }) => {
    if (asked.push(query.before) > 5) throw new Error('asked for ever')
    return pages[Math.min(asked.length, pages.length) - 1]
  }
  const deps = { call: call as unknown as Call, keyring: { userId: 'anna' } }
  const sender = createMessageSender(deps as Parameters<typeof createMessageSender>[0])
  return { asked, found: sender.findStored(item) }
}

const pageFrom = (first: number) =>
  Array.from({ length: limits.maxMessagesPage }, (_, i) => ({
    id: newId(0),
    connectionId,
    senderId: 'ben',
    seq: first + i,
  }))

test('a message is looked for on every page of the conversation', async () => {
  const { asked, found } = search([pageFrom(201), [{ id, connectionId, senderId: 'anna', seq: 7 }]])
  expect(await found).toMatchObject({ id, seq: 7 })
  expect(asked).toEqual([undefined, 201])
})

test('a server that lists the same page again and again is not asked for ever', async () => {
  const { asked, found } = search([pageFrom(201)])
  expect(await found).toBeUndefined()
  expect(asked).toEqual([undefined, 201])
})

test.each([{ connectionId: newId(0) }, { senderId: 'ben' }])(
  'a message is not taken for it with another %o',
  async (other) => {
    const { found } = search([[{ id, connectionId, senderId: 'anna', seq: 7, ...other }]])
    expect(await found).toBeUndefined()
  },
)
