import type { AuditLogEntry } from '@privity/contract/auditLogs'
import { csvLine, csvMark } from '../../core/http/csv.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Snapshot } from './organizationExportWriter.ts'
import { selectOwnEntries } from './queries.ts'
import { toEntries } from './view.ts'

const batchSize = 500

const columns = [
  // The notice is in a column title, where every reader of the file sees it.
  'Number (proof: JSON Lines export only)',
  'Date & Time (UTC)',
  'Action',
  'Performed By',
  'Performed By (id)',
  'Target User',
  'Target User (id)',
  'Address',
  'Details',
]

const idOf = (person: AuditLogEntry['actor'] | AuditLogEntry['target']) =>
  person !== undefined && 'id' in person ? person.id : ''

const recordOf = (entry: AuditLogEntry) => [
  entry.id,
  new Date(entry.performedAt).toISOString(),
  entry.action,
  entry.performedBy,
  idOf(entry.actor),
  entry.targetUserEmail ?? '',
  idOf(entry.target),
  entry.address ?? '',
  Object.keys(entry.details).length === 0 ? '' : JSON.stringify(entry.details),
]

/** The entries of the list as a CSV table, oldest first: for reading, without the proof that the JSON Lines have. */
export async function* writeCsvExport(db: Reader, snapshot: Snapshot, organizationId: string): AsyncGenerator<string> {
  yield csvMark + csvLine(columns)
  for (let after = 0; ;) {
    const rows = await selectOwnEntries(db, organizationId, { after, upTo: snapshot.entries, limit: batchSize })
    const entries = await toEntries(db, rows, organizationId)
    yield entries.map((entry) => csvLine(recordOf(entry))).join('')
    if (rows.length < batchSize) return
    after = rows.at(-1)?.seq ?? snapshot.entries
    // Yields to the event loop: other requests wait for the thread.
    await new Promise(setImmediate)
  }
}
