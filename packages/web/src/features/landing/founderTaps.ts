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
