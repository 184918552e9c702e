import { correctUse, recordUse, timeToLock } from '../../app/lockTime.ts'

const signs = ['pointerdown', 'pointermove', 'keydown', 'input', 'wheel', 'touchstart'] as const

/** Interval at which use is recorded for the other tabs. */
const recordIntervalMs = 2_000

/**
 * Calls `lock` once nobody has used any tab of this browser for long enough. `isBusy`: something is running that counts
 * as use, such as an upload. Returns a function that stops watching.
 */
export function watchUse(lock: () => void, isBusy: () => boolean): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let recordedAt = 0

  function record(): void {
    recordedAt = Date.now()
    recordUse()
    schedule()
  }

  function schedule(): void {
    clearTimeout(timer)
    correctUse()
    const left = timeToLock()
    if (left !== Infinity) timer = setTimeout(check, Math.max(left, 0))
  }

  function check(): void {
    if (timeToLock() > 0) schedule()
    else if (isBusy()) record()
    else lock()
  }

  function use(): void {
    if (timeToLock() <= 0) return check()
    if (Math.abs(Date.now() - recordedAt) >= recordIntervalMs) record()
  }

  const options = { passive: true, capture: true }
  for (const sign of signs) addEventListener(sign, use, options)
  // Timers stand still while the computer sleeps.
  document.addEventListener('visibilitychange', check)
  record()
  return () => {
    clearTimeout(timer)
    for (const sign of signs) removeEventListener(sign, use, options)
    document.removeEventListener('visibilitychange', check)
  }
}
