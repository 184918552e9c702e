import { createHash } from 'node:crypto'
import {
  auditFileFormat,
  type BareEntry,
  bareLine,
  endLine,
  type FileEnd,
  type FileHeader,
  type FullEntry,
  fullLine,
  givesAddress,
  headerLine,
  headLine,
  isOwn,
} from '@privity/contract/auditFile'
import { addressText, emptyChain, headText, type SignedHead, statementText } from '@privity/contract/auditProof'
import { chainLeaf, hashText, leafOf } from '../core/audit/hashChain.ts'
import { type FileLine, fileLines } from './fileLines.ts'
import { isHash, type PublicKey, readPublicKey } from './signatures.ts'
import { asFound, Found, found, type Problem } from './problem.ts'
import { createRanges, firstDifference } from './ranges.ts'

export interface Verdict {
  /** Undefined: every entry is as it was written, and none is missing. */
  problem: Problem | undefined
  /** Contents of the file, as far as it was read. */
  entries: number
  own: number
  heads: number
  organizationId: string | null
  madeAt: number | undefined
  fingerprint: string | undefined
}

type Fields = Record<string, unknown>

/** The latest time that a Date can hold. */
const lastMoment = 8.64e15

function parse(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)

/** Values shown to a person must have a server's form: a forger's text must not control the terminal. */
const isHeader = ({ organizationId, madeAt, addressesSince }: FileHeader): boolean =>
  (organizationId === null || (typeof organizationId === 'string' && /^[\w-]{1,64}$/.test(organizationId))) &&
  [madeAt, addressesSince].every((at) => isNumber(at) && Math.abs(at) <= lastMoment)

/** Verifies an export of the audit log by its own contents, and by the key if one is given. */
export async function verifyExport(chunks: AsyncIterable<Uint8Array>, pinnedKey?: string): Promise<Verdict> {
  const lines = fileLines(chunks)
  const digest = createHash('sha256')
  const own = createRanges()
  let chain = emptyChain
  let seq = 0
  let head = { n: 0, seq: 0 }
  let header: FileHeader | undefined
  let key: PublicKey | undefined

  /** Names the problem of a line out of place: the expected entry or head follows later (reordered) or is missing. */
  async function outOfPlace(line: FileLine, part: 'entry' | 'head', number: number): Promise<Found> {
    for await (const { text } of lines) {
      const fields = parse(text)
      const isHead = fields !== undefined && 'head' in fields
      if (part === 'head' ? isHead && fields['head'] === number : !isHead && fields?.['seq'] === number)
        return found({ kind: 'reordered', part, number, line: line.number })
    }
    return found({ kind: 'missing', part, number, line: line.number })
  }

  function readHeader(line: FileLine): void {
    const fields = parse(line.text)
    const given = fields as unknown as FileHeader
    key = readPublicKey(fields?.['key'])
    if (
      fields?.['format'] !== auditFileFormat ||
      key === undefined ||
      headerLine(given) !== line.text ||
      !isHeader(given)
    )
      throw found({ kind: 'altered', part: 'header', line: line.number })
    header = given
    if (pinnedKey !== undefined && pinnedKey !== given.key && pinnedKey !== key.fingerprint)
      throw found({ kind: 'otherKey', part: 'header', line: line.number })
  }

  const spell = (fields: Fields) =>
    'leaf' in fields ? bareLine(fields as unknown as BareEntry) : fullLine(fields as unknown as FullEntry)
  const leaf = (fields: Fields) => ('leaf' in fields ? String(fields['leaf']) : leafOf(fields as unknown as FullEntry))

  async function readEntry(
    line: FileLine,
    fields: Fields,
    { organizationId, addressesSince }: FileHeader,
  ): Promise<void> {
    const number = seq + 1
    const altered = () => found({ kind: 'altered', part: 'entry', number, line: line.number })
    if (spell(fields) !== line.text || !isNumber(fields['seq'])) throw altered()
    if ('leaf' in fields && !isHash(fields['leaf'])) throw altered()
    const next = chainLeaf(chain, leaf({ ...fields, seq: number }))
    if (fields['seq'] !== number) {
      // Everything but the number is right: the number was altered.
      if (next === fields['hash']) throw altered()
      if (fields['seq'] > number) throw await outOfPlace(line, 'entry', number)
      throw found({ kind: 'reordered', part: 'entry', number: fields['seq'], line: line.number })
    }
    if (next !== fields['hash']) throw altered()
    if (!('leaf' in fields)) {
      const entry = fields as unknown as FullEntry
      const { address } = entry
      if (
        !isOwn(entry, organizationId) ||
        givesAddress(entry, { organizationId, addressesSince }) !== (address !== null)
      )
        throw altered()
      if (address !== null && hashText(addressText(address.salt, address.address)) !== entry.addressCommitment)
        throw altered()
      own.add(number)
    }
    chain = next
    seq = number
  }

  async function readHead(line: FileLine, fields: Fields): Promise<void> {
    const number = head.n + 1
    const signed = { ...fields, n: fields['head'] } as unknown as SignedHead
    const isSpelt = headLine(signed) === line.text && isNumber(signed.n) && isNumber(signed.seq)
    const isSigned = isSpelt && key?.verifies(headText(signed), signed.signature)
    if (isSigned !== true) throw found({ kind: 'altered', part: 'head', number, line: line.number })
    if (signed.seq > seq) throw await outOfPlace(line, 'entry', seq + 1)
    if (signed.n > number) throw await outOfPlace(line, 'head', number)
    if (signed.n < number || signed.seq < seq)
      throw found({ kind: 'reordered', part: 'head', number: signed.n, line: line.number })
    if (signed.hash !== chain)
      throw found({ kind: 'altered', part: 'entry', number: head.seq + 1, until: seq, line: line.number })
    head = { n: number, seq }
  }

  function readEnd(line: FileLine, fields: Fields, begun: FileHeader): void {
    const at = { line: line.number }
    const end = { statement: fields['end'], signature: fields['signature'] } as FileEnd
    const isSpelt = typeof end.statement === 'object' && end.statement !== null && endLine(end) === line.text
    if (!line.ended || !isSpelt || key?.verifies(statementText(end.statement), end.signature) !== true)
      throw found({ kind: 'altered', part: 'end', ...at })
    const { statement } = end
    if (statement.entries > seq) throw found({ kind: 'truncated', part: 'entry', number: seq + 1, ...at })
    if (statement.entries < seq) throw found({ kind: 'altered', part: 'entry', number: statement.entries + 1, ...at })
    if (statement.hash !== chain)
      throw found({ kind: 'altered', part: 'entry', number: Math.min(head.seq + 1, seq), until: seq, ...at })
    if (statement.heads > head.n) throw found({ kind: 'truncated', part: 'head', number: head.n + 1, ...at })
    if (statement.heads < head.n) throw found({ kind: 'altered', part: 'head', number: head.n, ...at })
    const hidden = firstDifference(statement.own, own.toString())
    if (hidden !== undefined) throw found({ kind: 'altered', part: 'entry', number: hidden, ...at })
    const same = (['organizationId', 'madeAt', 'addressesSince'] as const).every(
      (name) => statement[name] === begun[name],
    )
    if (!same || statement.digest !== digest.digest('base64url'))
      throw found({ kind: 'altered', part: 'header', line: 1 })
  }

  /** Returns whether it was the last line. */
  async function readLine(line: FileLine): Promise<boolean> {
    if (header === undefined) readHeader(line)
    else {
      const fields = parse(line.text)
      if (fields === undefined) {
        const kind = line.ended ? 'altered' : 'truncated'
        throw found({ kind, part: 'entry', number: seq + 1, line: line.number })
      }
      if ('end' in fields) {
        readEnd(line, fields, header)
        return true
      }
      if ('head' in fields) await readHead(line, fields)
      else await readEntry(line, fields, header)
    }
    digest.update(line.bytes)
    return false
  }

  async function readAll(): Promise<void> {
    let ended = false
    let last = 0
    for await (const line of lines) {
      if (ended) throw found({ kind: 'altered', part: 'end', line: line.number })
      ended = await readLine(line).catch((error: unknown) => {
        const part = header === undefined ? 'header' : 'entry'
        throw asFound(error, { kind: 'altered', part, number: seq + 1, line: line.number })
      })
      last = line.number
    }
    if (!ended) throw found({ kind: 'truncated', part: 'entry', number: seq + 1, line: last + 1 })
  }

  let problem: Problem | undefined
  try {
    await readAll()
  } catch (error) {
    if (!(error instanceof Found)) throw error
    ;({ problem } = error)
  }
  return {
    problem,
    entries: seq,
    own: own.size(),
    heads: head.n,
    organizationId: header?.organizationId ?? null,
    madeAt: header?.madeAt,
    fingerprint: key?.fingerprint,
  }
}
