import { createHmac, createPublicKey, hash, timingSafeEqual, verify } from 'node:crypto'
import { hashedEpochBytes, signedEpochBytes } from '@privity/contract/signedBytes'
import { AppError } from '@privity/contract/errors'
import type { EpochKey, NewKeys, OwnEpoch } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { EpochRow } from '../../core/database/tables/users.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { selectContactIds, selectNewestEpoch } from './queries.ts'

const noPrevious = Buffer.alloc(32).toString('base64url')

/** Browsers reject base64url that is not the canonical text of its bytes, so only canonical text is stored. */
function decode(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64url')
  if (bytes.toString('base64url') !== text) throw new AppError('INVALID_INPUT')
  return bytes
}

export const invalid = (path: string, message: string) =>
  new AppError('INVALID_INPUT', { details: [{ path, message }] })

export function checkEpoch(core: Core, epoch: EpochKey, userId: string): void {
  if (epoch.userId !== userId) throw invalid('userId', 'The epoch belongs to another user.')
  if (epoch.createdAt > core.clock.now() + limits.clockTolerance)
    throw invalid('createdAt', 'The epoch is from the future.')
}

/** Throws unless the account's identity key signed the epoch: a session alone must not be able to publish one. */
export function checkSignature(identityKey: string, epoch: EpochKey): void {
  const bytes = signedEpochBytes(identityKey, epoch, decode)
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: identityKey }, format: 'jwk' })
  if (!verify(null, bytes, key, decode(epoch.signature)))
    throw invalid('signature', 'The identity key did not sign this epoch.')
}

/** Checks the first epoch of new keys: it has number 1 and none before it. */
export function checkFirstEpoch(core: Core, { userId, identityKey, epoch }: NewKeys): void {
  checkEpoch(core, epoch, userId)
  if (epoch.n !== 1) throw invalid('n', 'The first epoch has number 1.')
  if (epoch.previousHash !== noPrevious) throw invalid('previousHash', 'The first epoch has none before it.')
  checkSignature(identityKey, epoch)
}

/**
 * Publishes the next epoch in place of the newest. Epochs that were superseded while the clock was ahead are dated now
 * too: if they outlived the newest, the account's browsers would get a chain with a gap.
 */
export async function supersede(tx: Tx, core: Core, newest: EpochRow, next: OwnEpoch): Promise<void> {
  const { user_id: userId, n } = newest
  const now = core.clock.now()
  const superseded = 'update epochs set superseded_at = ? where user_id = ? and (n = ? or superseded_at > ?)'
  await tx.run(superseded, [now, userId, n, now])
  await insertEpoch(tx, core, next)
}

export async function insertEpoch(tx: Tx, core: Core, epoch: OwnEpoch): Promise<void> {
  await tx.run(
    `insert into epochs (user_id, n, public_key, created_at, previous_hash, signature, wrapped_seed)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [
      epoch.userId,
      epoch.n,
      epoch.publicKey,
      epoch.createdAt,
      epoch.previousHash,
      epoch.signature,
      core.secrets.encryptAtRest(epoch.wrappedSeed),
    ],
  )
}

export function toEpochKey(row: EpochRow): EpochKey {
  return {
    userId: row.user_id,
    n: row.n,
    publicKey: row.public_key,
    createdAt: row.created_at,
    previousHash: row.previous_hash,
    signature: row.signature,
  }
}

/**
 * Throws unless `epoch` follows `newest`, which `identityKey` signed. Dates are not compared: the clock may have been
 * ahead when `newest` was made.
 */
export function checkFollows(identityKey: string, epoch: EpochKey, newest: EpochKey): void {
  const newestHash = hash('sha256', hashedEpochBytes(identityKey, newest, decode), 'base64url')
  if (epoch.n !== newest.n + 1 || epoch.previousHash !== newestHash)
    throw new AppError('EPOCH_CONFLICT', { details: { newest } })
}

/**
 * Publishes epoch n+1 and supersedes n. Browsers check hash and signature themselves; the server checks them too, so
 * that a stolen session cannot publish an epoch that no browser accepts, which would make the account unusable.
 */
export async function publishEpoch(core: Core, caller: Caller, epoch: OwnEpoch): Promise<OwnEpoch> {
  checkEpoch(core, epoch, caller.userId)
  const { identity_key: identityKey } = await getUser(core.db.read, caller.userId)
  if (identityKey === null) throw new AppError('NO_KEYS')
  checkSignature(identityKey, epoch)
  const uncount = core.rates.take('epoch', caller.userId)
  try {
    return await insertNext(core, caller, identityKey, epoch)
  } catch (error) {
    uncount()
    throw error
  }
}

function insertNext(core: Core, caller: Caller, identityKey: string, epoch: OwnEpoch): Promise<OwnEpoch> {
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const newest = await selectNewestEpoch(tx, caller.userId)
    if (newest === undefined) throw new AppError('NO_KEYS')
    checkFollows(identityKey, epoch, toEpochKey(newest))
    const now = core.clock.now()
    await supersede(tx, core, newest, epoch)
    await audit(tx, {
      action: 'epoch_published',
      actorId: caller.userId,
      address: caller.address,
      details: { n: epoch.n },
      at: now,
    })
    const recipients = [caller.userId, ...(await selectContactIds(tx, caller.userId))]
    const { wrappedSeed: _private, ...published } = epoch
    tx.afterCommit(() => core.sockets.notify(recipients, { type: 'epoch_published', epoch: published }))
    return epoch
  })
}

/** The stored form of the recovery proof: it has 256 bits, so a keyed hash is enough. */
export function hashProof(core: Core, proof: string): string {
  return createHmac('sha256', core.secrets.derive('recovery-proof')).update(proof).digest('base64url')
}

/** Compares in constant time, even if nothing is stored. */
export function isProof(core: Core, proof: string, stored: string | null | undefined): boolean {
  const actual = Buffer.from(hashProof(core, proof))
  const expected = Buffer.from(stored ?? hashProof(core, ''))
  return timingSafeEqual(actual, expected) && stored !== null && stored !== undefined
}
