/** The q-quantile (0 to 1) of ascending values, nearest rank. */
export function quantile(sorted: ArrayLike<number>, q: number): number {
  const rank = Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))
  return sorted[rank] ?? Number.NaN
}

export function summary(values: number[]) {
  const sorted = Float64Array.from(values).toSorted()
  const [p50, p99, p999, max] = [0.5, 0.99, 0.999, 1].map((q) => quantile(sorted, q)) as [
    number,
    number,
    number,
    number,
  ]
  return { n: sorted.length, p50, p99, p999, max }
}

export const median = (values: number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Runs fn(0) to fn(count - 1), at most `width` in parallel; resolves with the results in order. */
export async function pool<T>(count: number, width: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const out: T[] = []
  let next = 0
  const lane = async () => {
    while (next < count) {
      const i = next++
      out[i] = await work(i)
    }
  }
  await Promise.all(Array.from({ length: Math.min(width, count) }, lane))
  return out
}
