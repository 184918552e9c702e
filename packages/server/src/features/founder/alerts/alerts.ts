import {
  type Alert,
  type AlertDelivery,
  alertProblems,
  type AlertType,
  alertTypes,
  deliveryReasons,
} from '@privity/contract/founder/alerts'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import { type Delivery, toDelivery } from './delivery.ts'
import { selectAlerts, selectDeliveries, selectDeliveriesOf } from './queries.ts'
import { queueAlert } from './queue.ts'
import { subjectText } from './templates.ts'

export async function listAlerts(core: Core, limit: number): Promise<Alert[]> {
  const { db } = core
  const rows = await selectAlerts(db.read, limit)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const deliveries = Map.groupBy(await selectDeliveries(db.read, ids), ({ alert_id }) => alert_id)
  return Promise.all(
    rows.map(async ({ id, type, kind, subject, held_back, created_at }) => ({
      id,
      type,
      kind,
      subject: kind === 'test' ? 'test' : await subjectText(core, subject),
      heldBack: held_back,
      createdAt: created_at,
      deliveries: (deliveries.get(id) ?? []).map(toDelivery),
    })),
  )
}

const isType = (given: string | null | undefined): given is AlertType =>
  (alertTypes as readonly (string | null | undefined)[]).includes(given)

/** If the process ends while it sends a test, the test is retried after this time (ms). */
const testRetryMs = 2 * limits.alertAttempt

/** Throws ALERT_NOT_SENT with the reasons if a channel failed; other channels may have worked. */
export async function sendTestAlert(
  core: Core,
  delivery: Delivery,
  founder: { address: string },
  type: string | null | undefined,
): Promise<{ deliveries: AlertDelivery[] }> {
  const message = alertProblems.typeMissing
  if (!isType(type)) throw new AppError('INVALID_INPUT', { message, details: [{ path: 'alertType', message }] })
  const at = core.clock.now()
  const id = await core.db.write(async (tx) => {
    const { address } = founder
    await audit(tx, { action: 'alert_tested', actorId: 'founder', address, details: { type }, at })
    const alert = { type, subject: '', address: null, event_count: null, kind: 'test', held_back: 0 } as const
    return queueAlert(tx, core, alert, at + testRetryMs)
  })
  const deliveries = await Promise.all((await selectDeliveriesOf(core.db.read, id)).map(delivery.try))
  const failed = deliveries.filter(({ state }) => state === 'failed' || state === 'waiting')
  if (failed.length === 0) return { deliveries }
  const names = { email: 'Email', sms: 'SMS', log: 'Log' }
  const reasons = failed
    .map(({ channel, reason }) => `${names[channel]}: ${deliveryReasons[reason ?? 'trouble']}`)
    .join(' ')
  throw new AppError('ALERT_NOT_SENT', { message: `Failed to send test alert. ${reasons}` })
}
