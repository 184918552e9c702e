/** The longest that is planned ahead (ms): timers do not count the time in which a device sleeps. */
const longest = 60_000

interface Watched {
  /** By the server's clock, like what `now` answers. */
  at: number
  now: () => number
  reached: () => void
}

/** Calls `reached` once, when that time has come, or at the first sign of life after a sleep in which it came. */
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
