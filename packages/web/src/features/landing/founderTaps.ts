import { type MouseEvent, useState } from 'react'

const requiredTaps = 3
const maxIntervalMs = 2_000

/** Detects three clicks with at most 2 s between them: returns true for the third. `now` is in milliseconds. */
export function createTaps(now: () => number = () => performance.now()): () => boolean {
  let count = 0
  let lastTime = Number.NEGATIVE_INFINITY
  return () => {
    const time = now()
    count = time - lastTime <= maxIntervalMs ? count + 1 : 1
    lastTime = time
    if (count < requiredTaps) return false
    count = 0
    return true
  }
}

/** Click handler for the landing page's logo: does not navigate; the third quick click opens the founder console. */
export function useFounderTaps(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const [tap] = useState(() => createTaps())
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (tap()) location.assign('/founder')
  }
}
