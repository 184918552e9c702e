import type { DeliveryReason } from '@privity/contract/founder/alerts'
import type { AlertConfig } from '../../../core/config/types.ts'
import type { AlertEndpoints } from '../../../core/core.ts'

/** A failed attempt; `isPermanent` if no retry can succeed. */
export class DeliveryError extends Error {
  readonly reason: DeliveryReason
  readonly isPermanent: boolean
  constructor(reason: DeliveryReason, isPermanent = false) {
    super(reason)
    this.name = 'DeliveryError'
    this.reason = reason
    this.isPermanent = isPermanent
  }
}

export const alertEndpoints: AlertEndpoints = {
  sendgrid: 'https://api.sendgrid.com',
  twilio: 'https://api.twilio.com',
}

/** Throws unless the status is a success. The body is not read, because it repeats the message. */
function checkStatus(status: number): void {
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new DeliveryError('redirected')
  if (status === 401 || status === 403) throw new DeliveryError('credentials')
  if (status === 408 || status === 429) throw new DeliveryError('busy')
  throw status < 500 ? new DeliveryError('refused', true) : new DeliveryError('trouble')
}

/** Follows no redirect, because it would pass on the credentials. */
async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  } catch {
    throw new DeliveryError(signal.aborted ? 'timeout' : 'unreachable')
  }
  await response.body?.cancel().catch(() => {})
  checkStatus(response.status)
}

export interface EmailMessage {
  to: string
  subject: string
  text: string
  messageId: string
}

export const sendBySendgrid = (
  { key, from }: NonNullable<AlertConfig['sendgrid']>,
  origin: string,
  { to, subject, text, messageId }: EmailMessage,
  signal: AbortSignal,
): Promise<void> =>
  post(
    `${origin}/v3/mail/send`,
    { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    JSON.stringify({
      personalizations: [{ to: [{ email: to }] }],
      from: { email: from },
      subject,
      content: [{ type: 'text/plain', value: text }],
      headers: { 'X-Privity-Alert': messageId },
      tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
    }),
    signal,
  )

export function sendByTwilio(
  { sid, token, from }: NonNullable<AlertConfig['twilio']>,
  origin: string,
  { to, text }: { to: string; text: string },
  signal: AbortSignal,
): Promise<void> {
  const sender: [string, string] = from.startsWith('+') ? ['From', from] : ['MessagingServiceSid', from]
  const form = new URLSearchParams([['To', to.startsWith('+') ? to : `+${to}`], sender, ['Body', text]])
  return post(
    `${origin}/2010-04-01/Accounts/${sid}/Messages.json`,
    {
      authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    form.toString(),
    signal,
  )
}
