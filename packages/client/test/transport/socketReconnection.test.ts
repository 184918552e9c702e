import { closeCodes } from '@privity/contract/events'
import { afterEach, expect, test, vi } from 'vitest'
import { createLiveSocket } from '../../src/transport/socket.ts'

/** A socket that the test opens, speaks through and closes. */
class TestSocket extends EventTarget {
  send = () => {}
  close = () => {}
  fail = (code = 1006) => this.dispatchEvent(Object.assign(new Event('close'), { code, reason: '' }))
  say = (frame: object) => this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(frame) }))
}

const authenticated = { type: 'authenticated', socketId: '0198c0de-0000-7000-8000-000000000000' }

afterEach(() => void vi.restoreAllMocks())

function createStage() {
  const sockets: TestSocket[] = []
  let timer: { ms: number; run: () => void } | undefined
  const counted = { ready: 0 }
  const asked = Promise.withResolvers<void>()
  const live = createLiveSocket({
    origin: 'http://privity.test',
    clock: {
      confirm: async () => {},
      after(ms, run) {
        const mine = { ms, run }
        timer = mine
        return () => void (timer === mine && (timer = undefined))
      },
    },
    openSocket() {
      const socket = new TestSocket()
      sockets.push(socket)
      return socket as unknown as WebSocket
    },
    onFrame: () => expect.fail('nobody said anything'),
    onReady: () => void (counted.ready += 1),
    onRefused: () => asked.promise,
  })
  live.open('user')
  /** Loses the socket; answers how long (ms) the client waits, and lets it try again. */
  function lose(): number {
    sockets.at(-1)?.fail()
    return wait()
  }
  /** Lets the time pass that the client waits for; answers it. */
  function wait(): number {
    const { ms = Number.NaN, run = () => {} } = timer ?? {}
    run()
    return ms
  }
  async function answer(): Promise<void> {
    asked.resolve()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { sockets, counted, live, lose, wait, answer, pause: () => timer?.ms }
}

test.each([
  [0, 0],
  [0.5, 0.5],
  [0.999, 0.999],
])('a lost socket is tried again anywhere in a pause that doubles up to 30 seconds (%d)', (random, part) => {
  vi.spyOn(Math, 'random').mockReturnValue(random)
  const { lose } = createStage()
  const pauses = Array.from({ length: 8 }, lose)
  const longest = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]
  expect(pauses).toEqual(longest.map((pause) => pause * part))
})

test('a network that is back while an attempt is under way shortens the pause after it', () => {
  vi.spyOn(Math, 'random').mockReturnValue(1)
  const { lose, live, sockets } = createStage()
  for (let attempt = 0; attempt < 6; attempt++) lose()
  const attempts = sockets.length
  live.wake()
  expect(sockets).toHaveLength(attempts)
  expect(lose()).toBe(1_000)
})

test('of a thousand that lose their server at the same moment few come back at the same moment', () => {
  const pauses = Array.from({ length: 1_000 }, () => createStage().lose())
  const tenths = Array.from({ length: 10 }, (_, tenth) => pauses.filter((ms) => Math.floor(ms / 100) === tenth).length)
  expect(Math.max(...pauses)).toBeLessThan(1_000)
  expect(Math.min(...tenths)).toBeGreaterThan(40)
  expect(Math.max(...tenths)).toBeLessThan(180)
})

test('a connection makes the pause short again, and lost notices make the client ask', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const { sockets, counted, lose } = createStage()
  for (let times = 0; times < 4; times++) lose()
  sockets.at(-1)?.say(authenticated)
  sockets.at(-1)?.say({ type: 'resync' })
  expect(counted.ready).toBe(2)
  expect(lose()).toBe(500)
})

test.each(['sessionEnded', 'notAuthenticated', 'factorMissing'] as const)(
  'closed as %s, it is not tried again before it is known whose the cookie is now',
  async (end) => {
    vi.spyOn(Math, 'random').mockReturnValue(0.5)
    const { sockets, pause, wait, answer } = createStage()
    sockets[0]?.say(authenticated)
    sockets[0]?.fail(closeCodes[end])
    expect(pause()).toBe(10_000)
    await answer()
    expect(sockets).toHaveLength(1)
    expect(wait()).toBe(500)
    expect(sockets).toHaveLength(2)
  },
)

test('an answer that does not come keeps nobody from being connected', () => {
  const { sockets, wait } = createStage()
  sockets[0]?.say(authenticated)
  sockets[0]?.fail(closeCodes.sessionEnded)
  expect(wait()).toBe(10_000)
  expect(sockets).toHaveLength(2)
})

test('an answer that says that nobody is signed in is followed by no socket', async () => {
  const { sockets, live, wait, answer } = createStage()
  sockets[0]?.say(authenticated)
  sockets[0]?.fail(closeCodes.sessionEnded)
  live.close()
  await answer()
  expect(wait()).toBeNaN()
  expect(sockets).toHaveLength(1)
})
