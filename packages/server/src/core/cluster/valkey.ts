import { Redis, type RedisOptions } from 'ioredis'
import type { FastifyBaseLogger } from 'fastify'

/** A connection to Valkey or Redis. Notices published while it is down are silently lost. */
export interface Valkey {
  publish(bytes: Buffer): void
  /** Adds to counters that expire. Returns undefined while Valkey is unreachable. */
  count(increments: readonly CounterIncrement[]): Promise<CounterValue[] | undefined>
  /** Opens both connections again, for when they look alive but nothing arrives. */
  reconnect(): void
  /** Sends pending notices, then closes. */
  close(): Promise<void>
}

export interface CounterIncrement {
  key: string
  /** The increment; negative to decrement. */
  by: number
  /** Lifetime of a new counter in milliseconds. */
  window: number
}

export interface CounterValue {
  count: number
  remainingMs: number
}

export interface ValkeyOptions {
  url: string
  channel: string
  onMessage(bytes: Buffer): void
  /** Called with true once both connections are ready, with false once one of them is lost. */
  onChange(isUp: boolean): void
  log: FastifyBaseLogger
  /** Timeout (ms) of a response, including that to a subscription. */
  timeoutMs?: number
}

const maxRetryDelayMs = 2_000

/** Nothing is queued while disconnected: after a gap browsers reload their data, so a late notice helps nobody. */
const optionsOf = (timeoutMs: number): RedisOptions => ({
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: timeoutMs,
  commandTimeout: timeoutMs,
  disableClientInfo: true,
  retryStrategy: (times) => Math.random() * Math.min(100 * 2 ** Math.min(times, 8), maxRetryDelayMs),
})

/** ioredis accepts only the schemes redis and rediss. */
const toRedisUrl = (url: string) => url.replace(/^valkey(s?):/, (_, tls: string) => `redis${tls}:`)

/** The part of an error that may be logged: ioredis attaches the failed command, which for AUTH holds the password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? (message ?? '').split(' ')[0] ?? ''
}

export function openValkey({ url, channel, onMessage, onChange, log, timeoutMs = 3_000 }: ValkeyOptions): Valkey {
  const publisher = new Redis(toRedisUrl(url), optionsOf(timeoutMs))
  const subscriber = new Redis(toRedisUrl(url), optionsOf(timeoutMs))
  let subscribed = false
  let up = false
  let loggedReason: string | undefined
  let isClosing = false

  function updateStatus(): void {
    // An orderly stop logs no lost connection.
    if (isClosing) return
    const isReady = subscribed && publisher.status === 'ready'
    if (isReady === up) return
    up = isReady
    if (up) loggedReason = undefined
    log[up ? 'info' : 'warn']({}, up ? 'valkey: connected' : 'valkey: connection lost')
    onChange(up)
  }

  function logError(error: unknown): void {
    const reason = reasonOf(error)
    if (isClosing || reason === loggedReason) return
    loggedReason = reason
    log.warn({ reason }, 'valkey: no connection; it is tried again')
  }

  async function subscribe(): Promise<void> {
    try {
      await subscriber.subscribe(channel)
      subscribed = true
      updateStatus()
    } catch (error) {
      logError(error)
      subscriber.disconnect(true)
    }
  }

  subscriber.on('ready', () => void subscribe())
  subscriber.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => onMessage(bytes))
  publisher.on('ready', updateStatus)
  for (const connection of [publisher, subscriber]) {
    connection.on('error', logError)
    connection.on('close', () => {
      if (connection === subscriber) subscribed = false
      updateStatus()
    })
  }

  return {
    publish(bytes) {
      if (up) void publisher.publish(channel, bytes).catch(logError)
    },
    async count(increments) {
      if (!up) return undefined
      const pipeline = publisher.pipeline()
      for (const { key, by, window } of increments) pipeline.incrby(key, by).pexpire(key, window, 'NX').pttl(key)
      const replies = await pipeline.exec().catch(logError)
      if (!Array.isArray(replies) || replies.some(([error]) => error !== null)) return undefined
      return increments.map((_, index) => ({
        count: Number(replies[index * 3]?.[1]),
        remainingMs: Number(replies[index * 3 + 2]?.[1]),
      }))
    },
    reconnect() {
      for (const connection of [publisher, subscriber])
        if (['connect', 'ready'].includes(connection.status)) connection.disconnect(true)
    },
    async close() {
      if (up) await publisher.ping().catch(() => {})
      isClosing = true
      up = false
      for (const connection of [publisher, subscriber]) connection.disconnect()
    },
  }
}
