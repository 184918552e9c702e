import {
  csvProofKind,
  jsonBegin,
  jsonEnd,
  platformColumns,
  type PlatformProof,
  type PlatformRow,
} from '@privity/contract/founder/exportFile'
import { csvLine, csvMark } from '../core/http/csv.ts'

/** One line of a founder's export; undefined for a line that the server does not write. */
export type PlatformLine = { row: PlatformRow } | { proof: PlatformProof } | undefined

type Fields = Record<string, unknown>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isProof = (fields: Fields | undefined): boolean =>
  isFields(fields?.['statement']) && (fields['head'] === null || isFields(fields['head']))

const proofIn = (text: string): PlatformLine => {
  const fields = parse(text)
  return isProof(fields) ? { proof: fields as unknown as PlatformProof } : undefined
}

function readJson(text: string): PlatformLine {
  if (text.startsWith(jsonEnd)) return text.endsWith('}') ? proofIn(text.slice(jsonEnd.length, -1)) : undefined
  const fields = parse(text.endsWith(',') ? text.slice(0, -1) : text)
  if (fields === undefined) return undefined
  return { row: { ...fields, details: JSON.stringify(fields['details']) } as PlatformRow }
}

/** Splits one record of RFC 4180 that is a single line into its cells. */
function cellsOf(text: string): string[] {
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y
  for (;;) {
    const found = cell.exec(text)
    if (found === null) return []
    cells.push(found[1] === undefined ? (found[2] ?? '') : found[1].replaceAll('""', '"'))
    if (found[3] === '') return cells
  }
}

/** Columns of base64url, which may begin with a hyphen: CSV writes an apostrophe before it, against formulas. */
const encoded = new Set(['addressSalt', 'addressCommitment', 'nonce', 'previous', 'hash'])

/** The signature covers the proof but not the record around it, so the record must hold nothing else. */
const isOnlyProof = (text: string, { details }: Fields): boolean =>
  text.replace(/\r?$/, '\r\n') ===
  csvLine(platformColumns.map((name) => (name === 'kind' ? csvProofKind : name === 'details' ? String(details) : '')))

function readCsv(text: string): PlatformLine {
  const cells = cellsOf(text.replace(/\r$/, ''))
  if (cells.length !== platformColumns.length) return undefined
  const fields: Fields = {}
  for (const [at, name] of platformColumns.entries()) {
    const value = cells[at] as string
    fields[name] = value === '' ? null : encoded.has(name) ? value.replace(/^'/, '') : value
  }
  if (fields['kind'] === csvProofKind) return isOnlyProof(text, fields) ? proofIn(String(fields['details'])) : undefined
  const spelt = String(fields['details'])
  // Serialized again as it is stored: the file writes semicolons as an escape.
  const parsed = parse(spelt)
  const details = parsed === undefined ? spelt : JSON.stringify(parsed)
  return { row: { ...fields, no: Number(fields['no']), details } as PlatformRow }
}

export interface PlatformReader {
  format: 'json' | 'csv'
  read(text: string): PlatformLine
}

/** Chooses the reader by the first line; undefined for a file of another kind. */
export function platformReader(firstLine: string): PlatformReader | undefined {
  if (firstLine === jsonBegin) return { format: 'json', read: readJson }
  if (`${firstLine}\n` === csvMark + csvLine(platformColumns)) return { format: 'csv', read: readCsv }
  return undefined
}

/** Recognizes the file by its first characters, so that an altered first line is reported as altered. */
export const isPlatformFile = (beginning: string): boolean =>
  ['{"format":"privity-platform', `${csvMark}no,`, 'no,kind,'].some((begin) => beginning.startsWith(begin))
