/**
 * Waits for statements that were sent without waiting for each other. Throws the first failure in this order: the later
 * ones follow from it.
 */
export async function settleInOrder(sent: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(sent)) if (outcome.status === 'rejected') throw outcome.reason
}

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

/** Keeps statements small, because one is prepared for each number of rows. */
export const maxRowsPerStatement = 64

/**
 * Builds a statement for several rows: `write` receives `row` ('(?, ?)') once per row, separated by commas. `first`
 * replaces the first one if PostgreSQL cannot infer the types and needs casts. Each text is built once.
 */
export function multiRowInsert(write: (rows: string) => string, row: string, first = row): (rows: number) => string {
  const texts: string[] = []
  return (rows) => (texts[rows] ??= write([first, ...Array.from({ length: rows - 1 }, () => row)].join(', ')))
}

/** Splits `items` into parts of at most `size`, each for one statement. */
export function splitIntoStatements<T>(items: readonly T[], size = maxRowsPerStatement): (readonly T[])[] {
  if (items.length <= size) return items.length === 0 ? [] : [items]
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}
