import { setTimeout } from 'node:timers/promises'

/** Runs `work` one at a time. Calls during a run share the one run after it. */
export function coalesce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  return function request(): Promise<void> {
    if (running === undefined) {
      running = work().finally(() => (running = undefined))
      return running
    }
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return request()
      })
    return next
  }
}

/** Returns whether `work` settles, in either way, within this time; by the real clock. */
export async function withTimeout(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const timer = new AbortController()
  const settled = () => true
  const expired = setTimeout(milliseconds, false, { signal: timer.signal }).catch(() => false)
  try {
    return await Promise.race([work.then(settled, settled), expired])
  } finally {
    timer.abort()
  }
}
