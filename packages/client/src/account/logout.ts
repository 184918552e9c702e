import { session as contract } from '@privity/contract/session'
import type { Call } from '../transport/call.ts'
import { maySucceedLater } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import { createTimedLock } from '../device/timedLock.ts'
import { removeWritten } from '../device/userData.ts'

/**
 * Ends the session, also after signing out while the server could not be reached: the browser keeps the cookie, so this
 * device remembers that the session must be ended.
 */
export interface Logout {
  /** Ends the session of this user. Rejects if the server cannot be reached, and then ends it later. */
  end(userId: string | undefined): Promise<void>
  /**
   * Ends a session that is still to be ended, and removes what its user has written in this browser. Returns whether
   * there was one; rejects while the server cannot be reached.
   */
  settle(): Promise<boolean>
  /** The network may be back. */
  wake(): void
  stop(): void
}

const markName = 'ending'
const retryDelayMs = 15_000

export function createLogout(deps: {
  call: Call
  clock: Clock
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
}): Logout {
  const { call, clock, device } = deps
  const withLock = createTimedLock(clock, 'privity-logout')
  let running: Promise<boolean> | undefined
  let stopTimer = () => {}
  /** Set only where full storage cannot record it. Elsewhere the stored mark decides, which another tab may remove. */
  let isDue = false

  async function sendLogout(): Promise<boolean> {
    const mark = await device.get(markName)
    if (!isDue && mark === undefined) return false
    await call(contract.logout, {})
    // The page that signed out may have been closed before it removed this.
    if (typeof mark === 'string') await removeWritten(device, mark)
    isDue = false
    await device.remove(markName)
    return true
  }

  // One tab at a time: a call of another tab that is still under way would end a session that begins meanwhile.
  const settle = () => (running ??= withLock(deps.tabs.runExclusive, sendLogout).finally(() => (running = undefined)))

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
    async end(userId) {
      // Stored first: the page may be closed before the server answers.
      await device.set(markName, userId ?? true).catch(() => (isDue = true))
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
