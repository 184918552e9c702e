import type { AlertServices, AlertSettings } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import type { AlertEndpoints, Core } from '../../../core/core.ts'
import { isRefused } from '../../../core/mail/mailer.ts'
import type { DueDelivery } from './queries.ts'
import { DeliveryError, sendBySendgrid, sendByTwilio } from './httpServices.ts'
import { emailText, smsText, describeAlert } from './templates.ts'

/** The service configured for each channel; 'log' if there is none. */
export const configuredServices = ({ config, mail }: Core): AlertServices => ({
  email: mail.configured ? 'smtp' : config.alerts.sendgrid === undefined ? 'log' : 'sendgrid',
  sms: config.alerts.twilio === undefined ? 'log' : 'twilio',
})

/** Converts an error of nodemailer without its text, which may repeat addresses. */
function toDeliveryError(thrown: unknown): DeliveryError {
  const error = thrown as { code?: string; responseCode?: number }
  if (error.code === 'EAUTH') return new DeliveryError('credentials')
  if (error.code === 'ETIMEDOUT') return new DeliveryError('timeout')
  if (error.responseCode === undefined) return new DeliveryError('unreachable')
  return isRefused(error) ? new DeliveryError('refused', true) : new DeliveryError('busy')
}

/** Runs `work`; throws DeliveryError after the timeout, even if the service never responds. */
async function runWithTimeout(
  core: Core,
  serverStop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  timeoutMs: number = limits.alertAttempt,
): Promise<void> {
  const controller = new AbortController()
  const expired = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new DeliveryError('timeout')), { once: true })
  })
  const abort = () => controller.abort()
  const cancel = core.clock.after(timeoutMs, abort)
  serverStop.addEventListener('abort', abort, { once: true })
  if (serverStop.aborted) abort()
  try {
    const working = work(controller.signal)
    // If it loses the race, its failure must not be unhandled.
    working.catch(() => {})
    await Promise.race([working, expired])
  } finally {
    cancel()
    serverStop.removeEventListener('abort', abort)
    expired.catch(() => {})
  }
}

/**
 * Makes one attempt. Returns 'sent', or 'logged' if the alert was written to the server's log instead: no service is
 * configured for the channel, or there were too many text messages. Throws DeliveryError.
 */
export async function sendAlert(
  core: Core,
  endpoints: AlertEndpoints,
  row: DueDelivery,
  settings: AlertSettings,
  serverStop: AbortSignal,
): Promise<'sent' | 'logged'> {
  const { config, mail, log } = core
  const text = await describeAlert(core, row)
  const { email, sms } = configuredServices(core)
  const { sendgrid, twilio } = config.alerts
  const { emailAddress, smsPhoneNumber } = settings
  if (row.channel === 'email' && emailAddress !== null && email !== 'log') {
    const host = config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname
    const subject = `[Privity] ${text.title}`
    const message = { to: emailAddress, subject, text: emailText(text), messageId: `alert-${row.id}@${host}` }
    // With a shorter timeout an email that the mail server accepts late would be sent twice. A test has no retry.
    const timeoutMs = row.kind === 'test' ? limits.alertAttempt : limits.alertMailAttempt
    const attempt = () =>
      mail.attempt(message).catch((error: unknown) => {
        throw toDeliveryError(error)
      })
    if (email === 'smtp') await runWithTimeout(core, serverStop, attempt, timeoutMs)
    else if (sendgrid !== undefined)
      await runWithTimeout(core, serverStop, (signal) => sendBySendgrid(sendgrid, endpoints.sendgrid, message, signal))
    return 'sent'
  }
  const isAllowed = row.reason !== 'too_many'
  if (row.channel === 'sms' && isAllowed && smsPhoneNumber !== null && sms !== 'log' && twilio !== undefined) {
    const message = { to: smsPhoneNumber, text: smsText(text) }
    await runWithTimeout(core, serverStop, (signal) => sendByTwilio(twilio, endpoints.twilio, message, signal))
    return 'sent'
  }
  log.warn(
    { alert: row.type, kind: row.kind, about: Object.fromEntries(text.lines) },
    `ALERT: ${text.title}. ${text.sentence}`,
  )
  return 'logged'
}
