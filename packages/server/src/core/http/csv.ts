export type CsvValue = string | number | boolean | null | undefined

/** What a spreadsheet takes for a formula, also behind blanks and in full width, and what it skips to get there. */
const formula = /^[\s\uFEFF]*[=+\-@＝＋－＠]|^[\t\r\n]/

/** The same behind what begins a cell for a spreadsheet that does not separate by commas; an empty quoted text is no text. */
const formulaInside = /[;\t\r\n](?=[\s\uFEFF"]*[=+\-@＝＋－＠])/g

/** For the beginning of a file: without it Excel takes UTF-8 for something else. */
export const csvMark = '\uFEFF'

function field(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const inside = value.replaceAll(formulaInside, "$&'")
  const safe = formula.test(value) ? `'${inside}` : inside
  return /[",;\r\n\t]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe
}

/**
 * One record of RFC 4180 with its line end. A text that a spreadsheet would calculate gets an apostrophe before it,
 * also where one that separates by semicolons or tabs would begin a cell: people choose their names themselves, and who opens the file is somebody else.
 */
export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`
