import { formatNumber, plural } from '../../i18n/language.ts'
import { fileTexts } from './texts.ts'

const kilo = 1024
const mega = kilo * kilo

const tenths = (value: number) => {
  const digits = value >= 100 ? 0 : 1
  return formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

/** Formats a size: 640 KB, 2.4 MB, 100 MB. */
export function formatSize(bytes: number): string {
  if (bytes < kilo) return `${formatNumber(bytes, { useGrouping: false })} ${plural(bytes, fileTexts.bytes)}`
  if (bytes < mega) return `${Math.max(1, Math.round(bytes / kilo))} KB`
  return `${tenths(bytes / mega)} MB`
}

/** Formats progress in the unit of the whole: [29.9, 48.2 MB] for '29.9 of 48.2 MB'. */
export function formatPart(done: number, whole: number): [string, string] {
  const size = formatSize(whole)
  if (whole < kilo) return [String(done), size]
  if (whole < mega) return [String(Math.round(done / kilo)), size]
  return [tenths(done / mega), size]
}

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
