import { usedUntil } from '@privity/contract/epochTimes'
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
} from '@privity/e2ee'
import { writeIdentity } from '@privity/e2ee/identityRecord'
import { signNextIdentity } from '@privity/e2ee/nextIdentity'
import { formerKeyBinding, identityBinding, seedBinding } from '../../keys/aad.ts'
import { CallError } from '../../transport/callError.ts'
import type { Device } from '../../device/device.ts'
import type { Tabs } from '../../device/tabs.ts'
import type { Clock } from '../../transport/clock.ts'
import { openIdentity, type OwnIdentity } from '../../keys/ownIdentity.ts'
import { verifyOwnKeys } from '../../keys/ownKeys.ts'
import { forNewKey, openPins, type PinList, sealPins } from '../../trust/pinList.ts'
import { readLastSeen, type StoredPins } from '../../keys/rollback.ts'
import { mergePins } from '../../trust/pinMerge.ts'

interface RawKey {
  raw: Bytes
  accountKey: AccountKey
}

/** A new account key and identity, not yet published. */
export interface FreshKeys extends RawKey {
  identitySeed: Bytes
  identity: Identity
}

export async function createFreshKeys(): Promise<FreshKeys> {
  const raw = createAccountKey()
  const { seed: identitySeed } = await createIdentity()
  return { raw, accountKey: await importAccountKey(raw), identitySeed, identity: await importIdentity(identitySeed) }
}

export interface ReplacementInput {
  before: RawKey
  fresh: FreshKeys
  recovery: Pick<KeyReplacement, 'recoveryProof' | 'recovery' | 'recoveryWrappedAccountKey'>
  /** The keys that the server has now. */
  keys: OwnKeys
  /** Holds the newest pin list that this browser has seen, encrypted under the old account key. */
  device: Device
  tabs: Pick<Tabs, 'runExclusive'>
  clock: Clock
  now: number
}

const altered = () => new CallError('KEYS_ALTERED')

/** Decrypts the current identity. Throws KEYS_ALTERED unless it has signed the keys, with the mode that is kept. */
async function openBefore({ before, keys, device }: ReplacementInput): Promise<OwnIdentity> {
  const own = await openIdentity(before.accountKey, keys)
  await verifyOwnKeys(own, await readLastSeen(device, keys.userId), keys)
  return own
}

/**
 * The current pins, none verified or confirmed by a link: the safety numbers change too. If the server's list does not
 * decrypt or is older than the one this browser knows, the known list counts; otherwise both are merged.
 */
async function openPinsBefore({ before, keys, device }: ReplacementInput): Promise<PinList> {
  const knownPins = (await readLastSeen(device, keys.userId))?.pins
  const open = (stored: StoredPins) => openPins(before.accountKey, keys.userId, stored)
  const isOld = knownPins !== undefined && keys.pins.version < knownPins.version
  const knownList = knownPins && (await open(knownPins).catch(() => undefined))
  const serverList = isOld ? undefined : await open(keys.pins).catch(() => undefined)
  const list = knownList && serverList ? mergePins(knownList, serverList).list : (serverList ?? knownList)
  if (!list) throw altered()
  return forNewKey(list)
}

/**
 * With "Only approved browsers": lists this browser under the new identity, and seals the seeds that it holds, and that
 * of the new epoch, to it and to the new recovery key.
 */
async function sealBrowser(
  { before, fresh, recovery, keys, ...deps }: ReplacementInput,
  made: { n: number; seed: Bytes },
): Promise<KeyReplacement['browser']> {
  const { userId } = keys
  const { openOwnBrowser, openSealedSeeds, sealToBrowsers } = await import('../../keys/browsers/lazyBrowsers.ts')
  const own = { userId, accountKey: before.accountKey }
  const held = (await openSealedSeeds(deps, own, keys.epochs)).set(made.n, made.seed)
  const browser = await openOwnBrowser(deps, own)
  const next = await browser.exclusively(async () => {
    await browser.settle(keys.identityKey, keys.browsers.own)
    return browser.createNextEntry(fresh.identity, keys.browsers.own)
  })
  const recoveryKey = { browserId: userId, kemKey: recovery.recovery.kemKey }
  return { ...next, seeds: await sealToBrowsers(userId, held, [next.entry, recoveryKey]) }
}

/** The mode under the new identity; nothing where it was never changed. */
async function keepMode({ fresh, keys }: ReplacementInput): Promise<Pick<KeyReplacement, 'mode'>> {
  const { onlyApproved, n } = keys.browsers.mode
  if (n === 0) return {}
  const { signMode } = await import('../../keys/browsers/lazyBrowsers.ts')
  return { mode: await signMode(fresh.identity, keys.userId, { onlyApproved, n: n + 1 }) }
}

/** Creates the replacement of all keys of the account, with everything still in use re-encrypted under the new ones. */
export async function createKeyReplacement(replacing: ReplacementInput): Promise<KeyReplacement> {
  const { before, fresh, recovery, keys, now } = replacing
  const { userId } = keys
  const newest = keys.epochs.at(-1)
  if (!newest) throw altered()
  const own = await openBefore(replacing)
  const n = newest.n + 1
  const { epoch, seed } = await createEpoch({
    identity: fresh.identity,
    userId,
    n,
    createdAt: now,
    startsAt: now,
    previous: newest,
    previousIdentityKey: own.identity.publicKey,
  })
  const former = [{ publicKey: own.identity.publicKey, lastEpoch: newest.n }, ...own.former]
  const seal = (binding: PrivateBinding, plain: Bytes) => sealPrivate(fresh.accountKey, binding, plain)
  /** Leaves as it is what the former account key does not decrypt either. */
  async function reencrypt(binding: PrivateBinding, sealed: string): Promise<string> {
    const plain = await openPrivate(before.accountKey, binding, sealed).catch(() => undefined)
    return plain === undefined ? sealed : seal(binding, plain)
  }

  const { onlyApproved } = keys.browsers.mode
  const held = keys.epochs.filter(({ wrappedSeed }) => onlyApproved || wrappedSeed !== undefined)
  const ends = usedUntil(held, now)

  /**
   * Re-encrypts an epoch's seed. The last epoch under an account key also carries that key, because other browsers
   * still hold data encrypted under it. The server deletes the epochs that nobody has used yet, so the one that was in
   * use becomes the last; those after it carry the key too, because clocks differ.
   */
  async function carryOver(former: OwnEpoch, index: number): Promise<KeyReplacement['former'][number]> {
    const { n: formerN, wrappedSeed, wrappedFormerKey } = former
    const seedOf = seedBinding(userId, formerN)
    const kept = { n: formerN, ...(wrappedSeed && { wrappedSeed: await reencrypt(seedOf, wrappedSeed) }) }
    const binding = formerKeyBinding(userId, formerN)
    const mayBeLast = (ends[index] as number) > now || index === held.length - 1
    if (mayBeLast) return { ...kept, wrappedFormerKey: await seal(binding, before.raw) }
    return wrappedFormerKey === undefined
      ? kept
      : { ...kept, wrappedFormerKey: await reencrypt(binding, wrappedFormerKey) }
  }

  const version = keys.pins.version + 1
  const kept = onlyApproved
    ? { epoch, browser: await sealBrowser(replacing, { n, seed }) }
    : { epoch: { ...epoch, wrappedSeed: await seal(seedBinding(userId, n), seed) } }
  return {
    ...recovery,
    ...kept,
    ...(await keepMode(replacing)),
    identityKey: fresh.identity.publicKey,
    formerSignature: await signNextIdentity(own.identity, { userId, identityKey: fresh.identity.publicKey }),
    wrappedIdentitySeed: await seal(identityBinding(userId), writeIdentity(fresh.identitySeed, former)),
    former: await Promise.all(held.map(carryOver)),
    pins: { version, sealed: await sealPins(fresh.accountKey, userId, version, await openPinsBefore(replacing)) },
  }
}
