import type { Client, Target } from './client.ts'
import { partnerOf, historyMessages, historyNumber, historyPair, historyPairs } from './people.ts'
import { memoryOf } from './processes.ts'
import { pool, sleep } from './stats.ts'
import { type Counts, traffic } from './traffic.ts'

/** The measurements, for any server. Each signs its users in and out again. */
const maxParallel = 50
const closeMs = 300
/**
 * Longer than the three seconds in which our server takes a disconnected member for one who reloads the page, so that
 * reconnecting starts from scratch.
 */
const offlineAfterMs = 4000

export async function connectAll(target: Target, users: readonly number[], address?: (at: number) => string) {
  const clients: Client[] = []
  try {
    return await pool(users.length, maxParallel, async (i) => {
      const client = await target.connect(users[i] as number, address?.(i))
      clients.push(client)
      return client
    })
  } catch (error) {
    for (const client of clients) client.drop()
    throw error
  }
}

export async function disconnectAll(clients: readonly Client[]): Promise<void> {
  for (const client of clients) {
    client.onClose = () => {}
    client.close()
  }
  await sleep(closeMs)
  for (const client of clients) client.drop()
}

export const range = (count: number) => Array.from({ length: count }, (_, i) => i)

function verify({ sent, lost, doubled, failed }: Counts): number {
  if (lost > 0 || doubled > 0 || failed.length > 0)
    throw new Error(`${sent} sent, ${lost} lost, ${doubled} doubled; ${failed[0] ?? ''}`)
  return sent
}

/** Milliseconds from a send to the recipient's callback, at `rate` messages a second in total, and the number sent. */
export async function latency(clients: readonly Client[], { rate = 100, seconds = 1, warm = 0.1 }) {
  const pairs = clients.length / 2
  const times: number[] = []
  const run = traffic(clients, (_recipient, ms) => times.push(ms))
  const begun = performance.now()
  for (let i = 0; i < rate * (seconds + warm); i++) {
    await sleep(Math.max(0, begun + (i * 1000) / rate - performance.now()))
    run.send(clients[(i % pairs) * 2 + (Math.floor(i / pairs) % 2)] as Client)
  }
  await run.drain()
  const sent = verify(run.counts())
  return { times: times.slice(rate * warm), sent }
}

/**
 * Messages delivered and acknowledged a second, with `window` in flight per pair and a reply to each arrival; the
 * processor time in microseconds (by `cpu`) per message, and the number sent.
 */
export async function throughput(
  clients: readonly Client[],
  { window = 4, seconds = 1, warm = 0.3 }: { window?: number; seconds?: number; warm?: number },
  cpu: () => number,
) {
  let [running, counting, count] = [true, false, 0]
  const run = traffic(clients, (recipient) => {
    if (counting) count += 1
    if (running) run.send(recipient)
  })
  for (let i = 0; i < window; i++)
    for (let index = i % 2; index < clients.length; index += 2) run.send(clients[index] as Client)
  await sleep(warm * 1000)
  counting = true
  const [begun, used] = [performance.now(), cpu()]
  await sleep(seconds * 1000)
  const rate = (count * 1000) / (performance.now() - begun)
  const cost = (cpu() - used) / count
  counting = running = false
  await run.drain()
  return { rate, cost, sent: verify(run.counts()) }
}

/** All clients are cut off and reconnect at the same moment: milliseconds until all, and until half are connected. */
export async function reconnectAll(target: Target, { count = 1000 }) {
  const before = await connectAll(target, range(count))
  for (const client of before) {
    client.onClose = () => {}
    client.drop()
  }
  await sleep(offlineAfterMs)
  const begun = performance.now()
  const times: number[] = []
  const clients = await Promise.all(
    range(count).map(async (index) => {
      const client = await target.connect(index)
      times.push(performance.now() - begun)
      return client
    }),
  )
  await disconnectAll(clients)
  return { all: times.at(-1) as number, half: times[count >> 1] as number }
}

/** Users whose message history is read. */
export const historyUsers = range(2 * historyPairs).map((i) => 2 * historyPair(i >> 1) + (i % 2))

/**
 * Reading the last 50 messages of `pastUsers`: milliseconds in sequence, then queries a second with `width` in
 * parallel.
 */
export async function readHistory(clients: readonly Client[], { count = 50, asks = 40, width = 8, seconds = 0.5 }) {
  async function ask(i: number): Promise<number> {
    const index = i % clients.length
    const begun = performance.now()
    const numbers = await (clients[index] as Client).newestMessages(count)
    const ms = performance.now() - begun
    const pair = historyPair(index >> 1)
    const right = numbers.every((number, k) => number === historyNumber(pair, historyMessages - count + k))
    if (numbers.length !== count || !right) throw new Error(`not the last ${count} of pair ${pair}: ${numbers.join()}`)
    return ms
  }
  const times: number[] = []
  for (let i = 0; i < asks; i++) times.push(await ask(i))
  const begun = performance.now()
  let done = 0
  await pool(width, width, async (lane) => {
    for (let i = lane; performance.now() - begun < seconds * 1000; i += width) {
      await ask(i)
      done += 1
    }
  })
  return { times, rate: (done * 1000) / (performance.now() - begun) }
}

/** KiB by which a server grows per idle client, at each of `steps` clients. */
export async function measureIdleMemory(target: Target, { steps = [1000, 5000, 10_000], settle = 3 }) {
  const memory = () => memoryOf(target.processes().server)
  await sleep(settle * 1000)
  const empty = memory()
  const clients: Client[] = []
  let lost = 0
  const grown: number[] = []
  for (const step of steps) {
    const more = range(step - clients.length).map((i) => clients.length + i)
    for (const client of await connectAll(
      target,
      more,
      (i) => `127.0.0.${2 + Math.floor(((more[0] as number) + i) / 5000)}`,
    )) {
      client.onClose = () => (lost += 1)
      clients.push(client)
    }
    await sleep(settle * 1000)
    grown.push((memory() - empty) / step)
  }
  // All clients are still connected, and messages are delivered.
  const run = traffic([clients.at(-2), clients.at(-1)] as Client[], () => {})
  run.send(clients.at(-2) as Client)
  await run.drain()
  await disconnectAll(clients)
  if (lost > 0) throw new Error(`${lost} idle clients were lost`)
  return { empty, grown, sent: verify(run.counts()) }
}

/** Sends the message history, alternating between both sides, each message once the previous one has arrived. */
export async function sendHistory(target: Target): Promise<void> {
  await pool(historyPairs, historyPairs, async (i) => {
    const pair = historyPair(i)
    const users = [2 * pair, partnerOf(2 * pair)]
    const clients = await connectAll(target, users)
    for (let k = 0; k < historyMessages; k++) {
      const [from, to] = [clients[k % 2], clients[(k + 1) % 2]] as [Client, Client]
      await new Promise<void>((resolve, reject) => {
        to.onMessage = () => resolve()
        to.onClose = from.onClose = () => reject(new Error('connection lost'))
        from.send(historyNumber(pair, k)).catch(reject)
      })
    }
    await disconnectAll(clients)
  })
}
