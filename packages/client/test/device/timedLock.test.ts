import { expect, test } from 'vitest'
import { createTimedLock } from '../../src/device/timedLock.ts'
import type { Tabs } from '../../src/device/tabs.ts'

/** A lock on a clock that reaches its limit when the test says so, and the number of runs of its work. */
function openLock() {
  const timers = new Set<() => void>()
  const after = (_ms: number, run: () => void) => {
    timers.add(run)
    return () => void timers.delete(run)
  }
  const withLock = createTimedLock({ after }, 'lock')
  const opened = {
    runs: 0,
    reachLimit: () => timers.forEach((run) => run()),
    run: (request: Tabs['runExclusive']) =>
      withLock(request, async () => {
        opened.runs += 1
      }),
  }
  return opened
}

/** Requests of the lock that are refused when the test says so. */
function refusable() {
  const { promise, reject } = Promise.withResolvers<never>()
  return { request: () => promise, refuse: () => reject(new Error('refused')) }
}

const neverGranted = () => new Promise<never>(() => {})

test('a request for the lock that is refused does not run the work later', async () => {
  const lock = openLock()
  const { request, refuse } = refusable()
  const done = lock.run(request)
  refuse()
  await expect(done).rejects.toThrow('refused')
  lock.reachLimit()
  expect(lock.runs).toBe(0)
})

test('after a request that was refused, work waits for the lock', async () => {
  const lock = openLock()
  const { request, refuse } = refusable()
  const done = lock.run(request)
  refuse()
  await expect(done).rejects.toThrow('refused')
  lock.reachLimit()
  void lock.run(neverGranted)
  expect(lock.runs).toBe(0)
})

test('after a request that was refused once its work had begun, work waits for the lock again', async () => {
  const lock = openLock()
  const { request, refuse } = refusable()
  const done = lock.run(request)
  lock.reachLimit()
  await done
  refuse()
  await new Promise(setImmediate)
  void lock.run(neverGranted)
  expect(lock.runs).toBe(1)
})

test('while a granted lock is late, others work without it; then they wait for it again', async () => {
  const lock = openLock()
  let grant = () => Promise.resolve()
  const done = lock.run((_name, work) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    grant = async () => resolve((await work()) as undefined)
    return promise as ReturnType<typeof work>
  })
  lock.reachLimit()
  await done
  await lock.run(neverGranted)
  expect(lock.runs).toBe(2)
  await grant()
  void lock.run(neverGranted)
  expect(lock.runs).toBe(2)
})
