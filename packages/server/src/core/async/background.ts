import type { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Clock, Stop } from '../clock.ts'
import { withTimeout } from './promises.ts'

/** Work of a server beside its responses. It ends with the server, which waits for it before it closes the database. */
export interface Background {
  /** Timers that end with the server. */
  clock: Clock
  /** Runs work that no caller awaits, and logs a failure with `about`. Starts nothing once the server has stopped. */
  run(what: string, work: () => Promise<unknown>, about?: object): void
  /** Runs work after this many milliseconds, or when the server stops. */
  soon(milliseconds: number, what: string, work: () => Promise<unknown>): void
  /** Returns the same promise; a stop waits for it. */
  track<T>(work: Promise<T>): Promise<T>
  /** Returns the same stream; a stop waits until it is closed. */
  trackStream<S extends Readable>(stream: S): S
  /** Waits for work under way, then ends the timers; nothing starts from then on. */
  stop(): Promise<void>
}

/** How long (ms) a stop waits at most: one that never ends would be killed, and the last writes be lost. */
const patience = 2_000

/** Wraps `clock` so that all its timers can be ended. */
function createOwnClock(clock: Clock): Clock & { end(): void } {
  const running = new Set<Stop>()
  let ended = false

  function own(start: (over: () => void) => Stop): Stop {
    if (ended) return () => {}
    const over = () => void running.delete(stop)
    const stop = start(over)
    running.add(stop)
    return () => {
      stop()
      over()
    }
  }

  return {
    now: () => clock.now(),
    every: (milliseconds, run) => own(() => clock.every(milliseconds, run)),
    after: (milliseconds, run) =>
      own((over) =>
        clock.after(milliseconds, () => {
          over()
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
  const waiting = new Set<() => void>()
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

  function run(what: string, work: () => Promise<unknown>, about: object = {}): void {
    if (stopped) return
    track(work()).catch((error: unknown) => log.error({ ...about, err: error }, what))
  }

  /** Waits one more turn of the event loop each time, because the end of a connection starts its work a turn later. */
  async function untilIdle(): Promise<void> {
    do {
      for (const begin of waiting) begin()
      if (underWay > 0) await new Promise<void>((resolve) => void (wakeUp = resolve))
      await setImmediate()
    } while (underWay > 0 || waiting.size > 0)
  }

  return {
    clock,
    run,
    soon(milliseconds, what, work) {
      const begin = () => {
        stop()
        waiting.delete(begin)
        run(what, work)
      }
      const stop = clock.after(milliseconds, begin)
      waiting.add(begin)
    },
    track,
    trackStream(stream) {
      void track(new Promise<void>((resolve) => void stream.once('close', resolve)))
      return stream
    },
    async stop() {
      if (stopped) return
      if (!(await withTimeout(patience, untilIdle())))
        log.error({ underWay }, 'something does not end; the server stops without it')
      stopped = true
      clock.end()
    },
  }
}

/** Makes a stop wait for handlers too: they go on working after their client has disconnected. */
export function trackCalls(app: FastifyInstance, { track }: Background): void {
  app.addHook('onRoute', (route) => {
    const { handler } = route
    route.handler = function handle(request, reply) {
      const answer: unknown = handler.call(this, request, reply)
      if (answer instanceof Promise) void track(answer)
      return answer
    }
  })
}
