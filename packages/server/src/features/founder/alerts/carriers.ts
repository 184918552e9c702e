import type { AlertCarriers, AlertSettings } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import { isRefused } from '../../../core/mail/mailer.ts'
import type { DueDelivery } from './queries.ts'
import { DeliveryError, sendBySendgrid, sendByTwilio, type ServiceEndpoints } from './httpCarriers.ts'
import { emailText, smsText, describeAlert } from './templates.ts'

/** The service configured for each channel; 'log' if there is none. */
export const carriersOf = ({ config, mail }: Core): AlertCarriers => ({
  email: mail.configured ? 'smtp' : config.alerts.sendgrid === undefined ? 'log' : 'sendgrid',
  sms: config.alerts.twilio === undefined ? 'log' : 'twilio',
})

/** Keeps only the kind of an error of nodemailer, because its text may repeat addresses. */
function toDeliveryError(thrown: unknown): DeliveryError {
  const error = thrown as { code?: string; responseCode?: number }
  if (error.code === 'EAUTH') return new DeliveryError('credentials')
  if (error.code === 'ETIMEDOUT') return new DeliveryError('timeout')
  if (error.responseCode === undefined) return new DeliveryError('unreachable')
  return isRefused(error) ? new DeliveryError('refused', true) : new DeliveryError('busy')
}

/** Runs `work` and throws DeliveryError once the time for an attempt is over, even if the service never responds. */
async function inTime(
  core: Core,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  time: number = limits.alertAttempt,
): Promise<void> {
  const over = new AbortController()
  const late = new Promise<never>((_, reject) => {
    over.signal.addEventListener('abort', () => reject(new DeliveryError('timeout')), { once: true })
  })
  const abort = () => over.abort()
  const cancel = core.clock.after(time, abort)
  stop.addEventListener('abort', abort, { once: true })
  if (stop.aborted) abort()
  try {
    const working = work(over.signal)
    // If it loses the race, nobody else awaits it.
    working.catch(() => {})
    await Promise.race([working, late])
  } finally {
    cancel()
    stop.removeEventListener('abort', abort)
    late.catch(() => {})
  }
}

/**
 * Makes one attempt. Returns 'sent', or 'logged' if the alert was written to the server's log instead: no service is
 * configured for the channel, or there were too many text messages. Throws DeliveryError.
 */
export async function sendAlert(
  core: Core,
  endpoints: ServiceEndpoints,
  row: DueDelivery,
  settings: AlertSettings,
  stop: AbortSignal,
): Promise<'sent' | 'logged'> {
  const { config, mail, log } = core
  const text = await describeAlert(core, row)
  const { email, sms } = carriersOf(core)
  const { sendgrid, twilio } = config.alerts
  const { emailAddress, smsPhoneNumber } = settings
  if (row.channel === 'email' && emailAddress !== null && email !== 'log') {
    const host = config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname
    const subject = `[Privity] ${text.title}`
    const message = { to: emailAddress, subject, text: emailText(text), messageId: `alert-${row.id}@${host}` }
    // A shorter time would send an email twice if the mail server accepts the first one late; a test is tried only
    // once.
    const time = row.kind === 'test' ? limits.alertAttempt : limits.alertMailAttempt
    const attempt = () =>
      mail.attempt(message).catch((error: unknown) => {
        throw toDeliveryError(error)
      })
    if (email === 'smtp') await inTime(core, stop, attempt, time)
    else if (sendgrid !== undefined)
      await inTime(core, stop, (signal) => sendBySendgrid(sendgrid, endpoints.sendgrid, message, signal))
    return 'sent'
  }
  const isAllowed = row.reason !== 'too_many'
  if (row.channel === 'sms' && isAllowed && smsPhoneNumber !== null && sms !== 'log' && twilio !== undefined) {
    const message = { to: smsPhoneNumber, text: smsText(text) }
    await inTime(core, stop, (signal) => sendByTwilio(twilio, endpoints.twilio, message, signal))
    return 'sent'
  }
  log.warn(
    { alert: row.type, kind: row.kind, about: Object.fromEntries(text.lines) },
    `ALERT: ${text.title}. ${text.sentence}`,
  )
  return 'logged'
}
