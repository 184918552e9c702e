import { createHash } from 'node:crypto'
import { addressText, headText, type ProvenEntry } from '@privity/contract/auditProof'
import {
  csvProofKind,
  jsonBegin,
  jsonEnd,
  platformColumns,
  type PlatformProof,
  type PlatformRow,
  type PlatformStatement,
  platformText,
} from '@privity/contract/founder/platformExportFormat'
import { csvLine, csvMark } from '../core/http/csv.ts'
import { chainLeaf, hashText, leafOf } from '../core/audit/hashChain.ts'
import { type Fields, type FileLine, isFields, isTime, parseFields, readLines, verifyLines } from './lines.ts'
import { isHash, readPublicKey } from './signatures.ts'
import { found, type Problem } from './problem.ts'

/** One line of a founder's export; undefined for a line that the server does not write. */
type PlatformLine = { row: PlatformRow } | { proof: PlatformProof } | undefined

const isProof = (fields: Fields | undefined): boolean =>
  isFields(fields?.['statement']) && (fields['head'] === null || isFields(fields['head']))

const proofIn = (text: string): PlatformLine => {
  const fields = parseFields(text)
  return isProof(fields) ? { proof: fields as unknown as PlatformProof } : undefined
}

function readJson(text: string): PlatformLine {
  if (text.startsWith(jsonEnd)) return text.endsWith('}') ? proofIn(text.slice(jsonEnd.length, -1)) : undefined
  const fields = parseFields(text.endsWith(',') ? text.slice(0, -1) : text)
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
  for (const [index, name] of platformColumns.entries()) {
    const value = cells[index] as string
    fields[name] = value === '' ? null : encoded.has(name) ? value.replace(/^'/, '') : value
  }
  if (fields['kind'] === csvProofKind) return isOnlyProof(text, fields) ? proofIn(String(fields['details'])) : undefined
  const stored = String(fields['details'])
  // Serialized again as it is stored: the file writes semicolons as an escape.
  const parsed = parseFields(stored)
  const details = parsed === undefined ? stored : JSON.stringify(parsed)
  return { row: { ...fields, no: Number(fields['no']), details } as PlatformRow }
}

interface PlatformReader {
  format: 'json' | 'csv'
  read(text: string): PlatformLine
}

/** Chooses the reader by the first line; undefined for a file of another kind. */
function platformReader(firstLine: string): PlatformReader | undefined {
  if (firstLine === jsonBegin) return { format: 'json', read: readJson }
  if (`${firstLine}\n` === csvMark + csvLine(platformColumns)) return { format: 'csv', read: readCsv }
  return undefined
}

/** Recognizes the file by its first characters, so that an altered first line is reported as altered. */
export const isPlatformExport = (beginning: string): boolean =>
  ['{"format":"privity-platform', `${csvMark}no,`, 'no,kind,'].some((begin) => beginning.startsWith(begin))

export interface PlatformVerdict {
  /** Undefined: every row is as the server wrote it, and none is missing. */
  problem: Problem | undefined
  rows: number
  /** Entries of the audit log among the rows. */
  entries: number
  madeAt: number | undefined
  startDate: number | undefined
  endDate: number | undefined
  eventType: string | null
  fingerprint: string | undefined
}

function toProven(row: PlatformRow): ProvenEntry {
  return {
    seq: Number(row.id),
    at: Date.parse(row.time ?? ''),
    action: row.action ?? '',
    actorId: row.performedById,
    actorOrganization: row.actorOrganization,
    targetId: row.targetId,
    targetOrganization: row.targetOrganization,
    addressCommitment: row.addressCommitment,
    details: row.details,
    nonce: row.nonce ?? '',
  }
}

/** Values shown to a person must have a server's form: a forger's text must not control the terminal. */
const isStatement = ({ madeAt, startDate, endDate, eventType }: PlatformStatement): boolean =>
  [madeAt, startDate, endDate].every(isTime) &&
  (eventType === null || (typeof eventType === 'string' && /^[a-z_]{1,64}$/.test(eventType)))

function isWhole(row: PlatformRow): boolean {
  const { address, addressSalt, addressCommitment, previous, hash } = row
  if (!isHash(previous) || !isHash(hash)) return false
  if (address !== null && hashText(addressText(addressSalt ?? '', address)) !== addressCommitment) return false
  return chainLeaf(previous as string, leafOf(toProven(row))) === hash
}

/** Verifies a founder's export, as JSON or CSV, by its own contents, and by the key if one is given. */
export async function verifyPlatformExport(
  chunks: AsyncIterable<Uint8Array>,
  pinnedKey?: string,
): Promise<PlatformVerdict> {
  const digest = createHash('sha256')
  let reader: PlatformReader | undefined
  let rows = 0
  let entries = 0
  let newer: PlatformRow | undefined
  let proof: PlatformProof | undefined
  let fingerprint: string | undefined

  function readRow(row: PlatformRow, line: number): void {
    const number = rows + 1
    const place = { part: 'row', line } as const
    if (!Number.isSafeInteger(row.no)) throw found({ kind: 'altered', number, ...place })
    if (row.no > number) throw found({ kind: 'missing', number, ...place })
    if (row.no < number) throw found({ kind: 'reordered', number: row.no, ...place })
    if (row.kind === 'audit_entry') {
      if (!isWhole(row)) throw found({ kind: 'altered', number, ...place })
      // Rows are newest first: if the row above is the next entry of the log, its `previous` must be this entry's hash.
      if (newer !== undefined && Number(newer.id) === Number(row.id) + 1 && newer.previous !== row.hash)
        throw found({ kind: 'altered', number, ...place })
      newer = row
      entries += 1
    }
    rows = number
  }

  function readProof(claimed: PlatformProof, line: FileLine): void {
    const { statement, head, signature } = claimed
    const end = { part: 'end', line: line.number } as const
    const key = readPublicKey(claimed.key)
    ;({ fingerprint } = key ?? {})
    const isEnded = line.ended && (reader?.format !== 'csv' || line.text.endsWith('\r'))
    if (key === undefined || !isEnded) throw found({ kind: 'altered', ...end })
    if (!key.matches(pinnedKey)) throw found({ kind: 'otherKey', ...end })
    if (!isStatement(statement) || !key.verifies(platformText(statement, head), signature))
      throw found({ kind: 'altered', ...end })
    if (head !== null && !key.verifies(headText(head), head.signature)) throw found({ kind: 'altered', ...end })
    if (statement.rows > rows) throw found({ kind: 'missing', part: 'row', number: rows + 1, line: line.number })
    if (statement.format !== reader?.format || statement.rows < rows) throw found({ kind: 'altered', ...end })
    if (statement.digest !== digest.digest('base64url'))
      throw rows === 0
        ? found({ kind: 'altered', part: 'header', line: 1 })
        : found({ kind: 'altered', part: 'row', number: 1, until: rows, line: 1 })
    proof = claimed
  }

  /** Returns whether it was the last line. */
  function readLine(line: FileLine): boolean {
    if (reader === undefined) {
      reader = platformReader(line.text)
      if (reader === undefined) throw found({ kind: 'altered', part: 'header', line: line.number })
    } else {
      const content = reader.read(line.text)
      if (content === undefined)
        throw found({ kind: line.ended ? 'altered' : 'truncated', ...next(), line: line.number })
      if ('proof' in content) {
        readProof(content.proof, line)
        return true
      }
      readRow(content.row, line.number)
    }
    digest.update(line.bytes)
    return false
  }

  const next = () => ({ part: 'row', number: rows + 1 }) as const
  const problem = await verifyLines(readLines(chunks), next, readLine)
  const { madeAt, startDate, endDate, eventType = null } = (proof as PlatformProof | undefined)?.statement ?? {}
  return { problem, rows, entries, madeAt, startDate, endDate, eventType, fingerprint }
}
