import { email } from '@privity/contract/values'
import type { createReader } from './environment.ts'

/** Services that deliver alerts, beside the mail server. */
export interface AlertConfig {
  sendgrid: { key: string; from: string } | undefined
  twilio: { sid: string; token: string; from: string } | undefined
}

type Read = ReturnType<typeof createReader>

function readSendgrid(read: Read): AlertConfig['sendgrid'] {
  const key = read.text('SENDGRID_API_KEY')
  if (key === undefined) return undefined
  if (!/^SG\.[\w-]{1,100}\.[\w-]{1,200}$/.test(key)) {
    read.problem('SENDGRID_API_KEY is not valid: use the whole key, which begins with SG. and has two more parts.')
    return undefined
  }
  const from = email.safeParse(read.text('MAIL_FROM'))
  if (from.success) return { key, from: from.data }
  // An invalid MAIL_FROM is reported where mail is read.
  if (read.text('MAIL_FROM') === undefined)
    read.problem('SENDGRID_API_KEY needs MAIL_FROM: the sender that SendGrid has verified.')
  return undefined
}

const twilioNames = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'] as const

function readTwilio(read: Read): AlertConfig['twilio'] {
  const [sid, token, from] = twilioNames.map(read.text)
  if (sid === undefined && token === undefined && from === undefined) return undefined
  const before = read.problems.length
  if (sid === undefined || token === undefined || from === undefined)
    read.problem('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM belong together: set all three or none.')
  if (sid !== undefined && !/^AC[0-9a-f]{32}$/i.test(sid))
    read.problem('TWILIO_ACCOUNT_SID is not valid: it begins with AC, and 32 digits and letters from a to f follow.')
  if (token !== undefined && !/^\w{16,128}$/.test(token))
    read.problem('TWILIO_AUTH_TOKEN is not valid: use the whole token.')
  if (from !== undefined && !/^(\+[1-9]\d{1,14}|MG[0-9a-f]{32})$/i.test(from))
    read.problem(`TWILIO_FROM is "${from}": use a number such as +1234567890, or the MG… of a messaging service.`)
  return read.problems.length > before
    ? undefined
    : { sid: sid as string, token: token as string, from: from as string }
}

/** Reads SENDGRID_API_KEY and Twilio's three variables. No problem quotes a key or token. */
export const readAlerts = (read: Read): AlertConfig => ({ sendgrid: readSendgrid(read), twilio: readTwilio(read) })
