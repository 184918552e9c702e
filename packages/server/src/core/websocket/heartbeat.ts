import type { WebSocket } from 'ws'
import type { Clock, Stop } from '../clock.ts'

const every = 30_000
/** Not all at the same moment: to ask ten thousand sockets takes a third of a second. */
const parts = 30

/** A socket that any frame shows to be there. */
export interface Beating {
  socket: WebSocket
  alive: boolean
  /** Of the heartbeat, in which it is asked. */
  part: number
}

/** Asks each of `all` once in 30 seconds whether it is there, and ends those that have not shown it since the last time. */
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
