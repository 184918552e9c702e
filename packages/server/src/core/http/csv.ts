export type CsvValue = string | number | boolean | null | undefined

/**
 * Matches a text that a spreadsheet takes for a formula, also behind whitespace or in full width, or that begins with a
 * tab or a line break.
 */
const formula = /^[\s\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Matches, inside a text, a separator before a formula: some spreadsheets begin a cell there. */
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
 * also inside a text after a semicolon or tab, where some spreadsheets begin a cell: people choose their own names, and
 * another person opens the file.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`
