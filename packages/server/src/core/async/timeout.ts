import { setTimeout } from 'node:timers/promises'

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
