import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock, Stop } from '../clock.ts'
import { withTimeout } from './promises.ts'

/** Work that outlives a response. A stop waits for it before the database is closed. */
export interface Background {
  /** Timers that end with the server. */
  clock: Clock
  /** Runs work that no caller awaits; logs a failure as `name` with the fields of `about`. Ignored after a stop. */
  run(name: string, work: () => Promise<unknown>, about?: object): void
  /** Runs work after this delay, or when the server stops. */
  runAfter(milliseconds: number, name: string, work: () => Promise<unknown>): void
  /** Returns the same promise; a stop waits for it. */
  track<T>(work: Promise<T>): Promise<T>
  /** Returns the same stream; a stop waits until it is closed. */
  trackStream<S extends Readable>(stream: S): S
  /** Waits for running work, then cancels the timers. */
  stop(): Promise<void>
}

/** A stop that never ended would be killed and lose the last writes. */
const stopTimeoutMs = 2_000

/** Wraps `clock`; `end` cancels all its timers. */
function createOwnClock(clock: Clock): Clock & { end(): void } {
  const running = new Set<Stop>()
  let ended = false

  function track(start: (done: () => void) => Stop): Stop {
    if (ended) return () => {}
    const done = () => void running.delete(stop)
    const stop = start(done)
    running.add(stop)
    return () => {
      stop()
      done()
    }
  }

  return {
    now: () => clock.now(),
    even: () => clock.even(),
    every: (milliseconds, run) => track(() => clock.every(milliseconds, run)),
    after: (milliseconds, run) =>
      track((done) =>
        clock.after(milliseconds, () => {
          done()
          run()
        }),
      ),
    end() {
      ended = true
      for (const stop of running) stop()
    },
  }
}

export function createBackground(source: Clock, log: FastifyBaseLogger): Background {
  const clock = createOwnClock(source)
  const scheduled = new Set<() => void>()
  let underWay = 0
  let wakeUp = () => {}
  let stopped = false

  function ended(): void {
    underWay -= 1
    if (underWay === 0) wakeUp()
  }

  function track<T>(work: Promise<T>): Promise<T> {
    underWay += 1
    work.then(ended, ended)
    return work
  }

  function run(name: string, work: () => Promise<unknown>, about: object = {}): void {
    if (stopped) return
    track(work()).catch((error: unknown) => log.error({ ...about, err: error }, name))
  }

  /** Checks again after a turn of the event loop, because a closing connection starts its work a turn later. */
  async function untilIdle(): Promise<void> {
    do {
      for (const begin of scheduled) begin()
      if (underWay > 0) await new Promise<void>((resolve) => void (wakeUp = resolve))
      await setImmediate()
    } while (underWay > 0 || scheduled.size > 0)
  }

  return {
    clock,
    run,
    runAfter(milliseconds, name, work) {
      const begin = () => {
        stop()
        scheduled.delete(begin)
        run(name, work)
      }
      const stop = clock.after(milliseconds, begin)
      scheduled.add(begin)
    },
    track,
    trackStream(stream) {
      void track(new Promise<void>((resolve) => void stream.once('close', resolve)))
      return stream
    },
    async stop() {
      if (stopped) return
      if (!(await withTimeout(stopTimeoutMs, untilIdle())))
        log.error({ underWay }, 'something does not end; the server stops without it')
      stopped = true
      clock.end()
    },
  }
}

/** Makes a stop wait for route handlers too: they continue after their client has disconnected. */
export function trackCalls(app: FastifyInstance, { track }: Background): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function handle(request, reply) {
      const result: unknown = handler.call(this, request, reply)
      if (result instanceof Promise) void track(result)
      return result
    }
  })
}
