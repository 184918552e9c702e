import { hash } from 'node:crypto'
import {
  hashedEpochBytes,
  signedEpochBytes,
  signedNextIdentityBytes,
  signedRecoveryPairBytes,
} from '@privity/contract/signedBytes'
import { AppError } from '@privity/contract/errors'
import { maxLiveEpochs, type RecoveryPair, type Sealing } from '@privity/contract/browserKeys'
import { destructionTime } from '@privity/contract/epochTimes'
import type { EpochKey, KeyReplacement, NewKeys, PublishedEpoch } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import { type Count, countSuccess } from '../../core/rateLimits/outcomes.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { EpochRow, UserRow } from '../../core/database/tables/users.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { selectContactIds, selectEpochsBefore, selectLivingByEnd, selectNewestEpoch } from './queries.ts'
import { checkRenewal, checkSealedTo, countLinks, storeSealing } from './browserRenewal.ts'
import { endEarlierEpochs } from './earlierEpochs.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

const noPrevious = Buffer.alloc(32).toString('base64url')

/** Whether a browser's clock, which goes by the server's, would call this time now. */
export const isNow = ({ clock }: Core, time: number): boolean => Math.abs(time - clock.now()) <= limits.clockTolerance

export function checkEpoch({ clock }: Core, epoch: EpochKey, userId: string): void {
  const latest = clock.now() + limits.clockTolerance
  if (epoch.userId !== userId) throw invalid('userId', 'The epoch belongs to another user.')
  if (epoch.createdAt > latest) throw invalid('createdAt', 'The epoch is from the future.')
  if (epoch.endsAt !== epoch.startsAt + limits.epochDuration) throw invalid('endsAt', 'An epoch lasts 8 hours.')
  if (epoch.endsAt > latest + limits.epochsAhead * limits.epochDuration)
    throw invalid('endsAt', 'The epoch lies more than 7 days ahead.')
}

/** Throws unless the account's identity key signed the epoch: a session alone must not be able to publish one. */
export function checkSignature(identityKey: string, epoch: EpochKey): void {
  if (!isSignedBy(identityKey, signedEpochBytes(identityKey, epoch, decode), epoch.signature))
    throw invalid('signature', 'The identity key did not sign this epoch.')
}

/** Throws unless the former identity key signed the one that takes its place. */
export function checkFormerSignature(userId: string, former: string, { identityKey, formerSignature }: KeyReplacement) {
  const bytes = signedNextIdentityBytes({ userId, former, next: identityKey }, decode)
  if (!isSignedBy(former, bytes, formerSignature))
    throw invalid('formerSignature', 'The former identity key did not sign the new one.')
}

/** Checks the pair of the recovery key, and the first epoch: number 1, with none before it, and begins now. */
export function checkFirstEpoch(core: Core, { userId, identityKey, epoch, recovery }: NewKeys): void {
  checkEpoch(core, epoch, userId)
  if (epoch.n !== 1) throw invalid('n', 'The first epoch has number 1.')
  if (epoch.previousHash !== noPrevious) throw invalid('previousHash', 'The first epoch has none before it.')
  if (!isNow(core, epoch.startsAt)) throw invalid('startsAt', 'The first epoch begins now.')
  checkSignature(identityKey, epoch)
  checkRecoveryPair(identityKey, userId, recovery)
}

export async function insertEpoch(tx: Tx, core: Core, epoch: PublishedEpoch): Promise<void> {
  await tx.run(
    `insert into epochs (user_id, n, public_key, created_at, starts_at, ends_at, used_until, previous_hash, features,
       signature, wrapped_seed) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      epoch.userId,
      epoch.n,
      epoch.publicKey,
      epoch.createdAt,
      epoch.startsAt,
      epoch.endsAt,
      epoch.endsAt,
      epoch.previousHash,
      epoch.features,
      epoch.signature,
      epoch.wrappedSeed === undefined ? null : core.secrets.encryptAtRest(epoch.wrappedSeed),
    ],
  )
}

export function toEpochKey(row: EpochRow): EpochKey {
  return {
    userId: row.user_id,
    n: row.n,
    publicKey: row.public_key,
    createdAt: row.created_at,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    previousHash: row.previous_hash,
    features: row.features,
    signature: row.signature,
  }
}

function isNext(identityKey: string, epoch: EpochKey, before: EpochKey): boolean {
  const hashBefore = hash('sha256', hashedEpochBytes(identityKey, before, decode), 'base64url')
  return epoch.n === before.n + 1 && epoch.previousHash === hashBefore
}

/** Throws unless `epoch` follows `newest`, which `identityKey` signed. */
export function checkNextEpoch(identityKey: string, epoch: EpochKey, newest: EpochKey): void {
  if (!isNext(identityKey, epoch, newest)) throw new AppError('EPOCH_CONFLICT', { details: { newest } })
}

/** Checks signatures and times, and that each epoch follows the one before and begins at its end. */
function checkAhead(core: Core, userId: string, identityKey: string, epochs: readonly EpochKey[]): void {
  for (const [index, epoch] of epochs.entries()) {
    checkEpoch(core, epoch, userId)
    checkSignature(identityKey, epoch)
    const before = epochs[index - 1]
    if (before !== undefined && !isNext(identityKey, epoch, before))
      throw invalid('previousHash', 'The epochs do not follow each other.')
    if (before !== undefined && epoch.startsAt !== before.endsAt)
      throw invalid('startsAt', 'An epoch begins when the one before it ends.')
  }
}

/** Epochs as a browser publishes them; `sealing` in the mode "Only approved browsers". */
interface Publication {
  epochs: readonly PublishedEpoch[]
  sealing?: Sealing | undefined
}

/**
 * Publishes the epochs after the newest. Browsers check hashes and signatures themselves; the server checks them too,
 * so that a stolen session cannot publish an epoch that no browser accepts, which would make the account unusable.
 */
export async function publishEpochs(call: MemberCall, publication: Publication): Promise<Record<string, never>> {
  const { core, caller } = call
  const { identity_key: identityKey, publication_due: isDue } = await getUser(core.db.read, caller.userId)
  if (identityKey === null) throw new AppError('NO_KEYS')
  checkAhead(core, caller.userId, identityKey, publication.epochs)
  // Not counted after a removal: the removed browser may have used up those of the day, and would go on reading.
  const isCounted = isDue !== 1
  const counts: Count[] = isCounted ? [['publication', caller.userId]] : []
  if (publication.sealing) counts.push(countLinks(caller.userId, publication.sealing.renewal))
  await countSuccess(core.rates, counts, () => insertNextEpochs(call, publication, isCounted))
  return {}
}

/** Throws unless each seed is stored as the current mode demands: another browser may have switched the mode. */
function checkSeedStorage({ only_approved: onlyApproved }: UserRow, { epochs, sealing }: Publication): void {
  if ((onlyApproved === 1) !== (sealing !== undefined)) throw new AppError('BROWSERS_CHANGED')
  for (const { n, wrappedSeed } of epochs)
    if ((wrappedSeed === undefined) !== (sealing !== undefined))
      throw invalid('wrappedSeed', `The seed of epoch ${n} is kept in another way than the mode demands.`)
}

/**
 * Throws unless the first epoch begins at the end of the newest; or now, where that has ended or a clock was wrong; or,
 * in the place of those that lie ahead, at the end of any.
 */
function checkStart(core: Core, { startsAt }: EpochKey, ends: readonly number[]): void {
  if (!ends.includes(startsAt) && !isNow(core, startsAt))
    throw invalid('startsAt', 'The next epoch begins when the one before it ends, or now.')
}

/** Maximum of living epochs after a publication. New keys add some, and a call must still be able to name all. */
const maxPublished = maxLiveEpochs - rateLimits.keyReplacement.requests

/** Places of living epochs that counted publications leave to publications after removals. */
const keptForRemovals = 6

/** Maximum of living epochs that have ended, after a counted publication: 60 - 6 - 1 in use - 21 ahead = 32. */
const maxEndedEpochs = maxPublished - keptForRemovals - 1 - limits.epochsAhead

/** Throws RATE_LIMITED, with the seconds until enough are destroyed, if there are more than `max`. Sorted by end. */
function checkCount(epochs: readonly { endOfUse: number }[], max: number, now: number): void {
  const due = epochs[epochs.length - max - 1]
  if (due === undefined) return
  const destroyedAt = destructionTime({ endsAt: due.endOfUse })
  throw new AppError('RATE_LIMITED', { retryAfter: Math.ceil((destroyedAt - now) / 1000) })
}

/**
 * Throws RATE_LIMITED if too many epochs live after a publication, counted or not: with removals without end somebody
 * could otherwise keep the other browsers from renewing their entries, and the member from new keys. Counted ones leave
 * room for some after removals: a browser that was removed must not go on reading.
 */
async function checkLivingEpochs(db: Reader, { clock }: Core, userId: string, isCounted: boolean): Promise<void> {
  const now = clock.now()
  const living = await selectLivingByEnd(db, userId, now)
  checkCount(living, maxPublished, now)
  if (isCounted)
    checkCount(
      living.filter(({ endOfUse }) => endOfUse <= now + limits.clockTolerance),
      maxEndedEpochs,
      now,
    )
}

function insertNextEpochs(call: MemberCall, publication: Publication, isCounted: boolean): Promise<void> {
  const { core, caller } = call
  const { epochs, sealing } = publication
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const { userId } = caller
    const [first, last] = [epochs[0] as PublishedEpoch, epochs.at(-1) as PublishedEpoch]
    const user = await getUser(tx, userId)
    const newest = await selectNewestEpoch(tx, userId)
    if (newest === undefined || user.identity_key === null) throw new AppError('NO_KEYS')
    checkSeedStorage(user, publication)
    checkNextEpoch(user.identity_key, first, toEpochKey(newest))
    const before = sealing ? await selectEpochsBefore(tx, userId, first.n) : [newest]
    checkStart(
      core,
      first,
      before.map(({ ends_at: endsAt }) => endsAt),
    )
    if (sealing) await checkRenewal(tx, core, user, sealing.renewal)
    if (sealing) await checkSealedTo(tx, user, sealing)
    for (const epoch of epochs) await insertEpoch(tx, core, epoch)
    await endEarlierEpochs(tx, core, first)
    await checkLivingEpochs(tx, core, userId, isCounted)
    if (sealing) await storeSealing(tx, call, user, sealing)
    const details = { n: last.n, epochs: epochs.length }
    await audit(tx, {
      action: 'epoch_published',
      actorId: userId,
      address: caller.address,
      details,
      at: core.clock.now(),
    })
    // Those who write to this user have waited for an epoch of this time, not for one of next week.
    const isAwaited = first.startsAt <= core.clock.now() + limits.epochGrace
    const contactIds = isAwaited ? await selectContactIds(tx, userId) : []
    const { wrappedSeed: _private, ...published } = first
    const notice = { type: 'epoch_published' as const, epoch: published }
    tx.afterCommit(() => core.sockets.notify([userId, ...contactIds], notice))
  })
}

/** Throws unless the identity key signed the pair of the recovery key, or no browser would seal to it. */
export function checkRecoveryPair(identityKey: string, userId: string, pair: RecoveryPair): void {
  if (!isSignedBy(identityKey, signedRecoveryPairBytes(identityKey, userId, pair, decode), pair.signature))
    throw invalid('recovery', 'The identity key did not sign the pair of the recovery key.')
}
