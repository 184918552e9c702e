/** Keeps statements small, because one is prepared for each number of rows. */
export const mostInStatement = 64

/**
 * Builds a statement for several rows: `write` receives `row` ('(?, ?)') once per row, separated by commas. `first`
 * replaces the first one where PostgreSQL needs the types named. Each text is built once.
 */
export function multiRowInsert(write: (rows: string) => string, row: string, first = row): (rows: number) => string {
  const texts: string[] = []
  return (rows) => (texts[rows] ??= write([first, ...Array.from({ length: rows - 1 }, () => row)].join(', ')))
}

/** Splits `all` into parts that fit into one statement. */
export function inStatements<T>(all: readonly T[], most = mostInStatement): (readonly T[])[] {
  if (all.length <= most) return all.length === 0 ? [] : [all]
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
}
