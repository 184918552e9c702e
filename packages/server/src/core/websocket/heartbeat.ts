import type { WebSocket } from 'ws'
import type { Clock, Stop } from '../clock.ts'

const every = 30_000
/** Spreads the pings, because pinging ten thousand sockets at once takes a third of a second. */
const parts = 30

/** A socket that any frame shows to be alive. */
export interface Beating {
  socket: WebSocket
  alive: boolean
  /** The part of the interval in which it is pinged. */
  part: number
}

/** Pings each of `all` once in 30 seconds, and ends those that have sent nothing since their last ping. */
export function startHeartbeat<B extends Beating>(clock: Clock, all: ReadonlySet<B>, leave: (gone: B) => void) {
  let [given, now] = [0, 0]
  const stop: Stop = clock.every(every / parts, () => {
    now = (now + 1) % parts
    for (const one of all) {
      if (one.part !== now) continue
      if (one.alive) {
        one.alive = false
        one.socket.ping()
      } else {
        one.socket.terminate()
        leave(one)
      }
    }
  })
  return { stop, nextPart: () => given++ % parts }
}
