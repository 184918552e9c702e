import { setTimeout } from 'node:timers/promises'

/** Whether `work` ends, one way or the other, within so many milliseconds of the wall clock. */
export async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController()
  const ends = () => true
  const late = setTimeout(milliseconds, false, { signal: over.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(ends, ends), late])
  } finally {
    over.abort()
  }
}
