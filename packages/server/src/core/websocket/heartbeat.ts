import type { WebSocket } from 'ws'
import type { Clock, Stop } from '../clock.ts'

const pingIntervalMs = 30_000
/** Spreads the pings, because pinging ten thousand sockets at once takes a third of a second. */
const partCount = 30

/** A socket that any frame shows to be alive. */
export interface Pinged {
  socket: WebSocket
  alive: boolean
  /** The part of the interval in which it is pinged. */
  part: number
}

/** Pings each of `all` once in 30 seconds, and ends those that have sent nothing since their last ping. */
export function startHeartbeat<P extends Pinged>(clock: Clock, all: ReadonlySet<P>, onGone: (gone: P) => void) {
  let [assigned, currentPart] = [0, 0]
  const stop: Stop = clock.every(pingIntervalMs / partCount, () => {
    currentPart = (currentPart + 1) % partCount
    for (const one of all) {
      if (one.part !== currentPart) continue
      if (one.alive) {
        one.alive = false
        one.socket.ping()
      } else {
        one.socket.terminate()
        onGone(one)
      }
    }
  })
  return { stop, nextPart: () => assigned++ % partCount }
}
