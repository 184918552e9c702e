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
