const needed = 3
const window = 2_000

/** Counts clicks on the logo: true with the third, each at most 2 s after the one before. `now` in milliseconds. */
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
