/** So that a statement stays small enough to be prepared once for each number of rows. */
export const mostInStatement = 64

/**
 * A statement for several rows at once: `write` is given as many of `row` ('(?, ?)'), parted by commas, as there are
 * rows; `first` is the first of them, where it names the types that PostgreSQL cannot know. Texts are made once.
 */
export function rowsStatement(write: (rows: string) => string, row: string, first = row): (rows: number) => string {
  const texts: string[] = []
  return (rows) => (texts[rows] ??= write([first, ...Array.from({ length: rows - 1 }, () => row)].join(', ')))
}

/** `all` in parts that one statement takes. */
export function inStatements<T>(all: readonly T[], most = mostInStatement): (readonly T[])[] {
  if (all.length <= most) return all.length === 0 ? [] : [all]
  return Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))
}
