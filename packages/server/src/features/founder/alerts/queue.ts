import { limits } from '@privity/contract/limits'
import type { AlertType } from '@privity/contract/founder/alerts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { newId } from '../../../core/ids.ts'
import type { AlertDeliveryRow, AlertRow, AlertWindowRow } from '../../../core/database/tables/founder.ts'
import {
  countSms,
  countWindows,
  deleteWindow,
  insertAlert,
  insertDelivery,
  upsertWindow,
  selectEndedWindows,
  selectWindow,
} from './queries.ts'
import { enabledChannels, readSettings } from './settings.ts'

/** An event that may cause an alert. Holds no content and no name: names are looked up when the alert is sent. */
export interface AlertCause {
  type: AlertType
  userId?: string | undefined
  address?: string | undefined
  /** The affected part of the server: `route GET /api/user`, `health database`. */
  part?: string
  /** The number of events that the rule counted. */
  eventCount?: number
}

type AlertFacts = Pick<AlertRow, 'type' | 'subject' | 'address' | 'event_count'>
type Dependencies = Pick<Core, 'clock' | 'bus'>

/** The subject for all subjects beyond those reported one by one. */
export const combinedSubject = ''

function subjectOf({ type, userId, address, part }: AlertCause): string {
  if (part !== undefined) return part
  if (type !== 'mass_signup' && userId !== undefined) return `user ${userId}`
  return address === undefined ? 'unknown' : `address ${address}`
}

/** Limits text messages: each costs money, and an attacker could cause any number of alerts. */
const canSendSms = async (tx: Tx, kind: AlertRow['kind'], now: number): Promise<boolean> =>
  kind === 'test' || (await countSms(tx, now - limits.alertSmsWindow, now + limits.clockTolerance)) < limits.alertSms

/** Stores an alert and its deliveries; sending starts once they are durable. Returns its id. */
export async function queueAlert(
  tx: Tx,
  { clock, bus }: Dependencies,
  facts: AlertFacts & Pick<AlertRow, 'kind' | 'held_back'>,
  firstAttemptAt: number = clock.now(),
): Promise<string> {
  const now = clock.now()
  const id = newId(now)
  await insertAlert(tx, { ...facts, id, created_at: now })
  const channels = enabledChannels(await readSettings(tx))
  const queue = (channel: AlertDeliveryRow['channel'], reason: AlertDeliveryRow['reason'] = null) =>
    insertDelivery(tx, id, { channel, next_at: firstAttemptAt, reason })
  for (const channel of channels)
    await queue(channel, channel === 'sms' && !(await canSendSms(tx, facts.kind, now)) ? 'too_many' : null)
  if (channels.length === 0) await queue('log')
  if (firstAttemptAt === now) tx.afterCommit(() => bus.publish('alertQueued', {}))
  return id
}

/**
 * Sends a digest of the alerts that were held back and starts a new window; deletes a window without any.
 */
async function endWindow(tx: Tx, dependencies: Dependencies, window: AlertWindowRow): Promise<void> {
  const { type, subject, held_back } = window
  if (held_back === 0) return void (await deleteWindow(tx, window))
  await upsertWindow(tx, { ...window, opened_at: dependencies.clock.now(), held_back: 0 })
  await queueAlert(tx, dependencies, { type, subject, address: null, event_count: null, kind: 'digest', held_back })
}

/**
 * Raises an alert in the caller's transaction, unless the founder has switched its type off. If the same alert was
 * raised less than 15 minutes ago, it is held back for a digest. In a flood of new subjects only the first few are
 * reported one by one.
 */
export async function raiseAlert(tx: Tx, dependencies: Dependencies, cause: AlertCause): Promise<void> {
  const { type, address, eventCount } = cause
  if (!(await readSettings(tx)).alertTypes.includes(type)) return
  const now = dependencies.clock.now()
  const since = now - limits.alertWindow
  const subject = subjectOf(cause)
  const window = await selectWindow(tx, type, subject)
  if (window !== undefined && window.opened_at > since)
    return void (await upsertWindow(tx, { ...window, held_back: window.held_back + 1 }))
  if (window !== undefined && window.held_back > 0)
    return endWindow(tx, dependencies, { ...window, held_back: window.held_back + 1 })
  if ((await countWindows(tx, type, since)) >= limits.alertSubjects) {
    const rest = await selectWindow(tx, type, combinedSubject)
    const counted = (rest?.held_back ?? 0) + 1
    return void (await upsertWindow(tx, {
      type,
      subject: combinedSubject,
      opened_at: rest?.opened_at ?? now,
      held_back: counted,
    }))
  }
  await upsertWindow(tx, { type, subject, opened_at: now, held_back: 0 })
  await queueAlert(tx, dependencies, {
    type,
    subject,
    address: address ?? null,
    event_count: eventCount ?? null,
    kind: 'alert',
    held_back: 0,
  })
}

const batchSize = 100

/** Sends the digests of ended windows; deletes windows of types that are switched off. */
export async function endWindows(core: Core, stopping: () => boolean): Promise<void> {
  for (let ended = batchSize; ended === batchSize && !stopping();) {
    ended = await core.db.write(async (tx) => {
      const now = core.clock.now()
      const ends = { until: now - limits.alertWindow, latest: now + limits.clockTolerance }
      const windows = await selectEndedWindows(tx, ends, batchSize)
      const enabledTypes = new Set((await readSettings(tx)).alertTypes)
      for (const window of windows)
        await (enabledTypes.has(window.type) ? endWindow(tx, core, window) : deleteWindow(tx, window))
      return windows.length
    })
  }
}
