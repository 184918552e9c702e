import { expect, test } from 'vitest'
import { createExpiry } from '../../src/messages/expiry.ts'
import { createStage, next, sentAll } from '../support/stage.ts'

const hour = 3_600_000

/** A device whose timers stand still while it sleeps, as its clock goes on. */
function sleepingDevice() {
  let [wall, awake] = [0, 0]
  const timers = new Set<{ due: number; run: () => void }>()
  const run = () => {
    for (const timer of [...timers].filter(({ due }) => due <= awake)) if (timers.delete(timer)) timer.run()
  }
  return {
    clock: {
      now: () => wall,
      after(ms: number, run: () => void) {
        const timer = { due: awake + ms, run }
        timers.add(timer)
        return () => void timers.delete(timer)
      },
    },
    sleep: (ms: number) => void (wall += ms),
    pass(ms: number) {
      for (let left = ms; left > 0; left -= 1_000) {
        wall += Math.min(left, 1_000)
        awake += Math.min(left, 1_000)
        run()
      }
    },
  }
}

function watching() {
  const device = sleepingDevice()
  const gone: string[] = []
  const expiry = createExpiry(device.clock, ({ ids }) => gone.push(...ids))
  expiry.watch({ id: 'early', connectionId: 'c', expiresAt: 10 * hour })
  expiry.watch({ id: 'late', connectionId: 'c', expiresAt: 20 * hour })
  return { ...device, expiry, gone }
}

test('what expired while the device slept is told within a minute of its waking', () => {
  const { gone, pass, sleep } = watching()
  pass(2 * hour)
  sleep(9 * hour)
  pass(60_000)
  expect(gone).toEqual(['early'])
})

test('a message that a server shows in another conversation too expires in its own', () => {
  const device = sleepingDevice()
  const gone: string[] = []
  const expiry = createExpiry(device.clock, ({ connectionId, ids }) => gone.push(`${connectionId}: ${ids.join()}`))
  expiry.watch({ id: 'message', connectionId: 'own', expiresAt: 2 * hour })
  expiry.watch({ id: 'message', connectionId: 'other', expiresAt: hour })
  device.pass(2 * hour)
  expect(gone).toEqual(['other: message', 'own: message'])
})

test('what expired while the device slept is told at once when the page checks', () => {
  const { gone, expiry, sleep } = watching()
  expiry.check()
  expect(gone).toEqual([])
  sleep(10 * hour)
  expiry.check()
  expiry.check()
  expect(gone).toEqual(['early'])
})

test('a device that is awake tells it at its very time', () => {
  const { gone, pass } = watching()
  pass(10 * hour - 1_000)
  expect(gone).toEqual([])
  pass(1_000)
  expect(gone).toEqual(['early'])
  pass(10 * hour)
  expect(gone).toEqual(['early', 'late'])
})

test('the socket that comes back after a sleep tells it too', async () => {
  await using stage = await createStage({ env: { MESSAGE_RETENTION: '1h' } })
  const { anna, ben, connectionId } = await stage.pair()
  await ben.client.messages.send(connectionId, 'Gone while you slept')
  await sentAll(ben)
  const [message] = await anna.client.messages.list(connectionId)
  const expired = next(anna, 'expired')
  // The machine sleeps: its timers do not run.
  await stage.server.advance(2 * hour)
  anna.network.inject(JSON.stringify({ type: 'resync' }))
  expect(await expired).toEqual({ connectionId, ids: [message?.id] })
})
