import { afterEach, expect, test } from 'vitest'
import type { Client, DecryptedMessage } from '@privity/client'
import { queryClient } from '../../../src/app/queryClient.ts'
import { withMessage } from '../../../src/features/messages/history.ts'
import { historyKey, historyQuery, type OpenedHistory, patchHistory } from '../../../src/features/messages/queries.ts'

const message = (seq: number) => ({ id: `m${seq}`, seq, expiresAt: 1000 }) as DecryptedMessage

/** A client whose list of messages arrives when the test says so. */
function clientThatLists() {
  const page = Promise.withResolvers<DecryptedMessage[]>()
  return { page, client: { messages: { list: () => page.promise } } as unknown as Client }
}

const shown = (connectionId: string) =>
  queryClient.getQueryData<OpenedHistory>(historyKey(connectionId))?.messages.map(({ seq }) => seq)
const receive = (connectionId: string, seq: number) =>
  patchHistory(connectionId, (known) => withMessage(known, message(seq)))

afterEach(() => queryClient.clear())

test('a message that arrives while its conversation is loaded for the first time is shown', async () => {
  const { client, page } = clientThatLists()
  const loaded = queryClient.fetchQuery(historyQuery(client, 'talk'))
  receive('talk', 2)
  receive('other', 3)
  page.resolve([message(1)])
  await loaded
  expect(shown('talk')).toEqual([1, 2])
})

test('a message that arrives while a conversation is loaded, and is in its list, is shown once', async () => {
  const { client, page } = clientThatLists()
  const loaded = queryClient.fetchQuery(historyQuery(client, 'talk'))
  receive('talk', 2)
  page.resolve([message(1), message(2)])
  await loaded
  expect(shown('talk')).toEqual([1, 2])
})
