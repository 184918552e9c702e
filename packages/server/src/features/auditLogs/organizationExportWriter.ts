import { createHash } from 'node:crypto'
import {
  bareLine,
  endLine,
  fullLine,
  givesAddress,
  headerLine,
  headLine,
  isOwn,
} from '@privity/contract/organizationExportFormat'
import { type ExportStatement, type SignedHead, statementText } from '@privity/contract/auditProof'
import { limits } from '@privity/contract/limits'
import type { AuditKey } from '../../core/audit/signingKey.ts'
import { leafOf, toProven } from '../../core/audit/hashChain.ts'
import { createRanges } from '../../auditVerifier/ranges.ts'
import type { Reader } from '../../core/database/types.ts'
import { readLogEnd } from './heads.ts'
import { type EntryWithAddress, selectEntries, selectHeads } from './queries.ts'

/** The end of the log when the export was requested; later entries are not in it. */
export type Snapshot = Omit<ExportStatement, 'own' | 'digest'>

const hour = 60 * 60 * 1000
const batchSize = 500

/** Leaves out addresses that may be deleted while the export is read. */
export async function takeSnapshot(db: Reader, organizationId: string | null, madeAt: number): Promise<Snapshot> {
  const { entries, hash, head } = await readLogEnd(db)
  return {
    organizationId,
    madeAt,
    addressesSince: madeAt - limits.auditAddressesKept + hour,
    entries,
    hash,
    heads: head?.n ?? 0,
  }
}

function addressOf(row: EntryWithAddress, snapshot: Snapshot) {
  if (!givesAddress(toProven(row), snapshot)) return null
  if (row.salt === null || row.address === null) throw new Error('an address of the audit log was deleted too early')
  return { salt: row.salt, address: row.address }
}

function entryLine(row: EntryWithAddress, snapshot: Snapshot): string {
  const { seq, hash } = row
  const entry = toProven(row)
  if (!isOwn(entry, snapshot.organizationId)) return bareLine({ seq, leaf: leafOf(entry), hash })
  return fullLine({ ...entry, address: addressOf(row, snapshot), hash })
}

async function* readHeads(db: Reader, upTo: number): AsyncGenerator<SignedHead> {
  for (let after = 0; after < upTo;) {
    const heads = await selectHeads(db, after, upTo, batchSize)
    if (heads.length === 0) return
    yield* heads
    after = heads.at(-1)?.n ?? upTo
  }
}

/** Yields the lines of the file, each with its line feed, one batch of entries at a time. */
export async function* writeOrganizationExport(db: Reader, key: AuditKey, snapshot: Snapshot): AsyncGenerator<string> {
  const digest = createHash('sha256')
  const own = createRanges()
  const heads = readHeads(db, snapshot.heads)
  let head = await heads.next()
  const digested = (lines: string[]) => {
    const text = lines.map((line) => `${line}\n`).join('')
    digest.update(text)
    return text
  }

  const { organizationId, madeAt, addressesSince } = snapshot
  yield digested([headerLine({ organizationId, madeAt, addressesSince, key: key.publicKey })])
  for (let after = 0; after < snapshot.entries;) {
    const rows = await selectEntries(db, after, snapshot.entries, batchSize)
    if (rows.length === 0) throw new Error('entries of the audit log are missing')
    const lines: string[] = []
    for (const row of rows) {
      lines.push(entryLine(row, snapshot))
      if (isOwn(toProven(row), organizationId)) own.add(row.seq)
      for (; head.done !== true && head.value.seq <= row.seq; head = await heads.next())
        lines.push(headLine(head.value))
    }
    yield digested(lines)
    after = rows.at(-1)?.seq ?? snapshot.entries
    // Yields to the event loop: other requests wait for the thread.
    await new Promise(setImmediate)
  }
  const statement = { ...snapshot, own: own.toString(), digest: digest.digest('base64url') }
  yield `${endLine({ statement, signature: key.sign(statementText(statement)) })}\n`
}
