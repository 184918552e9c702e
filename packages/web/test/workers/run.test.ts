import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { runInWorker } from '../../src/workers/run.ts'

/** A worker that the browser has created and that answers nothing by itself. */
class SilentWorker extends EventTarget {
  static last: SilentWorker
  isTerminated = false
  constructor() {
    super()
    SilentWorker.last = this
  }
  postMessage() {}
  terminate() {
    this.isTerminated = true
  }
}

beforeEach(() => vi.stubGlobal('Worker', SilentWorker))
afterEach(() => vi.unstubAllGlobals())

const run = () => runInWorker('/assets/fileWorker.js', {}, () => {})

test('a worker whose script the server no longer has asks for a reload', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 200 }))
  const result = run()
  SilentWorker.last.dispatchEvent(new Event('error'))
  await expect(result).rejects.toMatchObject({ code: 'CODE_GONE' })
  expect(SilentWorker.last.isTerminated).toBe(true)
})

test('a worker whose script cannot be loaded without a network counts as offline', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  const result = run()
  SilentWorker.last.dispatchEvent(new Event('error'))
  await expect(result).rejects.toMatchObject({ code: 'OFFLINE' })
})

test('a result that cannot be deserialized fails the job', async () => {
  const result = run()
  SilentWorker.last.dispatchEvent(new Event('messageerror'))
  await expect(result).rejects.toThrow('The result cannot be read.')
  expect(SilentWorker.last.isTerminated).toBe(true)
})
