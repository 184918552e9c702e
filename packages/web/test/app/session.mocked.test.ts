import { type AccountState, CallError, type Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { createStore } from '../../../client/src/transport/store.ts'
import { queryClient } from '../../src/app/queryClient.ts'
import {
  holdSession,
  loadClient,
  releaseSession,
  sessionEnd,
  startSession,
  userQuery,
  whenMemberLeaves,
} from '../../src/app/session.ts'
import { pendingConversations, markPending } from '../../src/features/messages/pendingMessages.ts'
import { historyKey } from '../../src/features/messages/queries.ts'

const state = createStore<AccountState>({ status: 'checking' })
const start = vi.fn<() => Promise<void>>()
const listeners = new Map<string, (event: unknown) => void>()
function listen(name: string, listener: (event: unknown) => void) {
  listeners.set(name, listener)
  return () => {}
}
vi.mock('../../src/app/appClient.ts', () => ({
  createAppClient: () =>
    ({ account: { state, start }, on: listen, now: () => 0, live: createStore('disconnected') }) as unknown as Client,
}))

// No page is ever left here.
vi.stubGlobal('addEventListener', () => {})

const open = (id: string) => state.set({ status: 'open', user: { id } as User })

test('a tab that is signed out already says why until the next member signs in', async () => {
  await loadClient()
  listeners.get('signed_out')?.({ reason: 'ended', because: 'keys_not_opened' })
  expect(sessionEnd.get()).toBe('keys_not_opened')
  open('anna')
  expect(sessionEnd.get()).toBeUndefined()
})

test('a member who follows another in the same tab finds nothing that was loaded for that one', async () => {
  await loadClient()
  const forgotten = vi.fn<() => void>()
  whenMemberLeaves(forgotten)
  open('anna')
  queryClient.setQueryData(historyKey('c'), { messages: [{ text: 'For Anna' }], older: false })
  markPending('c')
  open('anna')
  expect(queryClient.getQueryData(historyKey('c'))).toBeDefined()
  expect(pendingConversations.get().size).toBe(1)
  expect(forgotten).not.toHaveBeenCalled()

  open('ben')
  expect(queryClient.getQueryData(historyKey('c'))).toBeUndefined()
  expect(queryClient.getQueryData(userQuery.queryKey)).toEqual({ id: 'ben' })
  expect(pendingConversations.get().size).toBe(0)
  expect(forgotten).toHaveBeenCalledTimes(1)
})

test('a page that a full server does not open says so until the next check', async () => {
  vi.spyOn(console, 'error').mockImplementationOnce(() => {})
  queryClient.setQueryData(userQuery.queryKey, { id: 'clara' } as User)
  start.mockRejectedValueOnce(new CallError('STORAGE_FULL', { status: 507 }))
  // No screen may be drawn: there is no document.
  holdSession()
  await startSession(() => Promise.resolve())
  expect(sessionEnd.get()).toBe('STORAGE_FULL')
  await startSession(() => Promise.resolve())
  expect(sessionEnd.get()).toBeUndefined()
  open('clara')
  releaseSession()
})
