import { emptyChain } from '@privity/contract/auditProof'
import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { ExportRange } from '@privity/contract/founder/auditExport'
import type { PlatformRow } from '@privity/contract/founder/exportFile'
import { limits } from '@privity/contract/limits'
import type { Reader } from '../../../core/database/types.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'
import { type EntryRow, type PersonRow, selectEntriesBefore, selectEventsBefore, selectPeople } from './queries.ts'

const atOnce = 500

/** Yields row by row, and reads a few hundred at a time. */
async function* paged<Row, Place>(first: Place, read: (place: Place) => Promise<Row[]>, placeOf: (row: Row) => Place) {
  for (let place = first; ;) {
    const rows = await read(place)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < atOnce) return
    place = placeOf(last)
  }
}

type Found = { entry: EntryRow } | { event: SecurityEventRow }

/** Entries and events of the range, newest first. An event comes before the entry of the same time that records it. */
async function* merged(db: Reader, { startDate: from, endDate, eventType }: ExportRange, upTo: number) {
  const at = endDate + 1
  const entries = paged(
    { at, id: 0 },
    (place) => (eventType === null ? selectEntriesBefore(db, { from, upTo }, place, atOnce) : Promise.resolve([])),
    (row) => ({ at: row.created_at, id: row.seq }),
  )
  const events = paged(
    { at, id: '' },
    (place) => selectEventsBefore(db, { from, eventType }, place, atOnce),
    (row) => ({ at: row.created_at, id: row.id }),
  )
  let [entry, event] = [await entries.next(), await events.next()]
  while (entry.done !== true || event.done !== true) {
    if (event.done !== true && (entry.done === true || event.value.created_at >= entry.value.created_at)) {
      yield { event: event.value } as Found
      event = await events.next()
    } else if (entry.done !== true) {
      yield { entry: entry.value } as Found
      entry = await entries.next()
    }
  }
}

type People = ReadonlyMap<string, PersonRow>

const served: Record<string, string> = { operator: 'Operator', founder: 'Founder' }

function nameOf(people: People, id: string | null, nobody: string): string {
  if (id === null) return nobody
  const person = people.get(id)
  if (person !== undefined) return `${person.first_name} ${person.last_name}`
  return served[id] ?? `Deleted user ${deletedUserNumber(id)}`
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
    performedBy: nameOf(people, row.actor_id, 'Server'),
    performedById: row.actor_id,
    targetUserEmail: (row.target_id === null ? undefined : people.get(row.target_id)?.email) ?? null,
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
    performedBy: nameOf(people, row.user_id, 'Unknown User'),
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

const idsOf = (found: Found) =>
  'entry' in found ? [found.entry.actor_id, found.entry.target_id] : [found.event.user_id]

async function named(db: Reader, batch: readonly Found[], before: number): Promise<PlatformRow[]> {
  const ids = [...new Set(batch.flatMap(idsOf))].filter((id) => id !== null)
  const people: People = new Map(ids.length === 0 ? [] : (await selectPeople(db, ids)).map((row) => [row.id, row]))
  return batch.map((found, at) =>
    'entry' in found
      ? fromEntry(people, before + at + 1, found.entry)
      : fromEvent(people, before + at + 1, found.event),
  )
}

/** The newest 10,000 rows of the range, a few hundred at a time, without audit entries after `upTo`. */
export async function* platformRows(db: Reader, range: ExportRange, upTo: number): AsyncGenerator<PlatformRow[]> {
  let given = 0
  let batch: Found[] = []
  for await (const found of merged(db, range, upTo)) {
    batch.push(found)
    const isLast = given + batch.length === limits.exportRows
    if (batch.length < atOnce && !isLast) continue
    yield await named(db, batch, given)
    given += batch.length
    batch = []
    if (isLast) return
  }
  if (batch.length > 0) yield await named(db, batch, given)
}
