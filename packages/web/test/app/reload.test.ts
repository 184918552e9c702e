import type { Client } from '@privity/client'
import { createStore } from '@privity/client/store'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

type Listener = (event: unknown) => void

/** Not a literal: the worker's types differ from those of pages. */
const workerUrl = new URL('../../serviceWorker/sw.ts', import.meta.url).pathname

const listeners = new Map<string, Listener>()
beforeEach(() => {
  vi.useFakeTimers()
  vi.resetModules()
  listeners.clear()
  vi.stubGlobal('addEventListener', (type: string, listener: Listener) => void listeners.set(type, listener))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function createWorker() {
  vi.stubGlobal('SHELL', { entry: '', version: '', files: [] })
  await import(workerUrl)
  const send = (data: unknown, ports: unknown[] = []) =>
    listeners.get('message')?.({ data, ports, waitUntil: (work: Promise<unknown>) => void work })
  return {
    send,
    take() {
      const postMessage = vi.fn<(taken: unknown) => void>()
      send({ type: 'take' }, [{ postMessage }])
      return postMessage.mock.calls[0]?.[0]
    },
  }
}

test('the service worker gives what a page handed over for a minute, and no longer', async () => {
  const worker = await createWorker()
  worker.send({ type: 'keep', value: 'page' })
  vi.advanceTimersByTime(59_000)
  expect(worker.take()).toEqual({ value: 'page', ageMs: 59_000 })
  vi.advanceTimersByTime(1_000)
  expect(worker.take()).toBeUndefined()
})

test('the service worker forgets what was handed over when a page says so', async () => {
  const worker = await createWorker()
  worker.send({ type: 'keep', value: 'page' })
  worker.send({ type: 'forget' })
  expect(worker.take()).toBeUndefined()
})

async function createPage() {
  const posted: unknown[] = []
  vi.stubGlobal('navigator', {
    serviceWorker: { controller: { postMessage: (message: unknown) => void posted.push(message) } },
  })
  const state = createStore<{ status: string }>({ status: 'open' })
  const live = createStore('disconnected')
  const handOver = () => (state.get().status === 'open' ? {} : undefined)
  const client = { account: { state }, live, now: () => 5, reload: { handOver } } as unknown as Client
  const { handOverAtLeaving } = await import('../../src/app/reload/reload.ts')
  handOverAtLeaving(client)
  return { posted, state, live }
}

test.each(['locked', 'signedOut'])('a page whose account is %s has what was handed over forgotten', async (status) => {
  const { posted, state } = await createPage()
  state.set({ status })
  listeners.get('pagehide')?.({})
  expect(posted).toEqual([{ type: 'forget' }])
})

test('a page that has reached the server has what was handed over forgotten', async () => {
  const { posted, live } = await createPage()
  live.set('connected')
  expect(posted).toEqual([{ type: 'forget' }])
})

test('a page that is left hands over its account', async () => {
  const { posted } = await createPage()
  listeners.get('pagehide')?.({})
  expect(posted).toEqual([{ type: 'keep', value: { account: {}, asOf: 5, entries: [] } }])
})
