import { setTimeout } from 'node:timers/promises'

/** Runs `work` one at a time. Calls during a run share the one run after it. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  return function ask(): Promise<void> {
    if (running === undefined) {
      running = work().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return ask()
      })
    return next
  }
}

/** Returns whether `work` settles, either way, within this many milliseconds of real time. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const ends = () => true
  const late = setTimeout(milliseconds, false, { signal: over.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(ends, ends), late])
  } finally {
    over.abort()
  }
}
