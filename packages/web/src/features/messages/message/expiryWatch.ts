/** Maximum timer in ms: timers do not count sleep, so the clock is checked at least this often. */
const longest = 60_000

interface Watched {
  /** By the server's clock, like `now`. */
  at: number
  now: () => number
  reached: () => void
}

/** Calls `reached` once at that time or on waking up after it. Returns a function that stops watching. */
export function watchMoment({ at, now, reached }: Watched): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    clearTimeout(timer)
    for (const [target, type] of signs) target.removeEventListener(type, look)
  }
  const signs = [
    [document, 'visibilitychange'],
    [document, 'resume'],
    [window, 'focus'],
    [window, 'pageshow'],
  ] as const

  function look(): void {
    clearTimeout(timer)
    const rest = at - now()
    if (rest > 0) timer = setTimeout(look, Math.min(rest, longest))
    else {
      stop()
      reached()
    }
  }

  for (const [target, type] of signs) target.addEventListener(type, look)
  timer = setTimeout(look, Math.min(Math.max(0, at - now()), longest))
  return stop
}
