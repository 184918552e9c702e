/** Runs `work` one at a time: who asks while it runs waits for the run after it, with all who ask meanwhile. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
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
