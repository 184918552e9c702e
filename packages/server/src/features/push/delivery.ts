import { limits } from '@privity/contract/limits'
import { defaultLanguage, type Language } from '@privity/contract/languages'
import type { Stopping } from '../../core/async/batches.ts'
import type { PushOutcome } from '../../core/cluster/bus.ts'
import type { Config } from '../../core/config/types.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { retryDelaysMs } from '../../core/mail/mailer.ts'
import { preferencesOfEach } from '../preferences/preferences.ts'
import { encryptPush } from './encryption.ts'
import { createPushConnections, isAllowedEndpoint, type PushConnections } from './pushServices.ts'
import { cancelPushes, deletePushed, type DuePush, savePush, selectDue, selectDueSoon } from './queries.ts'
import { readSubscription } from './subscriptions.ts'
import { newMessageText } from './texts.ts'
import { type VapidKey, vapidKeyOf } from './vapidKey.ts'

/** Pushes under way at a time. */
const batchSize = 32
const attemptMs = 10_000
const stopCheckMs = 250
/** Pushes that a process looks through for members with a page that is visible there. */
const maxLookedThrough = 1_000
/** Holds the text in any language, and an address of any length that PUBLIC_URL may have in practice. */
const paddedBytes = 1024

/** The declarative form: browsers that know it show it without running code of the page. */
const textFor = (language: Language, { publicUrl = '' }: Config) =>
  JSON.stringify({
    web_push: 8030,
    notification: { title: 'Privity', body: newMessageText[language], navigate: `${publicUrl}/` },
  })

interface Attempt {
  outcome: PushOutcome
  /** When the service wants to be asked again, in milliseconds from now. */
  retryAfterMs: number
}

function toMs(retryAfter: string | undefined, now: number): number {
  if (retryAfter === undefined) return 0
  const ms = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - now
  return Number.isNaN(ms) ? 0 : Math.max(0, ms)
}

function outcomeOf(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'postponed' : 'refused'
}

interface Sending {
  core: Core
  key: VapidKey
  connections: PushConnections
  signal: AbortSignal
}

/** Makes one attempt. A push that its message would not outlive is not sent. */
async function send({ core, key, connections, signal }: Sending, push: DuePush, language: Language): Promise<Attempt> {
  const { clock, config, log, sockets } = core
  const [now, none] = [clock.now(), { retryAfterMs: 0 }]
  // Pages of other processes have cancelled theirs.
  if (sockets.isWatching(push.user_id, push.caused_at)) return { outcome: 'seen', ...none }
  const ttl = Math.floor((push.expires_at - now) / 1000)
  if (ttl <= 0) return { outcome: 'expired', ...none }
  const subscription = readSubscription(core, push.subscription)
  const { endpoint } = subscription
  // The operator may have shortened the list since.
  if (!isAllowedEndpoint(endpoint, config.pushHosts)) return { outcome: 'refused', ...none }
  const { origin, hostname: service } = new URL(endpoint)
  const makeRequest = () => ({
    headers: {
      authorization: key.authorize(origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttl),
      urgency: 'high',
      // Replaces a push that the service still holds.
      topic: 'message',
    },
    body: encryptPush(textFor(language, config), subscription, paddedBytes),
  })
  try {
    const { status, retryAfter } = await connections.post(endpoint, makeRequest, signal)
    const outcome = outcomeOf(status)
    if (outcome !== 'delivered' && outcome !== 'gone') log.warn({ service, status }, 'a push was not accepted')
    return { outcome, retryAfterMs: toMs(retryAfter, now) }
  } catch (error) {
    log.warn({ service, code: (error as NodeJS.ErrnoException).code }, 'a push service could not be reached')
    return { outcome: 'postponed', ...none }
  }
}

/** Saves what became of a push, unless it was cancelled or its browser has subscribed anew meanwhile. */
async function save(tx: Tx, now: number, push: DuePush, { outcome, retryAfterMs }: Attempt): Promise<void> {
  if (outcome === 'seen') return void (await cancelPushes(tx, [push.session_id]))
  if (outcome === 'gone') return void (await deletePushed(tx, push))
  const delay = outcome === 'postponed' ? retryDelaysMs[push.failures] : undefined
  const nextAt = delay === undefined ? Number.POSITIVE_INFINITY : now + Math.max(delay, retryAfterMs)
  if (nextAt < push.expires_at)
    await savePush(tx, push, { due_at: nextAt, failures: push.failures + 1, quiet_until: 0 })
  // Also after a refusal: a browser that takes no push is tried no more often than one that does.
  else await savePush(tx, push, { due_at: null, failures: 0, quiet_until: now + limits.pushInterval })
}

/** Sends a batch; returns how many pushes were due. */
async function sendBatch(sending: Omit<Sending, 'signal'>, stopping: Stopping): Promise<number> {
  const { core } = sending
  const { bus, clock, db } = core
  const due = await selectDue(db.read, clock.now(), batchSize)
  if (due.length === 0) return 0
  const languages = await preferencesOfEach(db.read, [...new Set(due.map(({ user_id }) => user_id))])
  const controller = new AbortController()
  const cancelTimeout = clock.after(attemptMs, () => controller.abort())
  // Uses real time: a service that does not respond must not delay the end of the process.
  const stopCheck = setInterval(() => stopping() && controller.abort(), stopCheckMs)
  const attempts = await Promise.all(
    due.map((push) =>
      send({ ...sending, signal: controller.signal }, push, languages.get(push.user_id)?.language ?? defaultLanguage),
    ),
  )
  cancelTimeout()
  clearInterval(stopCheck)
  // The stop may have aborted some: they are due at the next start.
  if (stopping()) return 0
  const now = clock.now()
  await db.write(async (tx) => {
    for (const [i, push] of due.entries()) await save(tx, now, push, attempts[i] as Attempt)
  })
  for (const { outcome } of attempts) bus.publishHere('pushAttempted', { outcome })
  return due.length
}

/** Sends the pushes that are due. */
export async function sendDuePushes(core: Core, stopping: Stopping): Promise<void> {
  if (core.config.pushHosts.length === 0) return
  const key = await vapidKeyOf(core)
  const connections = createPushConnections(core.pushNetwork)
  try {
    while (!stopping() && (await sendBatch({ core, key, connections }, stopping)) === batchSize);
  } finally {
    connections.close()
  }
}

/** Cancels the waiting pushes of members who have a page open that is visible, and has had the message, here. */
export async function cancelWatched({ clock, db, sockets }: Core): Promise<void> {
  const soon = await selectDueSoon(db.read, clock.now() + limits.pushDelay, maxLookedThrough)
  const watched = soon.filter(({ user_id, caused_at }) => sockets.isWatching(user_id, caused_at))
  if (watched.length === 0) return
  await db.write(
    (tx) =>
      cancelPushes(
        tx,
        watched.map(({ session_id }) => session_id),
      ),
    'read committed',
  )
}
