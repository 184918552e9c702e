/**
 * `values` for an `in (…)`, filled up with the first of them to the next power of two: a text is prepared for each
 * length, and so there are ten for a thousand lengths.
 */
export function padded<T>(values: readonly T[]): T[] {
  const [first] = values
  if (first === undefined) return []
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...Array.from({ length: length - values.length }, () => first)]
}

/** As many placeholders; those of an empty list are no row's. */
export const placesOf = (values: readonly unknown[]): string => values.map(() => '?').join(', ') || 'null'
