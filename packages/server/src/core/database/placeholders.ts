/**
 * Pads the `values` of an `in (…)` with the first one to the next power of two: one text is prepared per length, so a
 * thousand lengths need only ten.
 */
export function padToPowerOfTwo<T>(values: readonly T[]): T[] {
  const [first] = values
  if (first === undefined) return []
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: length - values.length }, () => first)]
}

/** One `?` per value; `null` for an empty list, so `in (null)` matches no row. */
export const placeholders = (values: readonly unknown[]): string => values.map(() => '?').join(', ') || 'null'
