import { session as contract } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { isPassing } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'

/**
 * Ends the session of who signed out while the server could not be reached. The browser keeps the cookie until the
 * server takes it back, so this device remembers that it must.
 */
export interface Ending {
  /** Ends the session now, or as soon as the server can be reached; rejects in the second case. */
  end(): Promise<void>
  /** Whether there was a session left to be ended; rejects while it cannot be. */
  settle(): Promise<boolean>
  /** The network may be back. */
  wake(): void
  stop(): void
}

const name = 'ending'
const pause = 15_000

export function createEnding(deps: { call: Call; clock: Clock; device: Device }): Ending {
  const { call, clock, device } = deps
  let running: Promise<boolean> | undefined
  let stopTimer = () => {}
  /** Known here as well: a full device cannot keep it. */
  let isDue = false

  async function tell(): Promise<boolean> {
    if (!isDue && (await device.get(name)) === undefined) return false
    await call(contract.logout, {})
    isDue = false
    await device.remove(name)
    return true
  }

  const settle = () => (running ??= tell().finally(() => (running = undefined)))

  function wake(): void {
    stopTimer()
    settle().catch((error: unknown) => isPassing(error) && later())
  }

  function later(): void {
    stopTimer()
    stopTimer = clock.after(pause, wake)
  }

  return {
    settle,
    wake,
    async end() {
      isDue = true
      // Kept first: the page may be closed before the server answers.
      await device.set(name, true).catch(() => {})
      try {
        await settle()
      } catch (error) {
        if (isPassing(error)) later()
        throw error
      }
    },
    stop: () => stopTimer(),
  }
}
