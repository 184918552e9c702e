import { limits } from '@privity/contract/limits'
import type { AlertType } from '@privity/contract/founder/alerts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { newId } from '../../../core/ids.ts'
import type { AlertDeliveryRow, AlertRow, AlertWindowRow } from '../../../core/database/tables/founder.ts'
import {
  countMessages,
  countWindows,
  deleteWindow,
  insertAlert,
  insertDelivery,
  putWindow,
  selectEndedWindows,
  selectWindow,
} from './queries.ts'
import { readSettings } from './settings.ts'

/** The known facts of an event; no content, and no name: that is looked up when the alert is sent. */
export interface AlertCause {
  type: AlertType
  userId?: string | undefined
  address?: string | undefined
  /** The part of the server it is about: `route GET /api/user`, `health database`. */
  part?: string
  /** The number of events that the rule counted. */
  eventCount?: number
}

type Told = Pick<AlertRow, 'type' | 'subject' | 'address' | 'event_count'>
type Kept = Pick<Core, 'clock' | 'bus'>

/** Subject that combines all subjects beyond those reported one by one. */
export const others = ''

function subjectOf({ type, userId, address, part }: AlertCause): string {
  if (part !== undefined) return part
  if (type !== 'mass_signup' && userId !== undefined) return `user ${userId}`
  return address === undefined ? 'unknown' : `address ${address}`
}

/** Each text message costs money, and an attacker decides how many alerts there are. */
const mayMessage = async (tx: Tx, kind: AlertRow['kind'], now: number): Promise<boolean> =>
  kind === 'test' || (await countMessages(tx, now - limits.alertSmsWindow)) < limits.alertSms

/** Stores an alert and its deliveries; sending starts once they are durable. Returns its id. */
export async function queueAlert(
  tx: Tx,
  { clock, bus }: Kept,
  told: Told & Pick<AlertRow, 'kind' | 'held_back'>,
  firstAt: number = clock.now(),
): Promise<string> {
  const now = clock.now()
  const id = newId(now)
  await insertAlert(tx, { ...told, id, created_at: now })
  const { emailEnabled, smsEnabled } = await readSettings(tx)
  const queue = (channel: AlertDeliveryRow['channel'], reason: AlertDeliveryRow['reason'] = null) =>
    insertDelivery(tx, id, { channel, next_at: firstAt, reason })
  if (emailEnabled) await queue('email')
  if (smsEnabled) await queue('sms', (await mayMessage(tx, told.kind, now)) ? null : 'too_many')
  if (!emailEnabled && !smsEnabled) await queue('log')
  if (firstAt === now) tx.afterCommit(() => bus.publish('alertQueued', {}))
  return id
}

/**
 * Sends one digest of the alerts that were held back, and starts a new window of the same length; deletes a window that
 * held back none.
 */
async function endWindow(tx: Tx, kept: Kept, window: AlertWindowRow): Promise<void> {
  const { type, subject, held_back } = window
  if (held_back === 0) return void (await deleteWindow(tx, window))
  await putWindow(tx, { ...window, opened_at: kept.clock.now(), held_back: 0 })
  await queueAlert(tx, kept, { type, subject, address: null, event_count: null, kind: 'digest', held_back })
}

/**
 * Raises an alert in the caller's transaction, unless the founder has switched its type off: at once, or in a digest if
 * the same alert was raised less than 15 minutes ago. In a flood of new subjects only the first few are reported one by
 * one.
 */
export async function raiseAlert(tx: Tx, kept: Kept, happened: AlertCause): Promise<void> {
  const { type, address, eventCount } = happened
  if (!(await readSettings(tx)).alertTypes.includes(type)) return
  const now = kept.clock.now()
  const since = now - limits.alertWindow
  const subject = subjectOf(happened)
  const window = await selectWindow(tx, type, subject)
  if (window !== undefined && window.opened_at > since)
    return void (await putWindow(tx, { ...window, held_back: window.held_back + 1 }))
  if (window !== undefined && window.held_back > 0)
    return endWindow(tx, kept, { ...window, held_back: window.held_back + 1 })
  if ((await countWindows(tx, type, since)) >= limits.alertSubjects) {
    const rest = await selectWindow(tx, type, others)
    const counted = (rest?.held_back ?? 0) + 1
    return void (await putWindow(tx, { type, subject: others, opened_at: rest?.opened_at ?? now, held_back: counted }))
  }
  await putWindow(tx, { type, subject, opened_at: now, held_back: 0 })
  await queueAlert(tx, kept, {
    type,
    subject,
    address: address ?? null,
    event_count: eventCount ?? null,
    kind: 'alert',
    held_back: 0,
  })
}

const atOnce = 100

/** Sends the digests of windows that have ended, for the job. Windows of types that are switched off are deleted. */
export async function endWindows(core: Core, stopping: () => boolean): Promise<void> {
  for (let ended = atOnce; ended === atOnce && !stopping();) {
    ended = await core.db.write(async (tx) => {
      const windows = await selectEndedWindows(tx, core.clock.now() - limits.alertWindow, atOnce)
      const wanted = new Set((await readSettings(tx)).alertTypes)
      for (const window of windows)
        await (wanted.has(window.type) ? endWindow(tx, core, window) : deleteWindow(tx, window))
      return windows.length
    })
  }
}
