import { Redis, type RedisOptions } from 'ioredis'
import type { FastifyBaseLogger } from 'fastify'

/** A connection to Valkey or Redis. Notices sent while it is down are lost without a report. */
export interface Valkey {
  publish(bytes: Buffer): void
  /** Adds to counters that expire. Returns count and remaining milliseconds of each, or undefined without Valkey. */
  count(steps: readonly Step[]): Promise<Counted[] | undefined>
  /** Drops connections that look alive but are silent. */
  reconnect(): void
  /** Sends pending notices, then closes. */
  close(): Promise<void>
}

export interface Step {
  key: string
  /** The increment; negative to decrement. */
  by: number
  /** Lifetime of a new counter in milliseconds. */
  window: number
}

export interface Counted {
  count: number
  left: number
}

export interface ValkeyOptions {
  url: string
  channel: string
  hear(bytes: Buffer): void
  /** Both connections are ready, or one of them is gone. */
  changed(isUp: boolean): void
  log: FastifyBaseLogger
  /** Timeout (ms) of a response, including that to a subscription. */
  patience?: number
}

const longestPause = 2_000

/** Nothing is queued while disconnected: a late notice is worse than none, because browsers reload data after a gap. */
const optionsOf = (patience: number): RedisOptions => ({
  enableOfflineQueue: false,
  autoResubscribe: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: patience,
  commandTimeout: patience,
  disableClientInfo: true,
  retryStrategy: (times) => Math.random() * Math.min(100 * 2 ** Math.min(times, 8), longestPause),
})

/** ioredis accepts only the schemes redis and rediss. */
const asRedis = (url: string) => url.replace(/^valkey(s?):/, (_, tls: string) => `redis${tls}:`)

/** The part of an error that may be logged: ioredis attaches the failed command, which for AUTH holds the password. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return code ?? (message ?? '').split(' ')[0] ?? ''
}

export function openValkey({ url, channel, hear, changed, log, patience = 3_000 }: ValkeyOptions): Valkey {
  const sender = new Redis(asRedis(url), optionsOf(patience))
  const hearer = new Redis(asRedis(url), optionsOf(patience))
  let subscribed = false
  let up = false
  let told: string | undefined
  let isClosing = false

  function look(): void {
    // A connection that this process closes is not lost: an orderly stop logs no warning.
    if (isClosing) return
    const now = subscribed && sender.status === 'ready'
    if (now === up) return
    up = now
    if (up) told = undefined
    log[up ? 'info' : 'warn']({}, up ? 'valkey: connected' : 'valkey: connection lost')
    changed(up)
  }

  function trouble(error: unknown): void {
    const reason = reasonOf(error)
    if (isClosing || reason === told) return
    told = reason
    log.warn({ reason }, 'valkey: no connection; it is tried again')
  }

  async function listen(): Promise<void> {
    try {
      await hearer.subscribe(channel)
      subscribed = true
      look()
    } catch (error) {
      trouble(error)
      hearer.disconnect(true)
    }
  }

  hearer.on('ready', () => void listen())
  hearer.on('messageBuffer', (_channel: Buffer, bytes: Buffer) => hear(bytes))
  sender.on('ready', look)
  for (const connection of [sender, hearer]) {
    connection.on('error', trouble)
    connection.on('close', () => {
      if (connection === hearer) subscribed = false
      look()
    })
  }

  return {
    publish(bytes) {
      if (up) void sender.publish(channel, bytes).catch(trouble)
    },
    async count(steps) {
      if (!up) return undefined
      const pipeline = sender.pipeline()
      for (const { key, by, window } of steps) pipeline.incrby(key, by).pexpire(key, window, 'NX').pttl(key)
      const answers = await pipeline.exec().catch(trouble)
      if (!Array.isArray(answers) || answers.some(([error]) => error !== null)) return undefined
      return steps.map((_, at) => ({ count: Number(answers[at * 3]?.[1]), left: Number(answers[at * 3 + 2]?.[1]) }))
    },
    reconnect() {
      for (const connection of [sender, hearer])
        if (['connect', 'ready'].includes(connection.status)) connection.disconnect(true)
    },
    async close() {
      if (up) await sender.ping().catch(() => {})
      isClosing = true
      up = false
      for (const connection of [sender, hearer]) connection.disconnect()
    },
  }
}
