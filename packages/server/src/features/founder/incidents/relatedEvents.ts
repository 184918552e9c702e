import type { RelatedEntry } from '@privity/contract/founder/incidents'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Reader } from '../../../core/database/types.ts'
import type { SecurityEventRow } from '../../../core/database/tables/security.ts'
import { type EntryWithAddress, nameOf, type People, peopleOf, personOf, toEntries } from '../../auditLogs/view.ts'
import { affectedBy } from './incidents.ts'
import { lastSeenOf, type OpenIncident } from './openIncident.ts'
import {
  type Cursor,
  firstCursor,
  type Select,
  selectEntriesBy,
  selectEntriesFrom,
  selectEntriesOn,
  selectEventsFrom,
  selectEventsOf,
  type Period,
} from './relatedEventQueries.ts'

/**
 * From a little before the first event to a little after the last one, or after its storage if it was reported late.
 */
function periodOf(incident: OpenIncident): Period {
  const { events } = incident
  const stored = events.reduce((latest, { storedAt }) => Math.max(latest, storedAt), lastSeenOf(incident))
  const first = events[0]?.at ?? stored
  return { from: first - limits.incidentMargin, to: stored + limits.incidentMargin }
}

function readCursor(text: string): Cursor {
  const [at, source, id] = text.split('.')
  const isNumber = (given: string | undefined) => /^\d{1,15}$/.test(given ?? '')
  if (id === undefined || !isNumber(at) || (source === 'a' && !isNumber(id))) throw new AppError('INVALID_INPUT')
  return { at: Number(at), source: source === 'a' ? 'a' : 'e', id }
}

interface Found {
  entries: EntryWithAddress[]
  events: SecurityEventRow[]
}

/**
 * An index in each table covers each affected user and address: the newest `limit` of each contain the newest of all.
 */
async function selectRelated(db: Reader, incident: OpenIncident, before: Cursor, limit: number): Promise<Found> {
  const { userIds, addresses } = affectedBy(incident)
  const period = periodOf(incident)
  const all = async <Row>(select: Select<Row>, subjects: readonly string[]) =>
    (await Promise.all(subjects.map((one) => select(db, one, period, before, limit)))).flat()
  return {
    entries: [
      ...(await all(selectEntriesBy, userIds)),
      ...(await all(selectEntriesOn, userIds)),
      ...(await all(selectEntriesFrom, addresses)),
    ],
    events: [...(await all(selectEventsOf, userIds)), ...(await all(selectEventsFrom, addresses))],
  }
}

const metadataOf = (text: string | null) => (text === null ? {} : (JSON.parse(text) as RelatedEntry['details']))

/** Whether it is an attempt on an account, whose author is unknown. */
const isAttempt = (type: string) => type.startsWith('failed_') || type === 'account_locked' || type === 'founder_locked'

function actorAndTarget(people: People, { event_type: type, user_id: id }: SecurityEventRow) {
  const person = id === null ? undefined : (personOf(people, id) ?? ({ kind: 'deleted', id } as const))
  if (!isAttempt(type)) return { actor: person ?? ({ kind: 'unknown' } as const) }
  const founder = type.includes('founder') ? ({ kind: 'founder' } as const) : undefined
  return { actor: { kind: 'unknown' } as const, target: person ?? founder }
}

function fromEvent(people: People, event: SecurityEventRow): RelatedEntry {
  const { actor, target }: Pick<RelatedEntry, 'actor' | 'target'> = actorAndTarget(people, event)
  const description = event.event_description
  return {
    id: `${event.created_at}.e.${event.id}`,
    action: event.event_type,
    severity: event.severity,
    performedAt: event.created_at,
    performedBy: actor.kind === 'unknown' ? 'Unknown User' : nameOf(actor),
    targetUserEmail: target?.kind === 'member' ? target.email : undefined,
    actor,
    target,
    address: event.address ?? undefined,
    details: { ...(description !== null && { description }), ...metadataOf(event.metadata) },
  }
}

/** Removes duplicates: a row can be found both by user and by address. */
const distinct = <Row>(rows: readonly Row[], keyOf: (row: Row) => string | number) => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]

const partsOf = ({ id }: RelatedEntry) => id.split('.') as [string, 'a' | 'e', string]

function byTime(one: RelatedEntry, other: RelatedEntry): number {
  const [[at, source, id], [otherAt, otherSource, otherId]] = [partsOf(one), partsOf(other)]
  if (at !== otherAt) return Number(otherAt) - Number(at)
  if (source !== otherSource) return source === 'e' ? -1 : 1
  return source === 'a' ? Number(otherId) - Number(id) : otherId < id ? -1 : 1
}

/**
 * Entries of the audit log and security events about the users and addresses of an incident, around its time, newest
 * first, from all organizations.
 */
export async function listRelated(
  db: Reader,
  incident: OpenIncident,
  { before, limit }: { before?: string | undefined; limit: number },
): Promise<RelatedEntry[]> {
  const cursor = before === undefined ? firstCursor(periodOf(incident)) : readCursor(before)
  const found = await selectRelated(db, incident, cursor, limit)
  const entries = distinct(found.entries, ({ seq }) => seq)
  const events = distinct(found.events, ({ id }) => id)
  const people = await peopleOf(
    db,
    events.map(({ user_id: userId }) => userId),
  )
  const related = [
    ...(await toEntries(db, entries, null)).map((entry) => ({ ...entry, id: `${entry.performedAt}.a.${entry.id}` })),
    ...events.map((event) => fromEvent(people, event)),
  ]
  return related.sort(byTime).slice(0, limit)
}
