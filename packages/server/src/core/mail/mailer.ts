import type { FastifyBaseLogger } from 'fastify'
import type { Clock, Stop } from '../clock.ts'
import { isLoopback } from '../config/addresses.ts'
import type { MailConfig } from '../config/types.ts'
import { withTimeout } from '../async/promises.ts'

export interface Email {
  to: string
  subject: string
  text: string
  replyTo?: string
  /** `name@host` without brackets. Equal for every attempt, so that recipients can recognize duplicates. */
  messageId?: string
}

export interface Mail {
  /** Whether a mail server is configured. */
  configured: boolean
  /**
   * Queues an email. Resolves to whether the mail server accepted it, perhaps hours later: failures are retried five
   * times. Never rejects, so a caller need not await it. Queued emails are lost when the server stops; a caller that
   * cannot accept this keeps its own record of sent emails.
   */
  send(email: Email): Promise<boolean>
  /** Makes one attempt, for callers whose queue is in the database. Throws the mail server's or network's error. */
  attempt(email: Email): Promise<void>
  /** Waits up to `closeTimeoutMs` for emails being sent, and discards the queue. */
  close(): Promise<void>
}

/** Delay before each retry. */
export const retryDelaysMs = [30_000, 120_000, 600_000, 3_600_000, 14_400_000] as const
const maxConcurrent = 2
/** A stop waits for emails being sent: one accepted without our knowledge would be sent again at the next start. */
const closeTimeoutMs = 1_500
const maxQueued = 1_000

interface QueuedEmail {
  email: Email
  failures: number
  settle: (sent: boolean) => void
}

/** Whether the server refused this email for good (5xx); false for other failures and for a refused sign-in. */
export const isRefused = (error: { code?: string; responseCode?: number }) =>
  (error.responseCode ?? 0) >= 500 && error.code !== 'EAUTH'

/** Options for nodemailer: TLS is required, except on loopback, where a mail server has no certificate. */
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
  // Loaded on demand: many servers never send an email.
  const { createTransport } = await import('nodemailer')
  return createTransport(transportOptions(config), { from: config.from })
}

const throwNotConfigured = async () => {
  throw new Error('no mail server is set up')
}

export function createMail(config: MailConfig | undefined, clock: Clock, log: FastifyBaseLogger): Mail {
  if (config === undefined)
    return { configured: false, send: async () => false, attempt: throwNotConfigured, close: async () => {} }
  let transport: ReturnType<typeof connect> | undefined
  const queue: QueuedEmail[] = []
  const retryTimers = new Map<QueuedEmail, Stop>()
  const underWay = new Map<QueuedEmail, Promise<void>>()
  let closed = false

  function handleFailure(queued: QueuedEmail, thrown: unknown): void {
    const error = thrown as { code?: string; responseCode?: number }
    const delayMs = retryDelaysMs[queued.failures]
    // Logs no message of the error, because it may quote addresses and texts.
    const facts = { code: error.code, status: error.responseCode, failures: queued.failures + 1 }
    if (delayMs === undefined || isRefused(error)) {
      log.error(facts, 'an email could not be sent and was given up')
      return queued.settle(false)
    }
    log.warn(facts, 'an email could not be sent and will be retried')
    const retry = () => {
      retryTimers.delete(queued)
      queue.push({ ...queued, failures: queued.failures + 1 })
      sendNext()
    }
    retryTimers.set(queued, clock.after(delayMs, retry))
  }

  async function attempt({ messageId, ...email }: Email): Promise<void> {
    transport ??= connect(config as MailConfig)
    await (await transport).sendMail({ ...email, ...(messageId === undefined ? {} : { messageId: `<${messageId}>` }) })
  }

  async function deliver(queued: QueuedEmail): Promise<void> {
    try {
      await attempt(queued.email)
      queued.settle(true)
    } catch (error) {
      if (closed) queued.settle(false)
      else handleFailure(queued, error)
    }
  }

  function sendNext(): void {
    if (closed || underWay.size >= maxConcurrent) return
    const queued = queue.shift()
    if (queued === undefined) return
    const delivered = deliver(queued).finally(() => {
      underWay.delete(queued)
      sendNext()
    })
    underWay.set(queued, delivered)
  }

  return {
    configured: true,
    attempt,
    send: (email) =>
      new Promise((settle) => {
        if (closed || queue.length + retryTimers.size >= maxQueued) {
          log.error('too many emails are waiting: one was discarded')
          return settle(false)
        }
        queue.push({ email, failures: 0, settle })
        sendNext()
      }),
    async close() {
      closed = true
      for (const [queued, stop] of retryTimers) {
        stop()
        queued.settle(false)
      }
      retryTimers.clear()
      for (const { settle } of queue.splice(0)) settle(false)
      await withTimeout(closeTimeoutMs, Promise.all(underWay.values()))
      for (const { settle } of underWay.keys()) settle(false)
    },
  }
}
