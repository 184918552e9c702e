import type { ServerClock } from '../transport/serverClock.ts'
import type { Keyring } from './keyring.ts'
import type { OwnKeysCopy } from './ownKeys.ts'

const intervalMs = 60 * 1000

/**
 * Destroys what is due and publishes the epochs that are missing, now and every minute. `onChecked` follows each time.
 * Returns a function that stops it.
 */
export function maintainKeys(deps: {
  clock: ServerClock
  keyring: Keyring
  keysCopy: OwnKeysCopy
  onChecked(): void
}): () => void {
  const { clock, keyring, keysCopy, onChecked } = deps
  let stopped = false
  let stopTimer = () => {}

  async function check(): Promise<void> {
    clock.check()
    await keyring.renewEpoch().catch(() => {})
    if (stopped) return
    keysCopy.prune(keyring.holds)
    onChecked()
    stopTimer = clock.after(intervalMs, () => void check())
  }

  void check()
  return () => {
    stopped = true
    stopTimer()
  }
}
