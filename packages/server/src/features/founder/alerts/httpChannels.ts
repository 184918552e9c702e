import type { AlertConfig } from '../../../core/config/alerts.ts'
import { NotDelivered } from './deliveryError.ts'

/** Origins of the services; only tests replace them. An environment variable could send the API key to any host. */
export interface ServiceEndpoints {
  sendgrid: string
  twilio: string
}

export const services: ServiceEndpoints = { sendgrid: 'https://api.sendgrid.com', twilio: 'https://api.twilio.com' }

/** Reads only the status: the body of the response repeats what was sent. */
function judge(status: number): void {
  if (status >= 200 && status < 300) return
  if (status >= 300 && status < 400) throw new NotDelivered('redirected')
  if (status === 401 || status === 403) throw new NotDelivered('credentials')
  if (status === 408 || status === 429) throw new NotDelivered('busy')
  throw status < 500 ? new NotDelivered('refused', true) : new NotDelivered('trouble')
}

/** Does not follow redirects, which would take the credentials along. */
async function post(url: string, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<void> {
  let answer: Response
  try {
    answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
  } catch {
    throw new NotDelivered(signal.aborted ? 'timeout' : 'unreachable')
  }
  await answer.body?.cancel().catch(() => {})
  judge(answer.status)
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
