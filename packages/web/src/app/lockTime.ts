const afterKey = 'privity.lockAfter'
const usedKey = 'privity.lastUse'

const minute = 60_000

const read = (key: string): number => {
  try {
    return Number(localStorage.getItem(key))
  } catch {
    return 0
  }
}

const write = (key: string, value: number): void => {
  try {
    localStorage.setItem(key, String(value))
  } catch {
    // Storage is blocked: this browser does not lock by itself.
  }
}

/** Each stores typed text before the keys leave the page. */
export const savesBeforeLock = new Set<() => Promise<void>>()

/** Minutes without use after which this browser locks; 0: never. */
export const readLockAfter = (): number => read(afterKey)

export function writeLockAfter(minutes: number): void {
  write(usedKey, Date.now())
  write(afterKey, minutes)
}

/** Records that someone uses this browser now, in any of its tabs. */
export function recordUse(): void {
  if (readLockAfter() > 0) write(usedKey, Date.now())
}

/** A use dated ahead is from before the clock was put back: it counts as one of now. */
export function correctUse(): void {
  if (read(usedKey) > Date.now()) recordUse()
}

/** Time in ms until this browser locks; Infinity: never. 0 or less if nobody has used it for long enough. */
export function timeToLock(): number {
  const after = readLockAfter()
  return after > 0 ? read(usedKey) + after * minute - Date.now() : Infinity
}
