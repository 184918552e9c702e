import { keys as contract, type OwnEpoch, type OwnKeys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import {
  type AccountKey,
  type Bytes,
  createEpoch,
  type Identity,
  openPrivate,
  sealPrivate,
  verifyEpoch,
} from '@privity/e2ee'
import { seedBinding } from './aad.ts'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError, isRetryable } from '../transport/callError.ts'
import { openDestroyedEpochs } from './destroyedEpochs.ts'
import type { Device } from '../device/device.ts'
import { identityKeyAt, type OwnIdentity } from './ownIdentity.ts'
import { readLastSeen, saveLastSeen, type LastSeen } from './rollback.ts'
import type { ServerClock } from '../transport/serverClock.ts'

/** The signed-in user's own keys, decrypted. */
export interface Keyring {
  readonly userId: string
  readonly accountKey: AccountKey
  readonly identity: Identity
  /** The epoch that new messages are bound to. */
  newest(): OwnEpoch
  /** The user's identity key in epoch `n`, which may have been replaced since. */
  identityKeyAt(n: number): string
  /** The seed of epoch `n`, or undefined where it is destroyed. */
  seed(n: number): Promise<Bytes | undefined>
  /** Whether the seed of epoch `n` is still held, without asking the server. */
  holds(n: number): boolean
  /** Loads the keys again: another browser may have published an epoch. */
  refresh(): Promise<void>
  /**
   * Destroys the seeds that are due, and publishes the next epoch if the newest is over 24 hours old, future-dated, or
   * without its seed. If the server refuses, the newest may be used until it is 48 hours old.
   */
  renewEpoch(): Promise<void>
}

/** Throws KEYS_ALTERED unless the keys belong to this identity and their epochs form a chain that it signed. */
async function verifyOwnKeys(own: OwnIdentity, seen: LastSeen | undefined, keys: OwnKeys): Promise<void> {
  const { publicKey } = own.identity
  const known = seen?.identityKey ?? publicKey
  // The record of former identities is encrypted under the account key, so a replacement in it is the user's own.
  const isKnown = known === publicKey || own.former.some((former) => former.publicKey === known)
  if (keys.identityKey !== publicKey || !isKnown || keys.epochs.length === 0) throw new CallError('KEYS_ALTERED')
  for (const [index, epoch] of keys.epochs.entries()) {
    if (epoch.userId !== keys.userId) throw new CallError('KEYS_ALTERED')
    const previous = keys.epochs[index - 1]
    const signers = [identityKeyAt(own, epoch.n), previous && identityKeyAt(own, previous.n)] as const
    await verifyEpoch(signers[0], epoch, previous, signers[1]).catch((cause: unknown) => {
      throw new CallError('KEYS_ALTERED', { cause })
    })
  }
}

export async function openKeyring(
  deps: {
    call: Call
    clock: ServerClock
    device: Device
    /** How long a message lives, in milliseconds. */
    retention: () => number
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
  let epochs: OwnEpoch[] = []
  let publishing: Promise<void> | undefined

  async function accept(keys: OwnKeys): Promise<void> {
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
      alarm('OWN_KEYS_OLDER')
      if (epochs.length > 0 && last.n < newest().n) return
    }
    destroyed.addAhead(keys.epochs)
    destroyed.raise({ n: oldest.n - 1, createdAt: oldest.createdAt - 1 })
    const live = new Set(keys.epochs.map(({ n }) => n))
    for (const n of seeds.keys()) if (!live.has(n)) seeds.delete(n)
    for (const epoch of keys.epochs.filter((each) => !seeds.has(each.n) && !destroyed.has(each))) {
      const { n, wrappedSeed } = epoch
      seeds.set(n, await openPrivate(accountKey, seedBinding(userId, n), wrappedSeed))
    }
    epochs = keys.epochs
    destroyDue()
    await saveLastSeen(device, userId, { identityKey: keys.identityKey, epoch: last.n })
    await destroyed.save()
  }

  const refresh = async () => accept(await call(contract.getOwn, {}))
  const newest = () => epochs.at(-1) as OwnEpoch

  async function publish(): Promise<void> {
    const previous = newest()
    const n = previous.n + 1
    const { epoch, seed } = await createEpoch({ identity, userId, n, createdAt: clock.now(), previous })
    const wrappedSeed = await sealPrivate(accountKey, seedBinding(userId, n), seed)
    await call(contract.publishEpoch, { body: { ...epoch, wrappedSeed } }).catch((error: unknown) => {
      // Another browser published first; its epoch serves as well.
      if (!isCallError(error, 'EPOCH_CONFLICT')) throw error
    })
    await refresh()
  }

  const age = () => clock.now() - newest().createdAt

  /** An epoch is superseded from the signed time of a later one, not from the server's word. */
  function isDue(index: number): boolean {
    const supersededAt = Math.min(...epochs.slice(index + 1).map(({ createdAt }) => createdAt))
    return supersededAt + deps.retention() <= clock.now()
  }

  function destroyDue(): void {
    if (!clock.isSynchronized()) return
    const due = epochs.filter((_epoch, index) => isDue(index))
    for (const epoch of due) {
      seeds.delete(epoch.n)
      destroyed.raise(epoch)
    }
    epochs = epochs.slice(due.length)
  }

  await accept(initial)
  return {
    userId,
    accountKey,
    identity,
    newest,
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
    refresh,
    async renewEpoch() {
      destroyDue()
      // If saving fails, this page still knows them.
      await destroyed.save().catch(() => {})
      if (seeds.has(newest().n) && age() < limits.epochAge && age() >= -limits.clockTolerance) return
      publishing ??= publish().finally(() => (publishing = undefined))
      await publishing.catch((error: unknown) => {
        // A server that refuses new epochs for a while must not block sending; the next message tries again.
        const isInvalid = isCallError(error, 'INVALID_INPUT')
        if (isInvalid) void clock.synchronize().catch(() => {})
        const isRefused = isInvalid || (isRetryable(error) && !isCallError(error, 'OFFLINE'))
        if (!isRefused || age() >= 2 * limits.epochAge) throw error
      })
    },
  }
}
