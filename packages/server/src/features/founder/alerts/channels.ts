import type { AlertCarriers, AlertSettings } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { DueDelivery } from './queries.ts'
import { fromMail, NotDelivered } from './deliveryError.ts'
import { sendBySendgrid, sendByTwilio, type ServiceEndpoints } from './httpChannels.ts'
import { letterText, smsText, wordsOf } from './templates.ts'

/** The service configured for each channel; 'log' if there is none. */
export const channelsOf = ({ config, mail }: Core): AlertCarriers => ({
  email: mail.configured ? 'smtp' : config.alerts.sendgrid === undefined ? 'log' : 'sendgrid',
  sms: config.alerts.twilio === undefined ? 'log' : 'twilio',
})

/** Runs `work` and throws NotDelivered once the time for an attempt is over, even if the service never responds. */
async function inTime(
  core: Core,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
  time: number = limits.alertAttempt,
): Promise<void> {
  const over = new AbortController()
  const late = new Promise<never>((_, refuse) => {
    over.signal.addEventListener('abort', () => refuse(new NotDelivered('timeout')), { once: true })
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
 * configured for the channel, or there were too many text messages. Throws NotDelivered.
 */
export async function sendAlert(
  core: Core,
  endpoints: ServiceEndpoints,
  row: DueDelivery,
  settings: AlertSettings,
  stop: AbortSignal,
): Promise<'sent' | 'logged'> {
  const { config, mail, log } = core
  const words = await wordsOf(core, row)
  const { email, sms } = channelsOf(core)
  const { sendgrid, twilio } = config.alerts
  const { emailAddress, smsPhoneNumber } = settings
  if (row.channel === 'email' && emailAddress !== null && email !== 'log') {
    const host = config.publicUrl === undefined ? 'localhost' : new URL(config.publicUrl).hostname
    const subject = `[Privity] ${words.title}`
    const letter = { to: emailAddress, subject, text: letterText(words), messageId: `alert-${row.id}@${host}` }
    // A shorter time would send an email twice if the mail server accepts the first one late; a test is tried only
    // once.
    const time = row.kind === 'test' ? limits.alertAttempt : limits.alertMailAttempt
    const attempt = () =>
      mail.attempt(letter).catch((error: unknown) => {
        throw fromMail(error)
      })
    if (email === 'smtp') await inTime(core, stop, attempt, time)
    else if (sendgrid !== undefined)
      await inTime(core, stop, (signal) => sendBySendgrid(sendgrid, endpoints.sendgrid, letter, signal))
    return 'sent'
  }
  const isAllowed = row.reason !== 'too_many'
  if (row.channel === 'sms' && isAllowed && smsPhoneNumber !== null && sms !== 'log' && twilio !== undefined) {
    const message = { to: smsPhoneNumber, text: smsText(words) }
    await inTime(core, stop, (signal) => sendByTwilio(twilio, endpoints.twilio, message, signal))
    return 'sent'
  }
  log.warn(
    { alert: row.type, kind: row.kind, about: Object.fromEntries(words.lines) },
    `ALERT: ${words.title}. ${words.sentence}`,
  )
  return 'logged'
}
