/** Label of the tile: the extension in capitals, or FILE. */
export function tileLabel(name: string): string {
  return /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
}

/** Splits a name so that the middle can be truncated while the end with the extension stays visible. */
export function splitName(name: string, end = 10): [string, string] {
  const letters = Array.from(name)
  if (letters.length <= end * 2) return [name, '']
  return [letters.slice(0, -end).join(''), letters.slice(-end).join('')]
}
