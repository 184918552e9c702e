import { emptyChain } from '@privity/contract/auditProof'
import type { ExportRange } from '@privity/contract/founder/auditExport'
import type { PlatformRow } from '@privity/contract/founder/platformExportFormat'
import { limits } from '@privity/contract/limits'
import type { Reader } from '../../../core/database/types.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'
import { actorWithId, nameOf, type People, peopleOf } from '../../auditLogs/view.ts'
import { type EntryRow, selectEntriesBefore, selectEventsBefore } from './queries.ts'

const batchSize = 500

/** Yields row by row, and reads a few hundred at a time. */
async function* paged<Row, Position>(
  first: Position,
  read: (position: Position) => Promise<Row[]>,
  positionOf: (row: Row) => Position,
) {
  for (let position = first; ;) {
    const rows = await read(position)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < batchSize) return
    position = positionOf(last)
  }
}

type LogItem = { entry: EntryRow } | { event: SecurityEventRow }

/** Entries and events of the range, newest first. An event comes before the entry of the same time that records it. */
async function* mergeNewestFirst(db: Reader, { startDate: from, endDate, eventType }: ExportRange, upTo: number) {
  const at = endDate + 1
  const entries = paged(
    { at, id: 0 },
    (position) =>
      eventType === null ? selectEntriesBefore(db, { from, upTo }, position, batchSize) : Promise.resolve([]),
    (row) => ({ at: row.created_at, id: row.seq }),
  )
  const events = paged(
    { at, id: '' },
    (position) => selectEventsBefore(db, { from, eventType }, position, batchSize),
    (row) => ({ at: row.created_at, id: row.id }),
  )
  let [entry, event] = [await entries.next(), await events.next()]
  while (entry.done !== true || event.done !== true) {
    if (event.done !== true && (entry.done === true || event.value.created_at >= entry.value.created_at)) {
      yield { event: event.value } as LogItem
      event = await events.next()
    } else if (entry.done !== true) {
      yield { entry: entry.value } as LogItem
      entry = await entries.next()
    }
  }
}

const isoOf = (at: number) => new Date(at).toISOString()

function fromEntry(people: People, no: number, row: EntryRow): PlatformRow {
  return {
    no,
    kind: 'audit_entry',
    id: String(row.seq),
    time: isoOf(row.created_at),
    action: row.action,
    severity: null,
    performedBy: nameOf(actorWithId(people, row.actor_id)),
    performedById: row.actor_id,
    targetUserEmail: (row.target_id === null ? undefined : people.members.get(row.target_id)?.email) ?? null,
    targetId: row.target_id,
    address: row.address,
    description: null,
    path: null,
    details: row.details,
    actorOrganization: row.actor_organization,
    targetOrganization: row.target_organization,
    addressSalt: row.salt,
    addressCommitment: row.address_commitment,
    nonce: row.nonce,
    previous: row.previous ?? emptyChain,
    hash: row.hash,
  }
}

function fromEvent(people: People, no: number, row: SecurityEventRow): PlatformRow {
  return {
    no,
    kind: 'security_event',
    id: row.id,
    time: isoOf(row.created_at),
    action: row.event_type,
    severity: row.severity,
    performedBy: row.user_id === null ? 'Unknown User' : nameOf(actorWithId(people, row.user_id)),
    performedById: row.user_id,
    targetUserEmail: null,
    targetId: null,
    address: row.address,
    description: row.event_description,
    path: row.page_url,
    details: row.metadata ?? '{}',
    actorOrganization: null,
    targetOrganization: null,
    addressSalt: null,
    addressCommitment: null,
    nonce: null,
    previous: null,
    hash: null,
  }
}

const idsOf = (item: LogItem) => ('entry' in item ? [item.entry.actor_id, item.entry.target_id] : [item.event.user_id])

async function toRows(db: Reader, batch: readonly LogItem[], before: number): Promise<PlatformRow[]> {
  const people = await peopleOf(db, batch.flatMap(idsOf))
  return batch.map((item, index) =>
    'entry' in item
      ? fromEntry(people, before + index + 1, item.entry)
      : fromEvent(people, before + index + 1, item.event),
  )
}

/** The newest 10,000 rows of the range, a few hundred at a time, without audit entries after `upTo`. */
export async function* platformRows(db: Reader, range: ExportRange, upTo: number): AsyncGenerator<PlatformRow[]> {
  let yielded = 0
  let batch: LogItem[] = []
  for await (const item of mergeNewestFirst(db, range, upTo)) {
    batch.push(item)
    const isLast = yielded + batch.length === limits.exportRows
    if (batch.length < batchSize && !isLast) continue
    yield await toRows(db, batch, yielded)
    yielded += batch.length
    batch = []
    if (isLast) return
  }
  if (batch.length > 0) yield await toRows(db, batch, yielded)
}
