import { session as contract } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { maySucceedLater } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'

/**
 * Ends the session, also after signing out while the server could not be reached: the browser keeps the cookie, so this
 * device remembers that the session must be ended.
 */
export interface Logout {
  /** Ends the session. Rejects if the server cannot be reached, and then ends it later. */
  end(): Promise<void>
  /**
   * Ends a session that is still to be ended. Returns whether there was one; rejects while the server cannot be
   * reached.
   */
  settle(): Promise<boolean>
  /** The network may be back. */
  wake(): void
  stop(): void
}

const name = 'ending'
const retryDelayMs = 15_000

export function createLogout(deps: { call: Call; clock: Clock; device: Device }): Logout {
  const { call, clock, device } = deps
  let running: Promise<boolean> | undefined
  let stopTimer = () => {}
  /** Also held in memory, because full storage cannot record it. */
  let isDue = false

  async function sendLogout(): Promise<boolean> {
    if (!isDue && (await device.get(name)) === undefined) return false
    await call(contract.logout, {})
    isDue = false
    await device.remove(name)
    return true
  }

  const settle = () => (running ??= sendLogout().finally(() => (running = undefined)))

  function wake(): void {
    stopTimer()
    settle().catch((error: unknown) => maySucceedLater(error) && scheduleRetry())
  }

  function scheduleRetry(): void {
    stopTimer()
    stopTimer = clock.after(retryDelayMs, wake)
  }

  return {
    settle,
    wake,
    async end() {
      isDue = true
      // Stored first: the page may be closed before the server answers.
      await device.set(name, true).catch(() => {})
      try {
        await settle()
      } catch (error) {
        if (maySucceedLater(error)) scheduleRetry()
        throw error
      }
    },
    stop: () => stopTimer(),
  }
}
