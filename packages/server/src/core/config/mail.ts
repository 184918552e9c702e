import { email } from '@privity/contract/values'
import type { createReader } from './environment.ts'
import { isLoopback } from './loopback.ts'

/** The mail server and the sender's address. */
export interface MailConfig {
  host: string
  port: number
  /** TLS from the first byte (smtps); otherwise STARTTLS is required of every host but this machine. */
  secure: boolean
  auth: { user: string; pass: string } | undefined
  from: string
}

type Read = ReturnType<typeof createReader>

function readAddress(read: Read, name: string): string | undefined {
  const value = read.text(name)
  if (value === undefined) return undefined
  const parsed = email.safeParse(value)
  if (parsed.success) return parsed.data
  read.problem(`${name} is "${value}": use an email address.`)
  return undefined
}

/** The address holds a password, so no problem quotes it. */
function readServer(read: Read): Omit<MailConfig, 'from'> | undefined {
  const value = read.text('SMTP_URL')
  if (value === undefined) return undefined
  const url = URL.canParse(value) ? new URL(value) : undefined
  const fits =
    url !== undefined &&
    /^smtps?:$/.test(url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    (url.username === '') === (url.password === '')
  if (!fits) {
    read.problem('SMTP_URL is not valid: use smtps://user:password@mail.example.org or smtp://… (with STARTTLS).')
    return undefined
  }
  const secure = url.protocol === 'smtps:'
  const decoded = (part: string) => decodeURIComponent(part)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    auth: url.username === '' ? undefined : { user: decoded(url.username), pass: decoded(url.password) },
  }
}

/** Reads SMTP_URL, MAIL_FROM and SUPPORT_EMAIL. Without SMTP_URL nothing is mailed. */
export function readMail(read: Read, publicUrl: string | undefined) {
  const server = readServer(read)
  const given = readAddress(read, 'MAIL_FROM')
  const supportEmail = readAddress(read, 'SUPPORT_EMAIL')
  if (server === undefined) return { mail: undefined, supportEmail }
  const user = email.safeParse(server.auth?.user)
  const host = publicUrl === undefined ? 'localhost' : new URL(publicUrl).hostname
  const from = given ?? (user.success ? user.data : `privity@${host}`)
  return { mail: { ...server, from }, supportEmail }
}

/** Options for nodemailer. Without TLS nothing may leave this machine; a local mail server has no certificate. */
export function transportOptions({ host, port, secure, auth }: MailConfig) {
  const here = isLoopback(host)
  return {
    host,
    port,
    secure,
    ...(auth === undefined ? {} : { auth }),
    requireTLS: !secure && !here,
    ignoreTLS: !secure && here,
    // The sum of these timeouts is well under limits.alertMailAttempt.
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}
