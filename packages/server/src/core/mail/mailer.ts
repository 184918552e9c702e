import type { FastifyBaseLogger } from 'fastify'
import type { Clock, Stop } from '../clock.ts'
import { isLoopback } from '../config/addresses.ts'
import type { MailConfig } from '../config/types.ts'
import { withTimeout } from '../async/promises.ts'

export interface Letter {
  to: string
  subject: string
  text: string
  replyTo?: string
  /** The same for a repeated email, so that duplicates can be recognized: `name@host` without brackets. */
  messageId?: string
}

export interface Mail {
  /** Whether a mail server is configured. */
  configured: boolean
  /**
   * Returns at once and never rejects; a caller need not wait. Resolves to whether the mail server accepted the email,
   * perhaps hours later: failures are retried five times. Waiting emails are lost when the server stops; a caller that
   * cannot accept this keeps its own record of what was sent.
   */
  send(letter: Letter): Promise<boolean>
  /** Makes one attempt, for callers whose queue is in the database. Throws the mail server's or network's error. */
  attempt(letter: Letter): Promise<void>
  /** Waits a moment for emails under way, and discards those that wait. */
  close(): Promise<void>
}

/** Pause after each failure, in milliseconds. */
export const pauses = [30_000, 120_000, 600_000, 3_600_000, 14_400_000] as const
const mostAtOnce = 2
/** How long (ms) a stop waits for emails under way: one that was accepted without our knowledge is sent again. */
const parting = 1_500
const mostWaiting = 1_000

interface Waiting {
  letter: Letter
  failures: number
  settle: (sent: boolean) => void
}

/** Whether this email was refused (5xx), rather than the server failing or refusing our sign-in. */
export const isRefused = (error: { code?: string; responseCode?: number }) =>
  (error.responseCode ?? 0) >= 500 && error.code !== 'EAUTH'

/** Options for nodemailer. Without TLS nothing may leave this machine; a local mail server has no certificate. */
export function transportOptions({ host, port, secure, auth }: MailConfig) {
  const isLocal = isLoopback(host)
  return {
    host,
    port,
    secure,
    ...(auth === undefined ? {} : { auth }),
    requireTLS: !secure && !isLocal,
    ignoreTLS: !secure && isLocal,
    // The sum of these timeouts is well under limits.alertMailAttempt.
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

async function connect(config: MailConfig) {
  // Loaded for the first email: most servers send none most of the time.
  const { createTransport } = await import('nodemailer')
  return createTransport(transportOptions(config), { from: config.from })
}

const notSetUp = async () => {
  throw new Error('no mail server is set up')
}

export function createMail(config: MailConfig | undefined, clock: Clock, log: FastifyBaseLogger): Mail {
  if (config === undefined)
    return { configured: false, send: async () => false, attempt: notSetUp, close: async () => {} }
  let transport: ReturnType<typeof connect> | undefined
  const queue: Waiting[] = []
  const timers = new Map<Waiting, Stop>()
  const underWay = new Map<Waiting, Promise<void>>()
  let closed = false

  function failed(waiting: Waiting, thrown: unknown): void {
    const error = thrown as { code?: string; responseCode?: number }
    const pause = pauses[waiting.failures]
    // Logs only these facts: the error may quote addresses and texts.
    const facts = { code: error.code, status: error.responseCode, failures: waiting.failures + 1 }
    if (pause === undefined || isRefused(error)) {
      log.error(facts, 'an email could not be sent and was given up')
      return waiting.settle(false)
    }
    log.warn(facts, 'an email could not be sent and will be retried')
    const again = () => {
      timers.delete(waiting)
      queue.push({ ...waiting, failures: waiting.failures + 1 })
      sendNext()
    }
    timers.set(waiting, clock.after(pause, again))
  }

  async function attempt({ messageId, ...letter }: Letter): Promise<void> {
    transport ??= connect(config as MailConfig)
    await (await transport).sendMail({ ...letter, ...(messageId === undefined ? {} : { messageId: `<${messageId}>` }) })
  }

  async function deliver(waiting: Waiting): Promise<void> {
    try {
      await attempt(waiting.letter)
      waiting.settle(true)
    } catch (error) {
      if (closed) waiting.settle(false)
      else failed(waiting, error)
    }
  }

  function sendNext(): void {
    if (closed || underWay.size >= mostAtOnce) return
    const waiting = queue.shift()
    if (waiting === undefined) return
    const delivered = deliver(waiting).finally(() => {
      underWay.delete(waiting)
      sendNext()
    })
    underWay.set(waiting, delivered)
  }

  return {
    configured: true,
    attempt,
    send: (letter) =>
      new Promise((settle) => {
        if (closed || queue.length + timers.size >= mostWaiting) {
          log.error('too many emails are waiting: one was discarded')
          return settle(false)
        }
        queue.push({ letter, failures: 0, settle })
        sendNext()
      }),
    async close() {
      closed = true
      for (const [waiting, stop] of timers) {
        stop()
        waiting.settle(false)
      }
      timers.clear()
      for (const { settle } of queue.splice(0)) settle(false)
      await withTimeout(parting, Promise.all(underWay.values()))
      for (const { settle } of underWay.keys()) settle(false)
    },
  }
}
