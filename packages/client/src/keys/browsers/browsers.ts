import type { BrowserRenewal } from '@privity/contract/browserKeys'
import { usedUntil } from '@privity/contract/epochTimes'
import { limits } from '@privity/contract/limits'
import { type AccountKey, type Bytes, type Identity, openPrivate, sealPrivate } from '@privity/e2ee'
import {
  type BrowserEntry,
  browserEntryHash,
  browserPublicKey,
  createBrowserRemoval,
  openSeed,
  verifyRecoveryPair,
} from '@privity/e2ee/browserEntry'
import type { Device } from '../../device/device.ts'
import type { Tabs } from '../../device/tabs.ts'
import { CallError, isCallError, type SecurityAlert } from '../../transport/callError.ts'
import type { Clock } from '../../transport/clock.ts'
import { seedBinding } from '../aad.ts'
import type { BrowserCalls, BrowserEpoch, BrowserKeys } from './browserCalls.ts'
import { acceptBrowsers, sealToBrowsers, toSealedTo } from './browserList.ts'
import { modeToApply } from './browserMode.ts'
import { openOwnBrowser, type OwnBrowser } from './ownBrowser.ts'
import { isEntryOld } from './storedBrowser.ts'

/** The seeds that this browser holds, by number of their epochs. */
type HeldSeeds = ReadonlyMap<number, Bytes>

/** One load of the keys, with the browsers that may be sealed to, and the seeds that it opened. */
interface LoadedKeys<Epoch> {
  keys: BrowserKeys<Epoch>
  own: OwnBrowser
  /** Whether the entry that the server shows is that of the keys in use. */
  isCurrent: boolean
  listed: readonly BrowserEntry[]
  /** The ids of removed browsers. */
  removed: ReadonlySet<string>
  held: HeldSeeds
  /** Those of them that came under the account key. */
  wrapped: ReadonlySet<number>
}

/** Derived from the recovery key: the private key of its pair, and the proof that the server knows. */
export interface RecoverySecrets {
  kemSeed: Bytes
  proof: string
}

type SealTarget = Pick<BrowserEntry, 'browserId' | 'kemKey'>

export interface BrowsersDeps<Epoch extends BrowserEpoch> {
  calls: BrowserCalls<Epoch>
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  clock: Clock
  alarm: SecurityAlert
  own: { userId: string; sessionId: string; accountKey: AccountKey; identity: Identity }
  /** The number of epochs that are published ahead. */
  epochsAhead: number
  /** Creates as many signed epochs after the newest, from `startsAt` on, without wrapped seeds. */
  createEpochs(newest: Epoch | undefined, startsAt: number): Promise<readonly { epoch: Epoch; seed: Bytes }[]>
  isSeedOf(epoch: Epoch, seed: Bytes): Promise<boolean>
}

/** The user's browsers, to which seeds of epochs are sealed in the mode "Only approved browsers". */
export interface Browsers {
  /**
   * Lists this browser, publishes what is missing, and renews an entry that is older than the newest epochs, so that a
   * copy of the keys before opens no epoch that is published next.
   */
  visit(): Promise<void>
  /**
   * Seals all seeds held to another listed browser, whose entry has been compared. Throws APPROVAL_ENDED if it is
   * another by now.
   */
  approve(browserId: string, entryHash: string): Promise<void>
  /** The listed entry of the keys in use; undefined while there is none. */
  ownEntry(): Promise<BrowserEntry | undefined>
  remove(browserId: string): Promise<void>
  setOnlyApproved(on: boolean): Promise<void>
  /** Opens the seeds sealed to the recovery pair, and seals them to this browser. Throws RECOVERY_KEY_WRONG. */
  openWithRecoveryKey(recovery: RecoverySecrets): Promise<void>
}

/** Attempts against other browsers that are first. */
const maxAttempts = 8

export function createBrowsers<Epoch extends BrowserEpoch>(deps: BrowsersDeps<Epoch>): Browsers {
  const { calls, device, tabs, clock, alarm } = deps
  const { userId, sessionId, accountKey, identity } = deps.own
  const identityKey = identity.publicKey

  const sealAll = (held: HeldSeeds, to: readonly SealTarget[]) => sealToBrowsers(userId, held, to)

  /** Throws KEYS_ALTERED for a pair that the identity has not signed. */
  async function recoveryTarget({ recovery }: BrowserKeys<Epoch>): Promise<SealTarget> {
    await verifyRecoveryPair(identityKey, userId, recovery).catch((cause: unknown) => {
      throw new CallError('KEYS_ALTERED', { cause })
    })
    return { browserId: userId, kemKey: recovery.kemKey }
  }

  /** A seed that does not open, or is not that of its epoch, is as good as destroyed, and must not lock the account. */
  async function openHeld(
    own: OwnBrowser,
    epochs: readonly Epoch[],
  ): Promise<{ held: HeldSeeds; wrapped: ReadonlySet<number>; isDamaged: boolean }> {
    const held = new Map<number, Bytes>()
    const wrapped = new Set<number>()
    let isDamaged = false
    for (const epoch of epochs) {
      const { n, wrappedSeed, sealedSeed } = epoch
      const unwrapped =
        wrappedSeed && (await openPrivate(accountKey, seedBinding(userId, n), wrappedSeed).catch(() => {}))
      const seed = unwrapped || (sealedSeed && (await own.openSeed(n, sealedSeed)))
      if (seed && (await deps.isSeedOf(epoch, seed))) {
        held.set(n, seed)
        if (unwrapped) wrapped.add(n)
      } else if (wrappedSeed || sealedSeed) isDamaged = true
    }
    return { held, wrapped, isDamaged }
  }

  /** Resolves to undefined once the id of this browser has ended. An answer that looks wrong is asked for once more. */
  async function load(own: OwnBrowser, isAskedAgain = false): Promise<LoadedKeys<Epoch> | undefined> {
    const keys = await calls.getKeys(own.browserId)
    const accepting = { device, tabs, loadLinks: calls.getLinks }
    const { listed, removed, isAltered } = await acceptBrowsers(accepting, { userId, identityKey }, keys)
    if (removed.has(own.browserId)) return undefined
    const state = await own.settle(identityKey, keys.own)
    if (state === 'replaced' || state === 'forgotten') return undefined
    const { isDamaged, ...seeds } = await openHeld(own, keys.epochs)
    if ((isAltered || isDamaged || state === 'older') && !isAskedAgain) return load(own, true)
    if (isAltered) alarm('BROWSERS_ALTERED')
    if (state === 'older') alarm('OWN_KEYS_OLDER')
    if (state === 'foreign') alarm('BROWSER_COPIED')
    if (state === 'foreign') return undefined
    if (isDamaged) alarm('OWN_KEYS_DAMAGED')
    return { keys, own, isCurrent: state === 'current', listed, removed, ...seeds }
  }

  /** Runs one change beside no other tab, on keys just loaded; again where another browser was first. */
  async function change<T>(work: (loaded: LoadedKeys<Epoch>) => Promise<T>): Promise<T> {
    let ended: string | undefined
    for (let attempt = 1; ; attempt++) {
      const own = await openOwnBrowser({ device, tabs, clock }, { userId, accountKey }, ended)
      const done = await own.exclusively(async () => {
        const loaded = await load(own)
        if (loaded === undefined) ended = own.browserId
        if (loaded === undefined) return undefined
        try {
          return { result: await work(loaded) }
        } catch (error) {
          if (!calls.isConflict(error) || attempt >= maxAttempts) throw error
          return undefined
        }
      })
      if (done) return done.result
      // A dishonest server could have this browser begin anew for ever.
      if (attempt >= maxAttempts) throw new CallError('BROWSER_REMOVED')
    }
  }

  /** In the default mode only what is sealed already is kept: everything else is under the account key. */
  async function createRenewal({ keys, own, held }: LoadedKeys<Epoch>): Promise<BrowserRenewal> {
    const next = await own.createNextEntry(identity, keys.own)
    const { entry } = next
    const seen = keys.epochs.filter(({ sealedSeed }) => sealedSeed !== undefined).map(({ n }) => n)
    const kept = new Map([...held].filter(([n]) => keys.mode.onlyApproved || seen.includes(n)))
    const [seeds, signature] = await Promise.all([sealAll(kept, [entry]), own.signSession(sessionId, entry)])
    return { ...next, seen, seeds, sessionSignature: signature }
  }

  const renewEntry = async (loaded: LoadedKeys<Epoch>) => calls.putOwn(await createRenewal(loaded))

  /** When the epoch in use ends; undefined where there is none that this browser holds. */
  function endOfCurrent({ keys, held }: LoadedKeys<Epoch>): number | undefined {
    const now = clock.now()
    const ends = usedUntil(keys.epochs, now)
    const index = keys.epochs.findLastIndex(
      ({ n, startsAt }, i) => startsAt <= now && now < (ends[i] ?? 0) && held.has(n),
    )
    return ends[index]
  }

  async function publish(loaded: LoadedKeys<Epoch>, startsAt: number): Promise<void> {
    const { keys, own, listed } = loaded
    const made = await deps.createEpochs(keys.epochs.at(-1), startsAt)
    const after = keys.epochs.at(-1)?.n ?? 0
    const renewal = await createRenewal(loaded)
    const others = listed.filter(({ browserId }) => browserId !== own.browserId)
    const to = [...others, renewal.entry, await recoveryTarget(keys)]
    const seeds = await sealAll(new Map(made.map(({ epoch, seed }) => [epoch.n, seed])), to)
    const epochs = made.map(({ epoch }) => epoch)
    await calls.publish({ epochs, after, sealing: { renewal, ...toSealedTo(keys), seeds } })
  }

  const wrap = (n: number, seed: Bytes) => sealPrivate(accountKey, seedBinding(userId, n), seed)

  /**
   * With "Only approved browsers": publishes what is missing or due. A page that ends before it leaves that to the next
   * visit of any browser. In the default mode the keyring publishes.
   */
  const publishDue = async () =>
    change(async (loaded) => {
      const { mode, own, epochs, isPublicationDue } = loaded.keys
      if (!mode.onlyApproved) return
      const [newest, end] = [epochs.at(-1), isPublicationDue ? undefined : endOfCurrent(loaded)]
      // Time ahead (ms) that no epoch covers yet; negative where a clock that was ahead has dated the newest epochs.
      const uncoveredMs = clock.now() + deps.epochsAhead * limits.epochDuration - (newest?.endsAt ?? 0)
      const isComplete = newest && uncoveredMs < limits.epochDuration && uncoveredMs >= -limits.clockTolerance
      if (end === undefined || !isComplete) return publish(loaded, end ?? clock.now())
      if (isEntryOld(own, newest, clock.now())) await renewEntry(loaded)
    })

  /** Switches to the mode `to`; without it, to the mode that is to apply. */
  const switchMode = async (to?: boolean) =>
    change(async ({ keys, listed, held, wrapped }) => {
      const on = to ?? modeToApply(keys)
      if (keys.mode.onlyApproved === on && !keys.isModeOlder) return
      const next = { n: keys.mode.n + 1, after: keys.epochs.at(-1)?.n ?? 0 }
      if (!on) {
        const wraps = Array.from(held, async ([n, seed]) => ({ n, wrappedSeed: await wrap(n, seed) }))
        return calls.switchOff(next, await Promise.all(wraps))
      }
      // A seed that is sealed already went to approved browsers only, and goes to no other by switching.
      const targets = [...listed, await recoveryTarget(keys)]
      const seeds = await sealAll(new Map([...held].filter(([n]) => wrapped.has(n))), targets)
      // A seed that nobody can open must not keep the mode off.
      const damaged = keys.epochs.filter(({ n, wrappedSeed }) => wrappedSeed && !wrapped.has(n)).map(({ n }) => n)
      await calls.switchOn(next, toSealedTo(keys), seeds, damaged)
    })

  const signRemoval = async (browserId: string): Promise<void> =>
    calls.remove(await createBrowserRemoval(identity, { userId, browserId, createdAt: clock.now() }))

  /** Removes what a restored backup lists again. A browser that the user has not approved leaves it to the others. */
  const removeAgain = async () =>
    change(async ({ keys, removed }) => {
      for (const { browserId } of keys.browsers) if (removed.has(browserId)) await signRemoval(browserId)
    }).catch((error: unknown) => {
      if (!isCallError(error, 'BROWSER_NOT_APPROVED')) throw error
    })

  return {
    async visit() {
      const visited = await change(async (loaded) => {
        const { keys, own, isCurrent } = loaded
        // After a restored backup the server lists a former entry. Its keys are destroyed, so they cannot sign this
        // session: a new entry must follow.
        if (keys.isListed && !isCurrent) return renewEntry(loaded)
        if (!keys.isListed) await renewEntry(loaded)
        else if (!keys.isBound && keys.own) await calls.bind(own.browserId, await own.signSession(sessionId, keys.own))
        return loaded
      })
      const { keys, removed } = visited ?? (await change(async (loaded) => loaded))
      const onlyApproved = modeToApply(keys)
      if (keys.isModeOlder || onlyApproved !== keys.mode.onlyApproved) await switchMode()
      if (keys.browsers.some(({ browserId }) => removed.has(browserId))) await removeAgain()
      if (onlyApproved) await publishDue()
    },
    approve: (browserId, entryHash) =>
      change(async ({ listed, held }) => {
        const entry = listed.find((each) => each.browserId === browserId)
        if (!entry || browserEntryHash(identityKey, entry) !== entryHash) throw new CallError('APPROVAL_ENDED')
        await calls.approve(entry, await sealAll(held, [entry]))
      }),
    ownEntry: () => change(async ({ keys, isCurrent }) => (isCurrent ? keys.own : undefined)),
    async remove(browserId) {
      await change(async ({ keys, removed }) => {
        if (keys.browsers.some((each) => each.browserId === browserId)) return signRemoval(browserId)
        if (!removed.has(browserId)) throw new CallError('BROWSER_NOT_FOUND')
      })
      await publishDue()
    },
    async setOnlyApproved(on) {
      await switchMode(on)
      await publishDue()
    },
    async openWithRecoveryKey({ kemSeed, proof }) {
      // Not listed if a visit was interrupted, or if another browser has removed this one since.
      await change(async (loaded) => (loaded.isCurrent ? undefined : renewEntry(loaded)))
      await change(async ({ keys, isCurrent }) => {
        if ((await browserPublicKey(kemSeed)) !== (await recoveryTarget(keys)).kemKey)
          throw new CallError('RECOVERY_KEY_WRONG')
        // Only to the keys in use: whatever else the server calls its own could be the server's.
        if (!keys.own || !isCurrent) throw new CallError('KEYS_ALTERED')
        const opened = new Map<number, Bytes>()
        for (const { n, sealed } of await calls.getRecoverySeeds()) {
          const seed = await openSeed(kemSeed, { userId, n, browserId: userId }, sealed).catch(() => undefined)
          const epoch = keys.epochs.find((each) => each.n === n)
          if (seed && epoch && (await deps.isSeedOf(epoch, seed))) opened.set(n, seed)
        }
        await calls.approve(keys.own, await sealAll(opened, [keys.own]), proof)
      })
    },
  }
}
