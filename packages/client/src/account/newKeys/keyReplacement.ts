import type { KeyReplacement, OwnEpoch, OwnKeys } from '@privity/contract/keys'
import {
  type AccountKey,
  type Bytes,
  createAccountKey,
  createEpoch,
  createIdentity,
  type Identity,
  importAccountKey,
  importIdentity,
  openPrivate,
  type PrivateBinding,
  sealPrivate,
  verifyEpoch,
} from '@privity/e2ee'
import { writeIdentity } from '@privity/e2ee/identityRecord'
import { formerKeyBinding, identityBinding, seedBinding } from '../../keys/aad.ts'
import { CallError } from '../../transport/callError.ts'
import type { Device } from '../../device/device.ts'
import { openIdentity, type OwnIdentity } from '../../keys/ownIdentity.ts'
import { openPins, type PinList, sealPins } from '../../trust/pinList.ts'
import { type StoredPins, getSeen } from '../../keys/rollback.ts'
import { mergePins } from '../../trust/pinMerge.ts'

interface RawKey {
  raw: Bytes
  accountKey: AccountKey
}

/** An account key and an identity that nobody has seen yet. */
export interface FreshKeys extends RawKey {
  identitySeed: Bytes
  identity: Identity
}

export async function createFreshKeys(): Promise<FreshKeys> {
  const raw = createAccountKey()
  const { seed: identitySeed } = await createIdentity()
  return { raw, accountKey: await importAccountKey(raw), identitySeed, identity: await importIdentity(identitySeed) }
}

export interface Replacing {
  before: RawKey
  fresh: FreshKeys
  recovery: Pick<KeyReplacement, 'recoveryProof' | 'recoveryWrappedAccountKey'>
  /** As the server has them now. */
  keys: OwnKeys
  /** It knows the newest list of pins that this browser has seen, sealed under the key before. */
  device: Device
  now: number
}

const altered = (cause?: unknown) => new CallError('KEYS_ALTERED', { cause })

/** Who they are opened by; throws KEYS_ALTERED where the newest epoch is not one that this identity signed. */
async function openBefore({ before, keys }: Replacing, newest: OwnEpoch): Promise<OwnIdentity> {
  const own = await openIdentity(before.accountKey, keys)
  if (own.identity.publicKey !== keys.identityKey || newest.userId !== keys.userId) throw altered()
  await verifyEpoch(keys.identityKey, newest).catch((cause: unknown) => {
    throw altered(cause)
  })
  return own
}

/**
 * The pins as they are, and none verified: whoever had the account key could have marked any, and the safety numbers
 * are others now. Where the server's list does not open, is an older one or does not go on from the one that this browser
 * knows, that one counts.
 */
async function openPinsBefore({ before, keys, device }: Replacing): Promise<PinList> {
  const seenPins = (await getSeen(device, keys.userId))?.pins
  const open = (stored: StoredPins) => openPins(before.accountKey, keys.userId, stored)
  const isOld = seenPins !== undefined && keys.pins.version < seenPins.version
  const seen = seenPins && (await open(seenPins).catch(() => undefined))
  const given = isOld ? undefined : await open(keys.pins).catch(() => undefined)
  const list = seen && given ? mergePins(seen, given).list : (given ?? seen)
  if (!list) throw altered()
  const pins = Object.entries(list.pins).map(([id, pin]) => [id, { ...pin, verified: false }] as const)
  return { ...list, pins: Object.fromEntries(pins) }
}

/** New keys in the place of those that the account has, with what is alive under these sealed anew. */
export async function makeReplacement(replacing: Replacing): Promise<KeyReplacement> {
  const { before, fresh, recovery, keys, now } = replacing
  const { userId } = keys
  const newest = keys.epochs.at(-1)
  if (!newest) throw altered()
  const own = await openBefore(replacing, newest)
  const n = newest.n + 1
  const { epoch, seed } = await createEpoch({
    identity: fresh.identity,
    userId,
    n,
    createdAt: now,
    previous: newest,
    previousIdentityKey: own.identity.publicKey,
  })
  const former = [{ publicKey: own.identity.publicKey, lastEpoch: newest.n }, ...own.former]
  const seal = (binding: PrivateBinding, plain: Bytes) => sealPrivate(fresh.accountKey, binding, plain)
  const anew = async (binding: PrivateBinding, sealed: string) =>
    seal(binding, await openPrivate(before.accountKey, binding, sealed))

  /** The key that an epoch was the last of goes along, for what other browsers still hold sealed under it. */
  async function keep({ n: at, wrappedSeed, wrappedFormerKey }: OwnEpoch): Promise<KeyReplacement['former'][number]> {
    const kept = { n: at, wrappedSeed: await anew(seedBinding(userId, at), wrappedSeed) }
    const binding = formerKeyBinding(userId, at)
    if (at === newest?.n) return { ...kept, wrappedFormerKey: await seal(binding, before.raw) }
    return wrappedFormerKey === undefined ? kept : { ...kept, wrappedFormerKey: await anew(binding, wrappedFormerKey) }
  }

  const version = keys.pins.version + 1
  return {
    ...recovery,
    identityKey: fresh.identity.publicKey,
    wrappedIdentitySeed: await seal(identityBinding(userId), writeIdentity(fresh.identitySeed, former)),
    epoch: { ...epoch, wrappedSeed: await seal(seedBinding(userId, n), seed) },
    former: await Promise.all(keys.epochs.map(keep)),
    pins: { version, sealed: await sealPins(fresh.accountKey, userId, version, await openPinsBefore(replacing)) },
  }
}
