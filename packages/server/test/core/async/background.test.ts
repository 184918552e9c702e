import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createBackground } from '../../../src/core/async/background.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'
import { createGate } from '../../support/server/gate.ts'
import { createLines } from '../../support/founder/alerts.ts'

function createScene(source: Partial<Clock> = {}) {
  const time = createFakeClock()
  const { log, lines } = createLines()
  const background = createBackground({ ...time, ...source }, log)
  const done: string[] = []
  return { time, lines, background, done, does: (what: string) => () => void done.push(what) }
}

/** Stops the background while work is still in progress; resolves with whether stopping waited for `open`. */
async function waitsFor(open: () => void, stop: () => Promise<void>): Promise<boolean> {
  let ended = false
  const stopping = stop().then(() => (ended = true))
  for (let turn = 0; turn < 20; turn++) await setImmediate()
  const waited = !ended
  open()
  await stopping
  return waited
}

test('timers run until the server has stopped, and none begins then', async () => {
  const { time, background, done, does } = createScene()
  background.clock.every(1_000, does('every'))
  background.clock.after(5_000, does('after'))
  background.clock.after(500, does('soon'))
  background.clock.after(600, does('never'))()
  time.advance(1_000)
  expect(done.splice(0)).toEqual(['soon', 'every'])
  await background.stop()
  background.clock.every(1_000, does('late every'))
  background.clock.after(1_000, does('late after'))()
  time.advance(60_000)
  expect(done).toEqual([])
})

test('of a timer that has run or was stopped nothing is kept', async () => {
  const time = createFakeClock()
  const stopped: number[] = []
  const after: Clock['after'] = (milliseconds, run) => {
    const stop = time.after(milliseconds, run)
    return () => {
      stopped.push(milliseconds)
      stop()
    }
  }
  const { background } = createScene({ after })
  background.clock.after(1, () => {})
  background.clock.after(2, () => {})()
  background.clock.after(3, () => {})
  time.advance(1)
  stopped.length = 0
  await background.stop()
  expect(stopped).toEqual([3])
})

test('a stop waits for a promise and for a stream that are under way', async () => {
  for (const how of ['promise', 'stream'] as const) {
    const { background, lines } = createScene()
    const gate = createGate()
    const stream = new Readable({ read() {}, destroy: (error, done) => void gate.pass().then(() => done(error)) })
    if (how === 'promise') void background.track(gate.pass())
    else expect(background.trackStream(stream).destroy()).toBe(stream)
    expect(await waitsFor(gate.open, background.stop), how).toBe(true)
    expect(lines).toEqual([])
  }
})

test('a stop runs postponed work and the work that it starts, even one event loop turn later', async () => {
  const { background, done, does } = createScene()
  const finish = async (what: string) => does(what)()
  background.runAfter(60_000, 'put off', async () => {
    does('put off')()
    background.runAfter(60_000, 'put off again', () => finish('put off again'))
    void setImmediate().then(() => background.run('begun', async () => (await setImmediate(), does('begun')())))
  })
  await background.stop()
  expect(done).toEqual(['put off', 'put off again', 'begun'])
})

test('once it has stopped nothing begins, and what failed before is in the log', async () => {
  const { time, background, lines, done, does } = createScene()
  background.run('a failure', () => Promise.reject(new Error('no room')), { about: 'it' })
  await background.stop()
  background.run('late', async () => does('run')())
  background.runAfter(1_000, 'late', async () => does('soon')())
  time.advance(1_000)
  await background.stop()
  expect(done).toEqual([])
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ msg: 'a failure', about: 'it' }])
})

test('what was put off is done once, at its time or when the server stops', async () => {
  const { time, background, done, does } = createScene()
  background.runAfter(1_000, 'first', async () => does('first')())
  background.runAfter(2_000, 'second', async () => does('second')())
  time.advance(1_000)
  expect(done).toEqual(['first'])
  const stopping = background.stop()
  time.advance(60_000)
  await stopping
  expect(done).toEqual(['first', 'second'])
})

test('what begins by itself while the server stops is waited for where it puts something off', async () => {
  const { background, done, does } = createScene()
  const gate = createGate()
  void background.track(gate.pass())
  const stopping = background.stop()
  void gate.reached.then(async () => {
    gate.open()
    await setImmediate()
    background.runAfter(60_000, 'put off', async () => does('put off')())
  })
  await stopping
  expect(done).toEqual(['put off'])
})
