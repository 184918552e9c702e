/** Splits sixty digits into twelve groups of five. */
export function digitGroups(safetyNumber: string): string[] {
  return safetyNumber.match(/\d{5}/g) ?? []
}

/** Three rows of four groups, for pasting or reading aloud. */
export function digitRows(safetyNumber: string): string {
  const groups = digitGroups(safetyNumber)
  return [0, 4, 8].map((from) => groups.slice(from, from + 4).join(' ')).join('\n')
}
