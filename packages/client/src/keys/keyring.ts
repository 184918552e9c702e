import { destructionTime, isInTime, usedUntil } from '@privity/contract/epochTimes'
import { type EpochKey, keys as contract, type OwnEpoch, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type AccountKey, type Bytes, type Identity, sealPrivate } from '@privity/e2ee'
import { seedBinding } from './aad.ts'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError } from '../transport/callError.ts'
import { openDestroyedEpochs } from './destroyedEpochs.ts'
import type { Device } from '../device/device.ts'
import type { Tabs } from '../device/tabs.ts'
import type { BrowserSettings } from './browsers/browserSettings.ts'
import { isEntryOld } from './browsers/storedBrowser.ts'
import { createEpochs } from './epochsAhead.ts'
import { openSeeds } from './epochSeeds.ts'
import { identityKeyAt, type OwnIdentity } from './ownIdentity.ts'
import { type LoadedOwnKeys, loadOwnKeys, verifyOwnKeys } from './ownKeys.ts'
import { type LastSeen, readLastSeen, saveLastSeen } from './rollback.ts'
import { createSingleRun } from './singleRun.ts'
import type { ServerClock } from '../transport/serverClock.ts'

/** The signed-in user's own keys, decrypted. */
export interface Keyring {
  readonly userId: string
  readonly accountKey: AccountKey
  readonly identity: Identity
  /** The epoch that new messages are bound to: the one whose time it is. Throws KEY_DESTROYED if there is none. */
  current(): EpochKey
  /** The user's identity key in epoch `n`, which may have been replaced since. */
  identityKeyAt(n: number): string
  /** The seed of epoch `n`, or undefined where it is destroyed. */
  seed(n: number): Promise<Bytes | undefined>
  /** As `seed`, but throws BEFORE_APPROVAL or KEY_DESTROYED. */
  requireSeed(n: number): Promise<Bytes>
  /** Whether the seed of epoch `n` is still held, without asking the server. */
  holds(n: number): boolean
  /** When the seed of epoch `n` is destroyed; undefined where the epoch is not known. */
  heldUntil(n: number): number | undefined
  /** Whether an epoch of this number is known. */
  knows(n: number): boolean
  /** Loads the keys again: another browser may have published epochs. */
  refresh(): Promise<void>
  /**
   * Destroys the seeds that are due, publishes the epochs that are missing for the next 7 days, and lists this browser.
   * Waits for it only if there is no epoch for now; then it throws if the server refuses.
   */
  renewEpoch(): Promise<void>
  /** Whether the mode is "Only approved browsers". */
  isOnlyApproved(): boolean
  /** The user's browsers; each change of them loads the keys again. */
  loadBrowsers(): Promise<BrowserSettings>
  /** Resolves when nothing more is written to the device, without waiting for calls under way. */
  stop(): Promise<void>
}

/** Attempts against other browsers that publish at the same time. */
const maxAttempts = 3

export async function openKeyring(
  deps: {
    call: Call
    clock: ServerClock
    device: Device
    tabs: Pick<Tabs, 'runExclusive'>
    alarm: SecurityAlert
    /** Whether the user has replaced the keys in another tab. Throws if this session has ended. */
    isOwnReplacement: (keys: OwnKeys) => Promise<boolean>
    /** This browser has got seeds that it lacked: messages can be opened that could not be before. */
    onApproved(): void
  },
  own: OwnIdentity & { userId: string; sessionId: string; accountKey: AccountKey },
  initial: LoadedOwnKeys,
): Promise<Keyring> {
  const { call, clock, device, tabs, alarm } = deps
  const { userId, accountKey, identity } = own
  const destroyed = await openDestroyedEpochs(deps, userId)
  const seeds = new Map<number, Bytes>()
  /** By number: those whose seeds are held, and the newest. */
  let epochs: EpochKey[] = []
  /** When each of them is no longer used. */
  const ends = () => usedUntil(epochs, clock.now())
  /** Epochs whose seeds are sealed to other browsers only: this one is not approved for the time of theirs. */
  let sealedElsewhere: readonly number[] = []
  let { browsers, isModeOlder } = initial
  let stopped = false
  let writing: Promise<void> = Promise.resolve()

  /** Writes in turn, and nothing once stopped: a call under way must leave no trace of a deleted account. */
  function save(write: () => Promise<void>): Promise<void> {
    const written = writing.then(() => (stopped ? undefined : write()))
    writing = written.catch(() => {})
    return written
  }

  /** Keeps no wrapped copy: the newest epoch stays when its seed is destroyed. */
  function setEpochs(next: readonly OwnEpoch[]): void {
    epochs = next.map(({ wrappedSeed: _seed, wrappedFormerKey: _key, ...epoch }) => epoch)
  }

  async function write(name: string, value: unknown): Promise<void> {
    let isWritten = false
    await save(async () => {
      await device.set(name, value)
      isWritten = true
    })
    if (!isWritten) throw new CallError('NOT_SIGNED_IN')
  }

  /** Refuses once stopped, unlike `save`: an entry whose keys are not stored must not be listed. */
  const ownDevice: Device = { ...device, set: write }

  async function loadBrowsers(): Promise<BrowserSettings> {
    const { createBrowserSettings } = await import('./browsers/lazyBrowsers.ts')
    return createBrowserSettings({ ...deps, device: ownDevice, own, verify, onChanged: refresh })
  }

  /** Throws KEYS_ALTERED with an alarm, or NOT_SIGNED_IN where the user has replaced the keys. */
  async function verify(keys: OwnKeys, isAskedAgain = false): Promise<LastSeen | undefined> {
    const seen = await readLastSeen(device, userId)
    await verifyOwnKeys(own, seen, keys).catch(async (error: unknown) => {
      const isReplaced =
        epochs.length > 0 && keys.identityKey !== identity.publicKey && (await deps.isOwnReplacement(keys))
      if (isReplaced) throw new CallError('NOT_SIGNED_IN')
      // Another tab may have replaced them while this answer was on its way.
      if (epochs.length > 0 && !isAskedAgain) await verify(await loadOwnKeys(deps, userId), true)
      else alarm('OWN_KEYS_OTHER')
      throw error
    })
    return seen
  }

  async function accept(keys: LoadedOwnKeys, isAskedAgain = false): Promise<void> {
    const seen = await verify(keys)
    const [oldest, last] = [keys.epochs[0], keys.epochs.at(-1)] as [OwnEpoch, OwnEpoch]
    const isOlder = last.n < (seen?.epoch ?? 0)
    // Another tab may have published, or switched the mode, while this answer was on its way.
    if ((isOlder || keys.isModeOlder) && !isAskedAgain) return accept(await loadOwnKeys(deps, userId), true)
    if (isOlder) {
      alarm('OWN_KEYS_OLDER')
      if (epochs.length > 0 && last.n < newest().n) return
    }
    destroyed.addAhead(keys.epochs)
    destroyed.raise({ n: oldest.n - 1, createdAt: oldest.createdAt })
    const unopened = keys.epochs.filter((each) => !seeds.has(each.n) && !destroyed.has(each))
    const added = await openSeeds({ device: ownDevice, tabs, clock, alarm }, own, unopened)
    // In one turn with the epochs: a seed whose epoch is not known yet would hide its messages.
    const live = new Set(keys.epochs.map(({ n }) => n))
    for (const n of seeds.keys()) if (!live.has(n)) seeds.delete(n)
    for (const [n, seed] of added) seeds.set(n, seed)
    setEpochs(keys.epochs)
    const isApproved = sealedElsewhere.some((n) => added.has(n))
    browsers = keys.browsers
    // Also one that is sealed to a later entry of this browser, which a copy of it has made.
    const isSealedElsewhere = (epoch: OwnEpoch) =>
      browsers.mode.n > 0 && epoch.wrappedSeed === undefined && !destroyed.has(epoch)
    sealedElsewhere = keys.epochs.filter((each) => isSealedElsewhere(each) && !seeds.has(each.n)).map(({ n }) => n)
    if (isApproved) deps.onApproved()
    isModeOlder = keys.isModeOlder
    if (isModeOlder) alarm('BROWSER_MODE_OLDER')
    destroyDue()
    const { mode } = browsers
    await save(() => saveLastSeen(deps, userId, { identityKey: keys.identityKey, epoch: last.n, mode }))
    await save(destroyed.save)
  }

  const refresh = async () => accept(await loadOwnKeys(deps, userId))
  const newest = () => epochs.at(-1) as EpochKey

  /** The epoch whose time it is; near a change of epochs, or where clocks differ, one whose time is close. */
  function findCurrent(): EpochKey | undefined {
    const [now, until] = [clock.now(), ends()]
    const usable = epochs
      .map((epoch, index) => ({ epoch, startsAt: epoch.startsAt, endsAt: until[index] as number }))
      .filter((each) => seeds.has(each.epoch.n) && isInTime(each, now))
    return (usable.findLast(({ startsAt, endsAt }) => startsAt <= now && now < endsAt) ?? usable.at(-1))?.epoch
  }

  /** When the next epoch begins: when the newest ends, or now, if there is none for now or a clock was ahead. */
  function nextStart(): number {
    const [{ endsAt }, now] = [newest(), clock.now()]
    const isTooFar = endsAt > now + limits.epochsAhead * limits.epochDuration + limits.clockTolerance
    return findCurrent() === undefined || isTooFar ? now : endsAt
  }

  function isMissing(startsAt: number): boolean {
    return startsAt + limits.epochDuration <= clock.now() + limits.epochsAhead * limits.epochDuration
  }

  /** Whether this browser is to be listed, or, with "Only approved browsers", its entry to be renewed. */
  function isVisitDue(): boolean {
    const { mode, isModeRequired, isListed, isBound, isPublicationDue, own: entry } = browsers
    const isWanted = mode.onlyApproved || deps.device.isTransient?.() !== true
    if ((isWanted && !(isListed && isBound)) || isModeOlder || (isModeRequired && !mode.onlyApproved)) return true
    return mode.onlyApproved && (isPublicationDue || isEntryOld(entry, newest(), clock.now()) || isMissing(nextStart()))
  }

  async function addPublished(made: readonly { epoch: EpochKey; seed: Bytes }[]): Promise<void> {
    for (const { epoch, seed } of made) seeds.set(epoch.n, seed)
    setEpochs([...epochs, ...made.map(({ epoch }) => epoch)])
    await save(() => saveLastSeen(deps, userId, { identityKey: identity.publicKey, epoch: newest().n }))
  }

  const isPublicationDue = () => !browsers.mode.onlyApproved && isMissing(nextStart())

  async function publish(): Promise<void> {
    for (let attempt = 1; isPublicationDue(); attempt++) {
      const [previous, startsAt] = [newest(), nextStart()]
      const made = await createEpochs({ identity, userId, previous, startsAt, now: clock.now() })
      try {
        await call(contract.publishEpochs, { body: { epochs: await Promise.all(made.map(wrapSeed)) } })
      } catch (error) {
        // Another browser published first, and its epochs serve as well; or it has switched the mode.
        if (!isCallError(error, 'EPOCH_CONFLICT', 'BROWSERS_CHANGED') || attempt === maxAttempts) throw error
        await refresh()
        continue
      }
      // Nothing else has been published since: otherwise the server had refused these.
      const isNext = newest().n === previous.n && startsAt === previous.endsAt
      return isNext ? addPublished(made) : refresh()
    }
  }

  const wrapSeed = async ({ epoch, seed }: { epoch: EpochKey; seed: Bytes }) => ({
    ...epoch,
    wrappedSeed: await sealPrivate(accountKey, seedBinding(userId, epoch.n), seed),
  })

  async function visitBrowsers(): Promise<void> {
    await publication.settled()
    await (await loadBrowsers()).visit()
  }

  const publication = createSingleRun(clock, publish)
  const visit = createSingleRun(clock, visitBrowsers)

  function destroyDue(): void {
    if (!clock.isSynchronized()) return
    const isDue = ends().map((endsAt) => destructionTime({ endsAt }) <= clock.now())
    epochs.forEach((epoch, index) => {
      if (isDue[index]) seeds.delete(epoch.n)
      // Not beyond one that is still held: a clock that was behind has dated later ones before it.
      if (!isDue.slice(0, index + 1).includes(false)) destroyed.raise(epoch)
    })
    // The newest stays: the next one follows it.
    epochs = epochs.filter((epoch, index) => !isDue[index] || epoch === newest())
  }

  async function findSeed(n: number): Promise<Bytes | undefined> {
    destroyDue()
    if (!seeds.has(n) && n > newest().n) await refresh()
    return seeds.get(n)
  }

  await accept(initial)
  return {
    userId,
    accountKey,
    identity,
    current() {
      const current = findCurrent()
      if (current === undefined) throw new CallError('KEY_DESTROYED')
      return current
    },
    identityKeyAt: (n) => identityKeyAt(own, n),
    seed: findSeed,
    async requireSeed(n) {
      const seed = await findSeed(n)
      if (!seed) throw new CallError(sealedElsewhere.includes(n) ? 'BEFORE_APPROVAL' : 'KEY_DESTROYED')
      return seed
    },
    holds(n) {
      destroyDue()
      return seeds.has(n)
    },
    heldUntil(n) {
      const index = epochs.findIndex((epoch) => epoch.n === n)
      return index < 0 ? undefined : destructionTime({ endsAt: ends()[index] as number })
    },
    knows: (n) => epochs.some((epoch) => epoch.n === n),
    refresh,
    isOnlyApproved: () => browsers.mode.onlyApproved,
    loadBrowsers,
    async renewEpoch() {
      destroyDue()
      // If saving fails, this page still knows them.
      await save(destroyed.save).catch(() => {})
      if (findCurrent() === undefined)
        return browsers.mode.onlyApproved || isModeOlder ? visit.run() : publication.run()
      if (isPublicationDue()) publication.runInBackground()
      if (isVisitDue()) visit.runInBackground()
    },
    stop() {
      stopped = true
      return writing
    },
  }
}
