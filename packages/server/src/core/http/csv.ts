export type CsvValue = string | number | boolean | null | undefined

/**
 * Text that a spreadsheet takes for a formula, also behind whitespace or in full width, or whitespace that it skips.
 */
const formula = /^[\s\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** The same behind a separator other than the comma that begins a cell for some spreadsheets; `""` there is no text. */
const formulaInside = /[;\t\r\n](?=[\s\uFEFF"]*[=+\-@＝＋－＠])/g

/** The byte order mark that begins a file: without it Excel does not recognize UTF-8. */
export const csvMark = '\uFEFF'

function field(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const inside = value.replaceAll(formulaInside, "$&'")
  const safe = formula.test(value) ? `'${inside}` : inside
  return /[",;\r\n\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * Writes one record of RFC 4180 with its line end. An apostrophe precedes any text that a spreadsheet would calculate,
 * also where one that separates by semicolons or tabs would begin a cell: people choose their own names, and somebody
 * else opens the file.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`
