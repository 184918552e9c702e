/** What stands on the tile: the extension in capitals, or FILE. */
export function tileLabel(name: string): string {
  return /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toUpperCase() ?? 'FILE'
}

/** The name in two parts, so that the middle gives way and the end with its extension stays in sight. */
export function splitName(name: string, end = 10): [string, string] {
  const letters = Array.from(name)
  if (letters.length <= end * 2) return [name, '']
  return [letters.slice(0, -end).join(''), letters.slice(-end).join('')]
}
