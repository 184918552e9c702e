import { alertChannels, type AlertDelivery } from '@privity/contract/founder/alerts'
import type { AlertEndpoints, Core } from '../../../core/core.ts'
import { retryDelaysMs } from '../../../core/mail/mailer.ts'
import type { AlertDeliveryRow } from '../../../core/database/tables/founder.ts'
import { configuredServices, sendAlert } from './channels.ts'
import { DeliveryError } from './httpServices.ts'
import { claimDelivery, type DueDelivery, markDelivery, selectDue } from './queries.ts'
import { readSettings } from './settings.ts'

type Outcome = Omit<AlertDeliveryRow, 'alert_id' | 'process'>

export interface Delivery {
  /** Sends due deliveries, one after another on each channel; returns at once. */
  start(): void
  /** Makes one attempt without a retry, for a caller that waits for the outcome. */
  try(row: DueDelivery): Promise<AlertDelivery>
  /** Aborts attempts under way; their deliveries wait for the next start. */
  stop(): Promise<void>
}

export const toDelivery = ({ channel, state, reason, next_at }: Outcome): AlertDelivery => ({
  channel,
  state,
  ...(reason === null ? {} : { reason }),
  ...(state === 'waiting' && next_at !== null ? { nextAt: next_at } : {}),
})

export function createDelivery(core: Core, endpoints: AlertEndpoints): Delivery {
  const { db, clock, log, processes } = core
  const stopping = new AbortController()
  const running = new Map<AlertDelivery['channel'], Promise<void>>()
  const dueAgain = new Set<AlertDelivery['channel']>()
  /** Outcomes that could not be stored (full disk); kept so that a sent alert is not sent again. */
  const unsavedOutcomes = new Map<string, Outcome>()

  function afterFailure({ channel, failures: before, type }: DueDelivery, error: unknown, retry: boolean): Outcome {
    const failures = before + 1
    const deliveryError = error instanceof DeliveryError ? error : new DeliveryError('trouble')
    if (!(error instanceof DeliveryError)) log.error({ err: error }, 'an alert could not be made ready')
    const pause = retry && !deliveryError.isPermanent ? retryDelaysMs[failures - 1] : undefined
    const facts = { alert: type, channel, reason: deliveryError.reason, failures }
    if (pause === undefined) log.error(facts, 'an alert could not be sent and was given up')
    else log.warn(facts, 'an alert could not be sent; it is tried again')
    const nextAt = pause === undefined ? null : clock.now() + pause
    return {
      channel,
      state: nextAt === null ? 'failed' : 'waiting',
      reason: deliveryError.reason,
      failures,
      next_at: nextAt,
    }
  }

  /** Returns undefined if the server is stopping: that does not count as an attempt. */
  async function attempt(row: DueDelivery, retry: boolean): Promise<Outcome | undefined> {
    const { channel, failures } = row
    try {
      const state = await sendAlert(core, endpoints, row, await readSettings(db.read), stopping.signal)
      const isMissing = channel !== 'log' && state === 'logged' && configuredServices(core)[channel] === 'log'
      const reason = isMissing ? 'not_set_up' : row.reason === 'too_many' ? 'too_many' : null
      return { channel, state, reason, failures, next_at: null }
    } catch (error) {
      return stopping.signal.aborted ? undefined : afterFailure(row, error, retry)
    }
  }

  async function claim(row: DueDelivery): Promise<boolean> {
    const { id } = processes
    return id === undefined || (await db.write((tx) => claimDelivery(tx, row, id))).changes > 0
  }

  /** `claimedBy` is the process that claimed the row; null if none did. */
  async function saveOutcome(row: DueDelivery, outcome: Outcome, claimedBy: string | null): Promise<void> {
    const key = `${row.id}/${row.channel}`
    unsavedOutcomes.set(key, outcome)
    await db.write((tx) => markDelivery(tx, row.id, outcome, claimedBy))
    unsavedOutcomes.delete(key)
  }

  async function sendDue(channel: AlertDelivery['channel']): Promise<void> {
    for (;;) {
      if (stopping.signal.aborted) return
      dueAgain.delete(channel)
      const row = await selectDue(db.read, channel, clock.now(), processes.id ?? '')
      if (row === undefined) {
        if (dueAgain.has(channel)) continue
        running.delete(channel)
        return
      }
      if (!(await claim(row))) continue
      const outcome = unsavedOutcomes.get(`${row.id}/${channel}`) ?? (await attempt(row, true))
      if (outcome !== undefined) await saveOutcome(row, outcome, processes.id ?? null)
    }
  }

  function startChannel(channel: AlertDelivery['channel']): void {
    if (stopping.signal.aborted) return
    if (running.has(channel)) return void dueAgain.add(channel)
    const sending = Promise.resolve()
      .then(() => sendDue(channel))
      .catch((error: unknown) => {
        running.delete(channel)
        log.error({ err: error }, 'alerts wait')
      })
    running.set(channel, sending)
  }

  return {
    start: () => alertChannels.forEach(startChannel),
    async try(row) {
      const outcome = await attempt(row, false)
      if (outcome === undefined) return { channel: row.channel, state: 'waiting' }
      await saveOutcome(row, outcome, null)
      return toDelivery(outcome)
    },
    async stop() {
      stopping.abort()
      await Promise.all(running.values())
    },
  }
}
