import { hash } from 'node:crypto'
import type { Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { destructionTime } from '@privity/contract/epochTimes'
import type {
  FormerKey,
  keys as contract,
  OwnEpoch,
  OwnKeys,
  ContactIdentity,
  ContactKeys,
  PinListChange,
} from '@privity/contract/keys'
import { signedPinListBytes } from '@privity/contract/signedBytes'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { EpochRow } from '../../core/database/tables/users.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { findMembership, requireMembership } from '../connections/membership.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { toEpochKey } from './epochs.ts'
import { selectSealedSeeds } from './browserQueries.ts'
import { getBrowserKeys } from './browsers.ts'
import { endOfUseOf } from './epochUse.ts'
import { selectContactKeys, selectIdentities, selectOwnKeys } from './queries.ts'
import { requireKeys } from './requireKeys.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

type PinList = Result<typeof contract.getPins>

/** A list of this size costs about as much as 50 rows, which count as one call. */
const pinListUnit = 100_000

/** Counts a call that returns a long pin list as several: the call itself is counted as one before. */
function countPinList({ rates }: Core, userId: string, { length }: string): void {
  const weight = Math.floor(length / pinListUnit)
  if (weight > 0) rates.take('other', userId, weight)
}

/** Whether the seed of an epoch is gone, or due for destruction. */
const isDestroyed = ({ clock }: Core, row: EpochRow): boolean =>
  row.is_destroyed === 1 || destructionTime({ endsAt: endOfUseOf(row, clock.now()) }) <= clock.now()

/** One's own epoch, without its seed once that is due for destruction. */
function toOwnEpoch(core: Core, row: EpochRow, sealedSeed: string | undefined): OwnEpoch {
  const { decryptAtRest } = core.secrets
  const { wrapped_seed: seed, wrapped_former_key: formerKey } = row
  if (isDestroyed(core, row)) return toEpochKey(row)
  return {
    ...toEpochKey(row),
    ...(seed === null ? {} : { wrappedSeed: decryptAtRest(seed) }),
    ...(sealedSeed === undefined ? {} : { sealedSeed }),
    ...(formerKey === null ? {} : { wrappedFormerKey: decryptAtRest(formerKey) }),
  }
}

/** The caller's keys, with the seeds that are sealed to `browserId`. */
export async function getOwnKeys(core: Core, caller: Caller, browserId: string | undefined): Promise<OwnKeys> {
  const { db, secrets } = core
  const { userId } = caller
  const rows = await selectOwnKeys(db.read, userId)
  const user = rows[0]
  if (user === undefined) throw new AppError('NO_KEYS')
  countPinList(core, userId, user.pins)
  const browsers = await getBrowserKeys(core, user, caller, browserId)
  // Read after the epochs, so that a seed whose wrap is destroyed in between is not missing, and after the browser's
  // entry: seeds of an older entry would not open for one that is renewed in between.
  const seeds = browserId === undefined ? [] : await selectSealedSeeds(db.read, userId, browserId)
  const sealed = new Map(seeds.map((seed) => [seed.n, seed.sealed]))
  return {
    userId,
    identityKey: user.identity_key as string,
    wrappedIdentitySeed: secrets.decryptAtRest(user.wrapped_identity_seed as string),
    wrappedAccountKey: secrets.decryptAtRest(user.wrapped_account_key as string),
    epochs: rows
      .filter((row, index) => !isDestroyed(core, row) || index === rows.length - 1)
      .map((row) => toOwnEpoch(core, row, sealed.get(row.n))),
    pins: { version: user.pins_version, sealed: user.pins },
    browsers,
  }
}

/** The keys needed to encrypt for a contact now; throws NO_KEYS if the contact has none. */
export async function getKeysOf(db: Reader, userId: string, now: number): Promise<ContactKeys> {
  const row = await selectContactKeys(db, userId, now)
  if (row === undefined) throw new AppError('NO_KEYS')
  const former = JSON.parse(row.former_keys) as FormerKey[]
  return { userId, identityKey: row.identity_key, former, epoch: toEpochKey(row) }
}

export async function getContactKeys({ db, clock }: Core, caller: Caller, connectionId: string): Promise<ContactKeys> {
  const { contactId } = await requireMembership(db.read, connectionId, caller.userId)
  return getKeysOf(db.read, contactId, clock.now())
}

export const listIdentities = ({ db }: Core, userId: string): Promise<ContactIdentity[]> =>
  selectIdentities(db.read, userId)

/** `connectionIds` are separated by commas. Connections that are not the caller's are left out. */
export async function listContactKeys({ db, clock }: Core, caller: Caller, connectionIds: string) {
  const keys = connectionIds.split(',').map(async (connectionId) => {
    const membership = await findMembership(db.read, connectionId, caller.userId)
    if (membership === undefined) return []
    const user = await getUser(db.read, membership.contactId)
    return user.identity_key === null ? [] : [{ connectionId, keys: await getKeysOf(db.read, user.id, clock.now()) }]
  })
  return (await Promise.all(keys)).flat()
}

export async function getPins(core: Core, userId: string): Promise<PinList> {
  const user = requireKeys(await getUser(core.db.read, userId))
  countPinList(core, userId, user.pins)
  return { version: user.pins_version, sealed: user.pins }
}

/**
 * Replaces the encrypted list if `version` follows the stored one; otherwise throws STALE_VERSION with the stored list.
 * The identity key must have signed it: who holds the session alone could store bytes that no browser can open.
 */
export function putPins(core: Core, caller: Caller, { signature, ...pins }: PinListChange): Promise<PinList> {
  return core.db.write(async (tx) => {
    // A late call of an ended session must not overwrite the list that new keys were made with.
    await checkSession(tx, caller)
    const user = requireKeys(await getUser(tx, caller.userId))
    const stored = { version: user.pins_version, sealed: user.pins }
    if (pins.version !== stored.version + 1) throw new AppError('STALE_VERSION', { details: stored })
    const signed = { userId: user.id, version: pins.version, hash: hash('sha256', decode(pins.sealed), 'buffer') }
    if (!isSignedBy(user.identity_key, signedPinListBytes(user.identity_key, signed, decode), signature))
      throw invalid('signature', 'The identity key did not sign the list.')
    await tx.run('update users set pins_version = ?, pins = ? where id = ?', [pins.version, pins.sealed, user.id])
    await audit(tx, {
      action: 'pins_changed',
      actorId: user.id,
      address: caller.address,
      details: { version: pins.version },
      at: core.clock.now(),
    })
    tx.afterCommit(() => {
      core.db.emptyLogSoon()
      core.sockets.notify(user.id, { type: 'pins_changed' })
    })
    return pins
  })
}
