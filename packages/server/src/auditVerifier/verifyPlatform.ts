import { createHash } from 'node:crypto'
import { addressText, headText, type ProvenEntry } from '@privity/contract/auditProof'
import {
  type PlatformProof,
  type PlatformRow,
  type PlatformStatement,
  platformText,
} from '@privity/contract/founder/exportFile'
import { chainLeaf, hashText, leafOf } from '../core/audit/hashChain.ts'
import { type FileLine, fileLines } from './fileLines.ts'
import { platformReader } from './platformLines.ts'
import { isHash, readPublicKey } from './signatures.ts'
import { asFound, Found, found, type Problem } from './problem.ts'

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

const lastMoment = 8.64e15
const isTime = (at: unknown) => Number.isSafeInteger(at) && Math.abs(at as number) <= lastMoment

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
export async function verifyPlatform(chunks: AsyncIterable<Uint8Array>, pinnedKey?: string): Promise<PlatformVerdict> {
  const digest = createHash('sha256')
  let read: ReturnType<typeof platformReader>
  let rows = 0
  let entries = 0
  let above: PlatformRow | undefined
  let proof: PlatformProof | undefined
  let fingerprint: string | undefined

  function readRow(row: PlatformRow, line: number): void {
    const number = rows + 1
    const at = { part: 'row', line } as const
    if (!Number.isSafeInteger(row.no)) throw found({ kind: 'altered', number, ...at })
    if (row.no > number) throw found({ kind: 'missing', number, ...at })
    if (row.no < number) throw found({ kind: 'reordered', number: row.no, ...at })
    if (row.kind === 'audit_entry') {
      if (!isWhole(row)) throw found({ kind: 'altered', number, ...at })
      // Rows are newest first: if the row above is the next entry of the log, its `previous` must be this entry's hash.
      if (above !== undefined && Number(above.id) === Number(row.id) + 1 && above.previous !== row.hash)
        throw found({ kind: 'altered', number, ...at })
      above = row
      entries += 1
    }
    rows = number
  }

  function readProof(given: PlatformProof, line: FileLine): void {
    const { statement, head, signature } = given
    const end = { part: 'end', line: line.number } as const
    const key = readPublicKey(given.key)
    ;({ fingerprint } = key ?? {})
    const isEnded = line.ended && (read?.format !== 'csv' || line.text.endsWith('\r'))
    if (key === undefined || !isEnded) throw found({ kind: 'altered', ...end })
    if (pinnedKey !== undefined && pinnedKey !== given.key && pinnedKey !== key.fingerprint)
      throw found({ kind: 'otherKey', ...end })
    if (!isStatement(statement) || !key.verifies(platformText(statement, head), signature))
      throw found({ kind: 'altered', ...end })
    if (head !== null && !key.verifies(headText(head), head.signature)) throw found({ kind: 'altered', ...end })
    if (statement.rows > rows) throw found({ kind: 'missing', part: 'row', number: rows + 1, line: line.number })
    if (statement.format !== read?.format || statement.rows < rows) throw found({ kind: 'altered', ...end })
    if (statement.digest !== digest.digest('base64url'))
      throw rows === 0
        ? found({ kind: 'altered', part: 'header', line: 1 })
        : found({ kind: 'altered', part: 'row', number: 1, until: rows, line: 1 })
    proof = given
  }

  function readLine(line: FileLine): void {
    if (proof !== undefined) throw found({ kind: 'altered', part: 'end', line: line.number })
    if (read === undefined) {
      read = platformReader(line.text)
      if (read === undefined) throw found({ kind: 'altered', part: 'header', line: line.number })
    } else {
      const said = read.read(line.text)
      if (said === undefined) {
        const kind = line.ended ? 'altered' : 'truncated'
        throw found({ kind, part: 'row', number: rows + 1, line: line.number })
      }
      if ('proof' in said) return readProof(said.proof, line)
      readRow(said.row, line.number)
    }
    digest.update(line.bytes)
  }

  async function readAll(): Promise<void> {
    let last = 0
    for await (const line of fileLines(chunks)) {
      last = line.number
      try {
        readLine(line)
      } catch (error) {
        throw asFound(error, { kind: 'altered', part: 'row', number: rows + 1, line: line.number })
      }
    }
    if (proof === undefined) throw found({ kind: 'truncated', part: 'row', number: rows + 1, line: last + 1 })
  }

  let problem: Problem | undefined
  try {
    await readAll()
  } catch (error) {
    if (!(error instanceof Found)) throw error
    ;({ problem } = error)
  }
  const { madeAt, startDate, endDate, eventType = null } = (proof as PlatformProof | undefined)?.statement ?? {}
  return { problem, rows, entries, madeAt, startDate, endDate, eventType, fingerprint }
}
