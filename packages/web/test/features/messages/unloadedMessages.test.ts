import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { QueryClientProvider } from '@tanstack/react-query'
import { CallError, type Client, type DecryptedMessage } from '@privity/client'
import { createStore } from '@privity/client/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { queryClient } from '../../../src/app/queryClient.ts'
import { MessagesNotLoaded, retryInterval } from '../../../src/features/messages/conversation/UnloadedMessages.tsx'
import { withMessage } from '../../../src/features/messages/history.ts'
import { checkKey, checkQuery, historyKey, historyQuery, patchHistory } from '../../../src/features/messages/queries.ts'

const refused = new CallError('INTERNAL', { status: 503 })
const offline = new CallError('OFFLINE')
const message = (seq: number) => ({ id: `m${seq}`, seq, expiresAt: 1000 }) as DecryptedMessage

/**
 * A page on which a conversation is listed; each list is answered by `error`, or by a message without one. Its check
 * for missing messages fails with `unchecked`.
 */
function openPage(live: 'connected' | 'disconnected' = 'connected') {
  const page: { error?: Error | undefined; unchecked?: Error | undefined; answer?: Promise<void> } = {}
  const list = () => (page.error ? Promise.reject(page.error) : Promise.resolve([message(1)]))
  const check = () => (page.unchecked ? Promise.reject(page.unchecked) : (page.answer ?? Promise.resolve()))
  const client = { messages: { list, check }, live: createStore(live) } as unknown as Client
  return {
    async check(error?: Error, answer = Promise.resolve()) {
      Object.assign(page, { unchecked: error, answer })
      await queryClient.prefetchQuery({ ...checkQuery(client, 'talk'), staleTime: 0 })
    },
    async list(error?: Error) {
      page.error = error
      await queryClient.prefetchQuery({ ...historyQuery(client, 'talk'), staleTime: 0 })
    },
    shown() {
      const notice = createElement(MessagesNotLoaded, { client, connectionId: 'talk' })
      return renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, notice))
    },
  }
}

const receive = (seq: number) => patchHistory('talk', (known) => withMessage(known, message(seq)))
const retryAfter = (autoSync = true) => {
  const state = queryClient.getQueryState(historyKey('talk'))
  return state && retryInterval(autoSync, state)
}

const sentence = 'The newest messages could not be loaded.'
const uncheckedSentence = 'Older messages could not be loaded. Until they are, Privity cannot tell'

beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue())

afterEach(() => {
  queryClient.clear()
  vi.restoreAllMocks()
})

test('a list that the server refuses is shown, with a button to try again', async () => {
  const page = openPage()
  await page.list()
  expect(page.shown()).toBe('')
  await page.list(refused)
  expect(page.shown()).toContain(sentence)
  expect(page.shown()).toContain('Try again')
})

test('a message that arrives by notice does not hide that the list was refused', async () => {
  const page = openPage()
  await page.list()
  await page.list(refused)
  receive(2)
  expect(page.shown()).toContain(sentence)
})

test('a list that succeeds ends the notice', async () => {
  const page = openPage()
  await page.list()
  await page.list(refused)
  await page.list()
  expect(page.shown()).toBe('')
})

test('a page without a connection does not say it a second time', async () => {
  const page = openPage('disconnected')
  await page.list()
  await page.list(offline)
  expect(page.shown()).toBe('')
})

test('a server that refuses lists is not taken for a lost connection', async () => {
  const page = openPage('disconnected')
  await page.list()
  await page.list(refused)
  expect(page.shown()).toContain(sentence)
})

test('an unanswered list is shown while the socket is connected', async () => {
  const page = openPage()
  await page.list()
  await page.list(offline)
  expect(page.shown()).toContain(sentence)
})

test('a check for missing messages that fails is shown, until one succeeds', async () => {
  const page = openPage()
  await page.list()
  await page.check(refused)
  expect(page.shown()).toContain(uncheckedSentence)
  expect(page.shown()).toContain('Try again')
  await page.check()
  expect(page.shown()).toBe('')
})

test('a failed check is shown until the next one has succeeded', async () => {
  const page = openPage()
  await page.list()
  await page.check(refused)
  const { promise, resolve } = Promise.withResolvers<void>()
  const checking = page.check(undefined, promise)
  expect(page.shown()).toContain(uncheckedSentence)
  resolve()
  await checking
  expect(page.shown()).toBe('')
})

test('of a list and a check that both fail, only the list is shown', async () => {
  const page = openPage()
  await page.list()
  await page.check(refused)
  await page.list(refused)
  expect(page.shown()).toContain(sentence)
  expect(page.shown()).not.toContain(uncheckedSentence)
})

test('a check that fails for want of a connection is not shown', async () => {
  const page = openPage('disconnected')
  await page.list()
  await page.check(offline)
  expect(page.shown()).toBe('')
})

test('a conversation is checked again once it was listed', async () => {
  const page = openPage()
  await page.check()
  await page.list()
  expect(queryClient.getQueryState(checkKey('talk'))?.isInvalidated).toBe(true)
})

test('a conversation that was never loaded is not said to lack only its newest messages', async () => {
  const page = openPage()
  await page.list(refused)
  expect(page.shown()).toBe('')
})

test('a refused list is repeated after 15 seconds, until one succeeds', async () => {
  const page = openPage()
  await page.list()
  expect(retryAfter()).toBe(false)
  await page.list(refused)
  receive(2)
  expect(retryAfter()).toBe(15_000)
  await page.list()
  expect(retryAfter()).toBe(false)
})

test('with auto sync off, a refused list is repeated only where asked for', async () => {
  const page = openPage()
  await page.list()
  await page.list(refused)
  expect(retryAfter(false)).toBe(false)
})

test('a message that arrives in an outdated conversation leaves it to be listed again', async () => {
  const page = openPage()
  await page.list()
  await queryClient.invalidateQueries({ queryKey: historyKey('talk') })
  receive(3)
  expect(queryClient.getQueryState(historyKey('talk'))?.isInvalidated).toBe(true)
})
