import * as fc from 'fast-check'
import { type Bytes, createAccountKey, createIdentity, importAccountKey, importIdentity, newId } from '@privity/e2ee'
import { createRecoveryPair, openSeed } from '@privity/e2ee/browserEntry'
import { createRecoveryKey, deriveRecoverySeed } from '@privity/e2ee/recoveryKey'
import { isCallError } from '../../../src/index.ts'
import { type Account, createBrowser, type ModelBrowser } from './browser.ts'
import { createServer, duration, hour, Refusal } from './server.ts'

/** The page was closed in the middle of a call, or its response was lost. */
class Interrupted extends Error {}

/** One more than the list takes, so that some are evicted. */
const devices = 4
const start = Date.UTC(2030, 0, 31, 12)

const who = fc.nat({ max: devices - 1 })
const network = fc.constantFrom('well', 'faulty')
export const commands = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('visit'), who, network }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('visitTogether'), who, other: who, network }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('approve'), who, other: who, network }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('approveMeanwhile'), who, other: who, network }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), who, other: who, network }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('switchMode'), who, network }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recover'), who, network }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('pass'), hours: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('clearStorage'), who }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('copyDisk'), who }) },
)
export type Command =
  | { kind: 'visit' | 'switchMode' | 'recover'; who: number; network: string }
  | { kind: 'visitTogether' | 'approve' | 'approveMeanwhile' | 'remove'; who: number; other: number; network: string }
  | { kind: 'pass'; hours: number }
  | { kind: 'clearStorage' | 'copyDisk'; who: number }

export async function createAccount(): Promise<Account> {
  const [userId, accountKey] = [newId(start), await importAccountKey(createAccountKey())]
  const identity = await importIdentity((await createIdentity()).seed)
  const recoverySeed = await deriveRecoverySeed(createRecoveryKey().text)
  return {
    userId,
    accountKey,
    identity,
    recoverySeed,
    recovery: await createRecoveryPair(identity, userId, recoverySeed),
  }
}

type Copy = NonNullable<Awaited<ReturnType<ModelBrowser['copy']>>> & { at: number }

/** One history. `step` and `finish` resolve to what went wrong. */
export function createRun(account: Account, randomSeed: number) {
  let state = (randomSeed % 0x7fff_fffe) + 1
  const random = () => (state = (state * 48_271) % 0x7fff_ffff) / 0x7fff_ffff
  let time = start
  let isFaulty = false
  /** Calls that arrive after their page has gone. */
  let late: (() => unknown)[] = []
  const wrong: string[] = []
  const server = createServer(() => time, random() < 0.8, account)
  /** By number of the epoch: the ids that were listed when it was published, or given its seed later. */
  const entitled = new Map<number, Set<string>>()
  /** The seeds that a pair has opened, so that none is opened twice. */
  const opened = new Set<string>()
  const copies: Copy[] = []

  /** Follows each commit: whom the server has sealed to, and that it left nobody out who was listed. */
  function recordCommit(): void {
    for (const { n } of server.living()) {
      const ids = entitled.get(n) ?? new Set<string>()
      entitled.set(n, ids)
      for (const each of server.sealed.values()) if (each.n === n) ids.add(each.browserId)
    }
  }

  function recordPublication(before: number): void {
    if (!server.isOnlyApproved()) return
    for (const { n, wrappedSeed } of server.living().filter((epoch) => epoch.n > before)) {
      if (wrappedSeed) wrong.push(`Epoch ${n} is wrapped under the account key.`)
      for (const id of [...server.listedIds(), account.userId]) (entitled.get(n) as Set<string>).add(id)
    }
  }

  function commit<T>(work: () => T): T {
    const before = server.living().at(-1)?.n ?? 0
    const result = work()
    recordCommit()
    if ((server.living().at(-1)?.n ?? 0) > before) recordPublication(before)
    return result
  }

  const turns = async () => {
    for (let left = Math.floor(random() * 6); left > 0; left--) await new Promise((resolve) => setImmediate(resolve))
  }

  async function call<T>(work: () => T, isRead = false): Promise<T> {
    await turns()
    if (late.length > 0 && random() < 0.2) deliver()
    const fate = isFaulty && !isRead ? random() : 1
    if (fate < 0.15) throw new Interrupted('The call is lost.')
    if (fate < 0.4) {
      late.push(work)
      throw new Interrupted('The call arrives later.')
    }
    const result = commit(work)
    await turns()
    if (fate < 0.55) throw new Interrupted('The response is lost.')
    return result
  }

  const alarm = (text: string) => void wrong.push(`False alarm: ${text}`)
  const create = () => createBrowser({ account, server, now: () => time, call, alarm })
  const browsers = Array.from({ length: devices }, create)
  const browser = (index: number) => browsers[index] as ModelBrowser

  async function attempt(work: Promise<unknown>): Promise<void> {
    await work.catch((error: unknown) => {
      // The compared browser has another entry by now.
      const isComparedAgain = isCallError(error, 'APPROVAL_ENDED')
      const isExpected = isComparedAgain || error instanceof Interrupted || (error instanceof Refusal && isFaulty)
      if (!isExpected) wrong.push(String(error))
    })
  }

  function deliver(all = false): void {
    const arriving = late.filter(() => all || random() < 0.3)
    late = late.filter((work) => !arriving.includes(work))
    for (const work of arriving) {
      try {
        commit(work)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
      }
    }
  }

  /** Nothing that a device was given, and that lives, has become undecryptable for it. */
  async function checkReadable(): Promise<void> {
    await checkHolder({ browserId: account.userId, kemSeeds: [account.recoverySeed] })
    for (const each of browsers) {
      const own = await each.copy()
      if (own && !isRemoved.has(own.browserId)) await checkHolder(own)
    }
  }

  async function checkHolder({ browserId, kemSeeds }: Pick<Copy, 'browserId' | 'kemSeeds'>): Promise<void> {
    for (const { n, wrappedSeed } of server.living()) {
      if (wrappedSeed || !entitled.get(n)?.has(browserId)) continue
      const { sealed = '' } = server.sealed.get(`${n}/${browserId}`) ?? {}
      if (!(await opens(kemSeeds, n, browserId, sealed))) wrong.push(`Epoch ${n} is lost to a browser.`)
    }
  }

  async function opens(kemSeeds: readonly Bytes[], n: number, browserId: string, sealed: string): Promise<boolean> {
    const binding = { userId: account.userId, n, browserId }
    for (const kemSeed of kemSeeds) {
      const key = `${kemSeed.join()} ${sealed.slice(0, 40)}`
      if (opened.has(key)) return true
      if (await openSeed(kemSeed, binding, sealed).catch(() => undefined)) return Boolean(opened.add(key))
    }
    return false
  }

  const isRemoved = new Set<string>()

  async function perform(command: Exclude<Command, { kind: 'pass' }>): Promise<void> {
    const one = browser(command.who)
    switch (command.kind) {
      case 'visit':
        return attempt(one.openTab().visit())
      case 'visitTogether':
        return void (await Promise.all([
          attempt(one.openTab().visit()),
          attempt(browser(command.other).openTab().visit()),
        ]))
      case 'approve': {
        await attempt(one.openTab().visit())
        const id = await browser(command.other).browserId()
        return id === undefined ? undefined : attempt(one.openTab().approve(id, server.entryHashOf(id)))
      }
      case 'approveMeanwhile': {
        const other = browser(command.other)
        await attempt(one.openTab().visit())
        const id = await other.browserId()
        if (id === undefined) return
        const approved = attempt(one.openTab().approve(id, server.entryHashOf(id)))
        return void (await Promise.all([approved, attempt(other.openTab().visit())]))
      }
      case 'remove': {
        const id = await browser(command.other).browserId()
        if (command.who === command.other || id === undefined) return
        await attempt(one.openTab().visit())
        // The settings show no other: one that never reached the server, or was pushed out.
        if (!server.listedIds().includes(id)) return
        isRemoved.add(id)
        return attempt(one.openTab().remove(id))
      }
      case 'switchMode':
        await attempt(one.openTab().visit())
        return attempt(one.openTab().setOnlyApproved(!server.isOnlyApproved()))
      case 'recover':
        await attempt(one.openTab().visit())
        return attempt(one.openTab().openWithRecoveryKey({ kemSeed: account.recoverySeed, proof: '' }))
      case 'clearStorage':
        browsers[command.who] = create()
        return
      case 'copyDisk': {
        const copy = await one.copy()
        if (copy) copies.push({ ...copy, at: time })
      }
    }
  }

  /** A copied disk opens no epoch that was published after its browser has been here twice. */
  async function checkCopies(since: number): Promise<void> {
    for (const { kemSeeds, browserId } of copies)
      for (const { n, createdAt } of server.living().filter((epoch) => epoch.createdAt >= since)) {
        const { sealed } = server.sealed.get(`${n}/${browserId}`) ?? {}
        if (sealed && (await opens(kemSeeds, n, browserId, sealed)))
          wrong.push(`A copy opens epoch ${n}, of ${createdAt - since} ms after it should be out.`)
      }
  }

  return {
    wrong,
    async step(command: Command): Promise<void> {
      deliver()
      if (command.kind === 'pass') time += command.hours * hour
      else {
        time += 1
        isFaulty = 'network' in command && command.network === 'faulty'
        await perform(command)
      }
      await checkReadable()
    },
    async finish(): Promise<string[]> {
      isFaulty = false
      deliver(true)
      const keys = server.isOnlyApproved()
      for (let round = 0; round < 3; round++) {
        time += duration
        for (const each of browsers) {
          const before = wrong.length
          await attempt(each.openTab().visit())
          if (wrong.length > before) return wrong
        }
      }
      await checkReadable()
      if (keys) await checkCopies(time - 1)
      return wrong
    },
  }
}
