import { type MouseEvent, useState } from 'react'

const needed = 3
const window = 2_000

/** Detects three clicks with at most 2 s between them: returns true for the third. `now` is in milliseconds. */
export function createTaps(now: () => number = () => performance.now()): () => boolean {
  let count = 0
  let last = Number.NEGATIVE_INFINITY
  return () => {
    const at = now()
    count = at - last <= window ? count + 1 : 1
    last = at
    if (count < needed) return false
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
