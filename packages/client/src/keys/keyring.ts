import { destructionTime, isInTime, usedUntil } from '@privity/contract/epochTimes'
import { type EpochKey, keys as contract, type NewEpoch, type OwnEpoch, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { type AccountKey, type Bytes, type Identity, openPrivate, verifyEpoch } from '@privity/e2ee'
import { seedBinding } from './aad.ts'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError } from '../transport/callError.ts'
import { openDestroyedEpochs } from './destroyedEpochs.ts'
import type { Device } from '../device/device.ts'
import { createEpochs } from './epochsAhead.ts'
import { identityKeyAt, type OwnIdentity } from './ownIdentity.ts'
import { readLastSeen, saveLastSeen, type LastSeen } from './rollback.ts'
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
  /** Whether the seed of epoch `n` is still held, without asking the server. */
  holds(n: number): boolean
  /** When the seed of epoch `n` is destroyed; undefined where the epoch is not known. */
  heldUntil(n: number): number | undefined
  /** Whether an epoch of this number is known. */
  knows(n: number): boolean
  /** Loads the keys again: another browser may have published epochs. */
  refresh(): Promise<void>
  /**
   * Destroys the seeds that are due, and publishes the epochs that are missing for the next 7 days. Waits for them only
   * if there is none for now; then it throws if the server refuses.
   */
  renewEpoch(): Promise<void>
  /** Resolves when nothing more is written to the device, without waiting for calls under way. */
  stop(): Promise<void>
}

/** Throws KEYS_ALTERED unless the keys belong to this identity, and their epochs are signed and follow each other. */
async function verifyOwnKeys(own: OwnIdentity, seen: LastSeen | undefined, keys: OwnKeys): Promise<void> {
  const { publicKey } = own.identity
  const known = seen?.identityKey ?? publicKey
  // The record of former identities is encrypted under the account key, so a replacement in it is the user's own.
  const isKnown = known === publicKey || own.former.some((former) => former.publicKey === known)
  if (keys.identityKey !== publicKey || !isKnown || keys.epochs.length === 0) throw new CallError('KEYS_ALTERED')
  for (const [index, epoch] of keys.epochs.entries()) {
    const before = keys.epochs[index - 1]
    if (epoch.userId !== keys.userId || (before && before.n >= epoch.n)) throw new CallError('KEYS_ALTERED')
    // Numbers are missing where epochs that lay ahead were deleted for new ones.
    const previous = before?.n === epoch.n - 1 ? before : undefined
    const signers = [identityKeyAt(own, epoch.n), previous && identityKeyAt(own, previous.n)] as const
    await verifyEpoch(signers[0], epoch, previous, signers[1]).catch((cause: unknown) => {
      throw new CallError('KEYS_ALTERED', { cause })
    })
  }
}

/** After a refusal, epochs that are not needed yet are offered again after this time. */
const retryDelayMs = 60_000

/** Attempts against other browsers that publish at the same time. */
const maxAttempts = 3

export async function openKeyring(
  deps: {
    call: Call
    clock: ServerClock
    device: Device
    alarm: SecurityAlert
    /** Whether the user has replaced the keys in another tab. Throws if this session has ended. */
    isOwnReplacement: (keys: OwnKeys) => Promise<boolean>
  },
  own: OwnIdentity & { userId: string; accountKey: AccountKey },
  initial: OwnKeys,
): Promise<Keyring> {
  const { call, clock, device, alarm } = deps
  const { userId, accountKey, identity } = own
  const destroyed = await openDestroyedEpochs(device, clock, userId)
  const seeds = new Map<number, Bytes>()
  /** By number: those whose seeds are held, and the newest. */
  let epochs: EpochKey[] = []
  /** When each of them is no longer used. */
  let ends: number[] = []
  let publishing: Promise<void> | undefined
  let notBefore = -Infinity
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
    ends = usedUntil(next)
  }

  /** Undefined where there is none, or where it does not decrypt: one damaged seed must not lock the account. */
  async function openSeed({ n, wrappedSeed }: OwnEpoch): Promise<Bytes | undefined> {
    if (wrappedSeed === undefined) return undefined
    return openPrivate(accountKey, seedBinding(userId, n), wrappedSeed).catch(() => {
      alarm('OWN_KEYS_DAMAGED')
      return undefined
    })
  }

  async function accept(keys: OwnKeys, isAskedAgain = false): Promise<void> {
    const seen = await readLastSeen(device, userId)
    await verifyOwnKeys(own, seen, keys).catch(async (error: unknown) => {
      const isReplaced =
        epochs.length > 0 && keys.identityKey !== identity.publicKey && (await deps.isOwnReplacement(keys))
      if (isReplaced) throw new CallError('NOT_SIGNED_IN')
      alarm('OWN_KEYS_OTHER')
      throw error
    })
    const [oldest, last] = [keys.epochs[0], keys.epochs.at(-1)] as [OwnEpoch, OwnEpoch]
    if (last.n < (seen?.epoch ?? 0)) {
      // Another tab may have published while this answer was on its way.
      if (!isAskedAgain) return accept(await call(contract.getOwn, { query: {} }), true)
      alarm('OWN_KEYS_OLDER')
      if (epochs.length > 0 && last.n < newest().n) return
    }
    destroyed.addAhead(keys.epochs)
    destroyed.raise({ n: oldest.n - 1, createdAt: oldest.createdAt })
    const added = new Map<number, Bytes>()
    for (const epoch of keys.epochs.filter((each) => !seeds.has(each.n) && !destroyed.has(each))) {
      const seed = await openSeed(epoch)
      if (seed !== undefined) added.set(epoch.n, seed)
    }
    // In one turn with the epochs: a seed whose epoch is not known yet would hide its messages.
    const live = new Set(keys.epochs.map(({ n }) => n))
    for (const n of seeds.keys()) if (!live.has(n)) seeds.delete(n)
    for (const [n, seed] of added) seeds.set(n, seed)
    setEpochs(keys.epochs)
    destroyDue()
    await save(() => saveLastSeen(device, userId, { identityKey: keys.identityKey, epoch: last.n }))
    await save(destroyed.save)
  }

  const refresh = async () => accept(await call(contract.getOwn, { query: {} }))
  const newest = () => epochs.at(-1) as EpochKey

  /** The epoch whose time it is; near a change of epochs, or where clocks differ, one whose time is close. */
  function findCurrent(): EpochKey | undefined {
    const now = clock.now()
    const usable = epochs
      .map((epoch, index) => ({ epoch, startsAt: epoch.startsAt, endsAt: ends[index] as number }))
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

  async function addPublished(made: readonly { epoch: NewEpoch; seed: Bytes }[]): Promise<void> {
    for (const { epoch, seed } of made) seeds.set(epoch.n, seed)
    setEpochs([...epochs, ...made.map(({ epoch }) => epoch)])
    await save(() => saveLastSeen(device, userId, { identityKey: identity.publicKey, epoch: newest().n }))
  }

  async function publish(): Promise<void> {
    for (let attempt = 1; isMissing(nextStart()); attempt++) {
      const [previous, startsAt] = [newest(), nextStart()]
      const made = await createEpochs({ accountKey, identity, userId, previous, startsAt, now: clock.now() })
      try {
        await call(contract.publishEpochs, { body: { epochs: made.map(({ epoch }) => epoch) } })
      } catch (error) {
        // Another browser published first; its epochs serve as well.
        if (!isCallError(error, 'EPOCH_CONFLICT') || attempt === maxAttempts) throw error
        await refresh()
        continue
      }
      // Nothing else has been published since: otherwise the server had refused these.
      const isNext = newest().n === previous.n && startsAt === previous.endsAt
      return isNext ? addPublished(made) : refresh()
    }
  }

  async function publishOnce(): Promise<void> {
    publishing ??= publish()
      .catch((error: unknown) => {
        notBefore = clock.now() + retryDelayMs
        // The server found a time wrong.
        if (isCallError(error, 'INVALID_INPUT')) void clock.synchronize().catch(() => {})
        throw error
      })
      .finally(() => (publishing = undefined))
    await publishing
  }

  function destroyDue(): void {
    if (!clock.isSynchronized()) return
    const now = clock.now()
    const due = epochs.filter((_epoch, index) => destructionTime({ endsAt: ends[index] as number }) <= now)
    for (const epoch of due) {
      seeds.delete(epoch.n)
      destroyed.raise(epoch)
    }
    // The newest stays: the next one follows it.
    if (due.length > 0) setEpochs(epochs.slice(Math.min(due.length, epochs.length - 1)))
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
    async seed(n) {
      destroyDue()
      if (!seeds.has(n) && n > newest().n) await refresh()
      return seeds.get(n)
    },
    holds(n) {
      destroyDue()
      return seeds.has(n)
    },
    heldUntil(n) {
      const index = epochs.findIndex((epoch) => epoch.n === n)
      return index < 0 ? undefined : destructionTime({ endsAt: ends[index] as number })
    },
    knows: (n) => epochs.some((epoch) => epoch.n === n),
    refresh,
    async renewEpoch() {
      destroyDue()
      // If saving fails, this page still knows them.
      await save(destroyed.save).catch(() => {})
      if (!isMissing(nextStart())) return
      if (findCurrent() === undefined) return publishOnce()
      if (clock.now() >= notBefore) void publishOnce().catch(() => {})
    },
    stop() {
      stopped = true
      return writing
    },
  }
}
