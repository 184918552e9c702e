import { createHash } from 'node:crypto'
import type { SignedHead } from '@privity/contract/auditProof'
import type { ExportRange } from '@privity/contract/founder/auditExport'
import {
  csvProofKind,
  jsonBegin,
  jsonEnd,
  platformColumns,
  type PlatformProof,
  type PlatformRow,
  platformText,
} from '@privity/contract/founder/exportFile'
import type { AuditKey } from '../../../core/audit/signingKey.ts'
import { csvLine, csvMark } from '../../../core/http/csv.ts'
import type { Reader } from '../../../core/database/types.ts'
import { platformRows } from './rows.ts'

/** Where the log ended when the export was asked for. */
export interface LogEnd {
  madeAt: number
  entries: number
  hash: string
  head: SignedHead | null
}

const jsonRow = (row: PlatformRow) =>
  JSON.stringify(
    Object.fromEntries(
      platformColumns.map((name) => [name, name === 'details' ? (JSON.parse(row.details) as unknown) : row[name]]),
    ),
  )

/** One record is one line, whatever a name holds. */
const oneLine = (value: string | number | null) =>
  typeof value === 'string' ? value.replaceAll(/[\r\n]+/g, ' ') : value

/** No semicolon, which begins a cell for some spreadsheets: an apostrophe behind it would be another text than was hashed. */
const withoutSemicolons = (json: string) => json.replaceAll(';', String.raw`\u003b`)

const csvRow = (row: PlatformRow) =>
  csvLine(platformColumns.map((name) => (name === 'details' ? withoutSemicolons(row.details) : oneLine(row[name]))))

const csvEnd = (proof: PlatformProof) =>
  csvLine(
    platformColumns.map((name) =>
      name === 'kind' ? csvProofKind : name === 'details' ? JSON.stringify(proof) : undefined,
    ),
  )

/** The file, piece by piece: no more of it is in memory than some hundred rows. */
export async function* platformFile(
  db: Reader,
  key: AuditKey,
  range: ExportRange,
  { madeAt, entries, hash, head }: LogEnd,
): AsyncGenerator<string> {
  const { format } = range
  const digest = createHash('sha256')
  const give = (text: string) => {
    digest.update(text)
    return text
  }
  let rows = 0
  yield give(format === 'json' ? `${jsonBegin}\n` : csvMark + csvLine(platformColumns))
  for await (const batch of platformRows(db, range, entries)) {
    const lines =
      format === 'csv' ? batch.map(csvRow) : batch.map((row) => `${row.no === 1 ? '' : ',\n'}${jsonRow(row)}`)
    rows += batch.length
    yield give(lines.join(''))
    // Others are waiting for the thread.
    await new Promise(setImmediate)
  }
  if (format === 'json' && rows > 0) yield give('\n')
  const statement = { ...range, madeAt, rows, entries, hash, digest: digest.digest('base64url') }
  const proof: PlatformProof = {
    statement,
    head,
    key: key.publicKey,
    signature: key.sign(platformText(statement, head)),
  }
  yield format === 'json' ? `${jsonEnd}${JSON.stringify(proof)}}\n` : csvEnd(proof)
}
