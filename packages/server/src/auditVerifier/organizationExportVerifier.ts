import { createHash } from 'node:crypto'
import {
  organizationExportFormat,
  type BareEntry,
  bareLine,
  endLine,
  type ExportEnd,
  type ExportHeader,
  type FullEntry,
  fullLine,
  givesAddress,
  headerLine,
  headLine,
  isOwn,
} from '@privity/contract/organizationExportFormat'
import { addressText, emptyChain, headText, type SignedHead, statementText } from '@privity/contract/auditProof'
import { chainLeaf, hashText, leafOf } from '../core/audit/hashChain.ts'
import { type Fields, type FileLine, isTime, parseFields, readLines, verifyLines } from './lines.ts'
import { isHash, type PublicKey, readPublicKey } from './signatures.ts'
import { type Found, found, type Problem } from './problem.ts'
import { createRanges, firstDifference } from './ranges.ts'

export interface OrganizationVerdict {
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

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value)

/** Values shown to a person must have a server's form: a forger's text must not control the terminal. */
const isHeader = ({ organizationId, madeAt, addressesSince }: ExportHeader): boolean =>
  (organizationId === null || (typeof organizationId === 'string' && /^[\w-]{1,64}$/.test(organizationId))) &&
  isTime(madeAt) &&
  isTime(addressesSince)

/** Verifies an export of the audit log by its own contents, and by the key if one is given. */
export async function verifyOrganizationExport(
  chunks: AsyncIterable<Uint8Array>,
  pinnedKey?: string,
): Promise<OrganizationVerdict> {
  const lines = readLines(chunks)
  const digest = createHash('sha256')
  const own = createRanges()
  let chain = emptyChain
  let seq = 0
  let head = { n: 0, seq: 0 }
  let header: ExportHeader | undefined
  let key: PublicKey | undefined

  /** Names the problem of a line out of place: the expected entry or head follows later (reordered) or is missing. */
  async function outOfPlace(line: FileLine, part: 'entry' | 'head', number: number): Promise<Found> {
    for await (const { text } of lines) {
      const fields = parseFields(text)
      const isHead = fields !== undefined && 'head' in fields
      if (part === 'head' ? isHead && fields['head'] === number : !isHead && fields?.['seq'] === number)
        return found({ kind: 'reordered', part, number, line: line.number })
    }
    return found({ kind: 'missing', part, number, line: line.number })
  }

  function readHeader(line: FileLine): void {
    const fields = parseFields(line.text)
    const claimed = fields as unknown as ExportHeader
    key = readPublicKey(fields?.['key'])
    if (
      fields?.['format'] !== organizationExportFormat ||
      key === undefined ||
      headerLine(claimed) !== line.text ||
      !isHeader(claimed)
    )
      throw found({ kind: 'altered', part: 'header', line: line.number })
    header = claimed
    if (!key.matches(pinnedKey)) throw found({ kind: 'otherKey', part: 'header', line: line.number })
  }

  const serialize = (fields: Fields) =>
    'leaf' in fields ? bareLine(fields as unknown as BareEntry) : fullLine(fields as unknown as FullEntry)
  const leaf = (fields: Fields) => ('leaf' in fields ? String(fields['leaf']) : leafOf(fields as unknown as FullEntry))

  async function readEntry(
    line: FileLine,
    fields: Fields,
    { organizationId, addressesSince }: ExportHeader,
  ): Promise<void> {
    const number = seq + 1
    const altered = () => found({ kind: 'altered', part: 'entry', number, line: line.number })
    if (serialize(fields) !== line.text || !isNumber(fields['seq'])) throw altered()
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
    const isCanonical = headLine(signed) === line.text && isNumber(signed.n) && isNumber(signed.seq)
    const isSigned = isCanonical && key?.verifies(headText(signed), signed.signature)
    if (isSigned !== true) throw found({ kind: 'altered', part: 'head', number, line: line.number })
    if (signed.seq > seq) throw await outOfPlace(line, 'entry', seq + 1)
    if (signed.n > number) throw await outOfPlace(line, 'head', number)
    if (signed.n < number || signed.seq < seq)
      throw found({ kind: 'reordered', part: 'head', number: signed.n, line: line.number })
    if (signed.hash !== chain)
      throw found({ kind: 'altered', part: 'entry', number: head.seq + 1, until: seq, line: line.number })
    head = { n: number, seq }
  }

  function readEnd(line: FileLine, fields: Fields, opening: ExportHeader): void {
    const place = { line: line.number }
    const end = { statement: fields['end'], signature: fields['signature'] } as ExportEnd
    const isCanonical = typeof end.statement === 'object' && end.statement !== null && endLine(end) === line.text
    if (!line.ended || !isCanonical || key?.verifies(statementText(end.statement), end.signature) !== true)
      throw found({ kind: 'altered', part: 'end', ...place })
    const { statement } = end
    if (statement.entries > seq) throw found({ kind: 'truncated', part: 'entry', number: seq + 1, ...place })
    if (statement.entries < seq)
      throw found({ kind: 'altered', part: 'entry', number: statement.entries + 1, ...place })
    if (statement.hash !== chain)
      throw found({ kind: 'altered', part: 'entry', number: Math.min(head.seq + 1, seq), until: seq, ...place })
    if (statement.heads > head.n) throw found({ kind: 'truncated', part: 'head', number: head.n + 1, ...place })
    if (statement.heads < head.n) throw found({ kind: 'altered', part: 'head', number: head.n, ...place })
    const difference = firstDifference(statement.own, own.toString())
    if (difference !== undefined) throw found({ kind: 'altered', part: 'entry', number: difference, ...place })
    const same = (['organizationId', 'madeAt', 'addressesSince'] as const).every(
      (name) => statement[name] === opening[name],
    )
    if (!same || statement.digest !== digest.digest('base64url'))
      throw found({ kind: 'altered', part: 'header', line: 1 })
  }

  /** Returns whether it was the last line. */
  async function readLine(line: FileLine): Promise<boolean> {
    if (header === undefined) readHeader(line)
    else {
      const fields = parseFields(line.text)
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

  const problem = await verifyLines(lines, () => ({ part: 'entry', number: seq + 1 }), readLine)
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
