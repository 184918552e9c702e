import { limits } from '@privity/contract/limits'
import { newId } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createMessageOrder } from '../../src/messages/messageOrder.ts'

test('messages that name ones that never were do not have the conversation fetched for each', async () => {
  let now = Date.UTC(2030, 0, 1)
  let timers: (() => void)[] = []
  const counts = { fetched: 0, alarms: 0 }
  const memory = {
    expiryOf: async () => undefined,
    recordShown() {},
    newestSent: () => undefined,
    recordSent() {},
    stop: async () => {},
  }
  const order = createMessageOrder({
    clock: {
      now: () => now,
      after: (_ms, run) => {
        timers.push(run)
        return () => {}
      },
      isSynchronized: () => true,
      synchronize: async () => {},
    },
    retention: () => limits.retention,
    memory,
    presentSince: () => -Infinity,
    listWhole: async () => void (counts.fetched += 1),
    onChange() {},
    onMissing: () => (counts.alarms += 1),
  })
  order.recordNewest('c', { askedAt: now, answeredAt: now, first: undefined, last: undefined, isWhole: true })
  now += 5 * 60_000
  for (let i = 1; i <= 100; i++) {
    now += 100
    const times = { createdAt: now, expiresAt: now + limits.retention }
    const context = { sentAt: now, n: 1, previous: `never ${i}`, seen: undefined }
    const [id, envelopeId] = [newId(now), newId(now)]
    order.record('c', { id, seq: i, mine: false, ...times, link: `link ${i}`, envelopeId, context })
    await order.check('c')
  }
  expect(counts).toEqual({ fetched: 1, alarms: 1 })
  now += 10_000
  for (const run of timers.splice(0)) run()
  await expect.poll(() => order.marks('c').size).toBe(100)
  expect(counts).toEqual({ fetched: 2, alarms: 1 })
  order.stop()
})
