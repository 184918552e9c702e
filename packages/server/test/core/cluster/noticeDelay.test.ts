import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from '../../../src/core/database/database.ts'
import { createProcesses, linkTimes, type Processes } from '../../../src/core/cluster/cluster.ts'
import { loadSecrets } from '../../../src/core/secrets/secrets.ts'
import { createFakeClock } from '../../support/server/fakeClock.ts'
import { createSlowValkey } from '../../support/services/slowValkey.ts'

/** Two processes that exchange notices through a Valkey that can hold back those of one of them. */
async function createPair() {
  const folder = await mkdtemp(join(tmpdir(), 'privity-slow-'))
  const db = await openDb(join(folder, 'privity.db'), { onError: (error) => expect.fail(String(error)) })
  const valkey = await createSlowValkey()
  const clock = createFakeClock()
  const secrets = await loadSecrets(folder, undefined)
  const create = () => createProcesses({ db, clock, log: fastify().log, secrets, valkeyUrl: valkey.url })
  const [one, two] = [create(), create()]
  await one.join()
  await two.join()
  onTestFinished(async () => {
    await one.leave()
    await two.leave()
    await valkey.close()
    await db.close()
    await rm(folder, { recursive: true })
  })

  /** Sends a heartbeat of both, and waits until it has passed through the sockets. */
  async function step(): Promise<void> {
    const before = valkey.published()
    clock.advance(linkTimes.beat)
    await Promise.all([one.settled(), two.settled()])
    for (let turns = 0; turns < 50 || valkey.published() < before + 2; turns++) await setImmediate()
  }

  async function whole(...processes: Processes[]): Promise<void> {
    while (!processes.every(({ bus }) => bus.receivesAllEvents())) await step()
  }

  // Each sends at least three greeting notices as soon as it is connected.
  while (valkey.published() < 6) await setImmediate()
  await whole(one, two)
  return { one, two, valkey, step, whole }
}

test('notices that Valkey delays are trusted no longer than silence', async () => {
  const { one, two, valkey, step, whole } = await createPair()
  const ended: string[] = []
  two.bus.subscribe('sessionEnded', ({ sessionIds }) => void ended.push(...sessionIds))
  let missed = 0
  two.bus.subscribe('eventsLost', () => void (missed += 1))
  valkey.hold(Buffer.from(one.id ?? '', 'hex'))

  // Release one notice for every two that are sent: one arrives every second, each older than the one before.
  for (let beats = 0; beats < 40; beats++) {
    await step()
    if (beats % 2 === 1) valkey.release(1)
  }
  expect(valkey.waiting()).toBeGreaterThan(15)
  one.bus.publish('sessionEnded', { sessionIds: ['a session'], userId: 'u' })
  await step()
  expect([ended, two.bus.receivesAllEvents(), missed > 0]).toEqual([[], false, true])
  // The notices of `two` are not held back, but `one` cannot know whether some are missing.
  expect(one.bus.receivesAllEvents()).toBe(false)

  valkey.hold(Buffer.from('nobody'))
  valkey.release(Infinity)
  await whole(one, two)
  expect(ended).toEqual(['a session'])
})

test('with notices that arrive as they are said nothing is forgotten', async () => {
  const { one, two, step } = await createPair()
  let missed = 0
  for (const { bus } of [one, two]) bus.subscribe('eventsLost', () => void (missed += 1))
  for (let beats = 0; beats < 60; beats++) {
    await step()
    expect([one.bus.receivesAllEvents(), two.bus.receivesAllEvents()]).toEqual([true, true])
  }
  expect(missed).toBe(0)
})

test('notices of one turn are sent together and handled in order; a failing one stops no other', async () => {
  const { one, two, valkey } = await createPair()
  const taken: unknown[] = []
  two.bus.subscribe('notice', ({ frame }) => {
    if (frame === '{"n":2}') throw new Error('not this one')
    taken.push(frame)
  })
  two.bus.subscribe('policyChanged', ({ organizationId }) => void taken.push(organizationId))
  const before = valkey.published()
  for (let n = 0; n < 100; n++) one.bus.publish('notice', { userIds: ['u'], frame: `{"n":${n}}` })
  one.bus.publish('policyChanged', { organizationId: 'o' })
  one.bus.publish('notice', { userIds: ['u'], frame: '{"text":"two\\nlines"}' })
  while (taken.length < 101) await setImmediate()
  expect(valkey.published() - before).toBe(1)
  const numbers = Array.from({ length: 100 }, (_, n) => `{"n":${n}}`).filter((_, n) => n !== 2)
  expect(taken).toEqual([...numbers, 'o', '{"text":"two\\nlines"}'])
})
