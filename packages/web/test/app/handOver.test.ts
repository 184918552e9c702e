import type { Client, HandedOver } from '@privity/client'
import { beforeEach, expect, test } from 'vitest'
import { queryClient } from '../../src/app/queryClient.ts'
import { createHandOver } from '../../src/app/reload/handOver.ts'
import { historyKey } from '../../src/features/messages/queries.ts'

const clientWith = (handedOver: HandedOver | undefined) =>
  ({ reload: { handOver: () => handedOver } }) as unknown as Client
const client = clientWith({} as HandedOver)

const history = (count: number, from: number) => ({
  messages: Array.from({ length: count }, (_, i) => ({ id: `${from + i}`, createdAt: from + i })),
  older: false,
})

beforeEach(() => queryClient.clear())

test('the 1,000 newest messages of all conversations are handed over', () => {
  queryClient.setQueryData(historyKey('newest'), history(700, 5_000))
  queryClient.setQueryData(historyKey('oldest'), history(700, 0))
  const entries = createHandOver(client, 0)?.entries
  expect(entries?.map(({ data }) => data)).toEqual([history(700, 5_000), { ...history(300, 400), older: true }])
})

test('a conversation without messages is handed over, one for which there is no room is not', () => {
  queryClient.setQueryData(historyKey('empty'), history(0, 0))
  queryClient.setQueryData(historyKey('newest'), history(1_000, 5_000))
  queryClient.setQueryData(historyKey('oldest'), history(1, 0))
  const entries = createHandOver(client, 0)?.entries
  expect(entries?.map(({ data }) => data)).toEqual([history(1_000, 5_000), history(0, 0)])
})

test('nothing but contacts, conversations and settings is handed over', () => {
  for (const key of [['/api/connections'], ['/api/audit-logs', 'list'], ['/api/account'], ['/api/preferences']])
    queryClient.setQueryData(key, {})
  expect(createHandOver(client, 0)?.entries.map(({ key }) => key[0])).toEqual(['/api/connections', '/api/preferences'])
})

test('while no account is open nothing is handed over', () => {
  queryClient.setQueryData(['/api/connections'], {})
  expect(createHandOver(clientWith(undefined), 0)).toBeUndefined()
})
