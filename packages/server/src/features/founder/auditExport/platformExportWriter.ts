import { createHash } from 'node:crypto'
import type { ExportRange } from '@privity/contract/founder/auditExport'
import {
  csvProofKind,
  jsonBegin,
  jsonEnd,
  platformColumns,
  type PlatformProof,
  type PlatformRow,
  platformText,
} from '@privity/contract/founder/platformExportFormat'
import type { AuditKey } from '../../../core/audit/signingKey.ts'
import { csvLine, csvMark } from '../../../core/http/csv.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { LogEnd } from '../../auditLogs/heads.ts'
import { platformRows } from './rows.ts'

/** The log when the export was requested. */
export interface ExportBegin extends LogEnd {
  madeAt: number
}

const jsonRow = (row: PlatformRow) =>
  JSON.stringify(
    Object.fromEntries(
      platformColumns.map((name) => [name, name === 'details' ? (JSON.parse(row.details) as unknown) : row[name]]),
    ),
  )

/** One record is one line, even if a name contains line breaks. */
const oneLine = (value: string | number | null) =>
  typeof value === 'string' ? value.replaceAll(/[\r\n]+/g, ' ') : value

/**
 * Escapes semicolons, which begin a cell in some spreadsheets: an apostrophe added after one would change the hashed
 * text.
 */
const withoutSemicolons = (json: string) => json.replaceAll(';', String.raw`\u003b`)

const csvRow = (row: PlatformRow) =>
  csvLine(platformColumns.map((name) => (name === 'details' ? withoutSemicolons(row.details) : oneLine(row[name]))))

const csvEnd = (proof: PlatformProof) =>
  csvLine(
    platformColumns.map((name) =>
      name === 'kind' ? csvProofKind : name === 'details' ? JSON.stringify(proof) : undefined,
    ),
  )

/** Yields the file piece by piece; only a few hundred rows are in memory at a time. */
export async function* writePlatformExport(
  db: Reader,
  key: AuditKey,
  range: ExportRange,
  { madeAt, entries, hash, head }: ExportBegin,
): AsyncGenerator<string> {
  const { format } = range
  const digest = createHash('sha256')
  const digested = (text: string) => {
    digest.update(text)
    return text
  }
  let rows = 0
  yield digested(format === 'json' ? `${jsonBegin}\n` : csvMark + csvLine(platformColumns))
  for await (const batch of platformRows(db, range, entries)) {
    const lines =
      format === 'csv' ? batch.map(csvRow) : batch.map((row) => `${row.no === 1 ? '' : ',\n'}${jsonRow(row)}`)
    rows += batch.length
    yield digested(lines.join(''))
    // Yields to the event loop: other requests wait for the thread.
    await new Promise(setImmediate)
  }
  if (format === 'json' && rows > 0) yield digested('\n')
  const statement = { ...range, madeAt, rows, entries, hash, digest: digest.digest('base64url') }
  const proof: PlatformProof = {
    statement,
    head,
    key: key.publicKey,
    signature: key.sign(platformText(statement, head)),
  }
  yield format === 'json' ? `${jsonEnd}${JSON.stringify(proof)}}\n` : csvEnd(proof)
}
