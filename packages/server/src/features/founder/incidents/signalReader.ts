import type { Reader } from '../../../core/database/types.ts'
import { networkOf } from '../../../core/rateLimits/rateLimits.ts'
import type { SignalKind } from './rules.ts'
import {
  type ActionRow,
  type EventRow,
  failures,
  type Positions,
  selectActions,
  selectEvents,
  selectNewest,
  selectStart,
} from './queries.ts'
import type { Signal } from './signals.ts'

/** Batch size; other requests are served between two batches. */
const batchSize = 1_000

const kindOf = (type: string): SignalKind => ((failures as readonly string[]).includes(type) ? 'failure' : 'deterrent')

function fromEvent(row: EventRow): Signal {
  const userId = row.event_type.startsWith('failed_founder_') ? 'founder' : (row.user_id ?? undefined)
  const address = row.address ?? undefined
  return {
    kind: kindOf(row.event_type),
    id: row.id,
    // The time of the event, if a browser reported it later.
    at: row.occurred_at ?? row.created_at,
    storedAt: row.created_at,
    account: userId ?? row.account ?? '',
    userId,
    address,
    network: address && networkOf(address),
    severity: row.severity,
  }
}

function fromAction(row: ActionRow): Signal {
  const address = row.address ?? undefined
  return {
    kind: row.action === 'account_created' ? 'signUp' : 'action',
    id: `audit-${row.seq}`,
    at: row.created_at,
    storedAt: row.created_at,
    account: row.actor_id,
    userId: row.actor_id,
    address,
    network: address && networkOf(address),
    severity: 'low',
  }
}

/** The positions before the first entries after `since`. */
export const findStart = async (db: Reader, since: number): Promise<Positions> =>
  (await selectStart(db, since)) ?? { events: 0, actions: 0 }

/**
 * Reads the security events, then the audit entries stored since `from`, each table in the order of storage; returns
 * the new positions. Without new rows it costs one query, however much is stored.
 */
export async function readSignals(db: Reader, from: Positions, onSignal: (signal: Signal) => void): Promise<Positions> {
  const newest = (await selectNewest(db)) ?? from
  // If all events were old enough to be deleted, the database assigns the same positions again: starts from the first.
  const since = { ...from, events: newest.events < from.events ? 0 : from.events }
  for (let after = since.events; after < newest.events; after += batchSize) {
    const rows = await selectEvents(db, after, Math.min(after + batchSize, newest.events))
    for (const row of rows) onSignal(fromEvent(row))
    await new Promise(setImmediate)
  }
  for (let after = since.actions; after < newest.actions; after += batchSize) {
    const rows = await selectActions(db, after, Math.min(after + batchSize, newest.actions))
    for (const row of rows) onSignal(fromAction(row))
    await new Promise(setImmediate)
  }
  return newest
}
