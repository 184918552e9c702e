import { AppError } from '@privity/contract/errors'
import { type FormerKey, type KeyReplacement, maxFormerKeys } from '@privity/contract/keys'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { EpochRow, UserRow } from '../../core/database/tables/users.ts'
import { insertSealedSeeds, selectBrowser, setApproved, upsertBrowser } from './browserQueries.ts'
import { checkMode, isNextMode } from './browserMode.ts'
import { checkEntry, checkNextEntry, checkRecipients, findLiving, storeLinks } from './browserRenewal.ts'
import { endEarlierEpochs } from './earlierEpochs.ts'
import {
  checkEpoch,
  checkFormerSignature,
  checkNextEpoch,
  checkRecoveryPair,
  checkSignature,
  insertEpoch,
  isNow,
  toEpochKey,
} from './epochs.ts'
import { deleteDue, selectContactIds, selectEpochsBefore, selectNewestEpoch } from './queries.ts'
import { hashProof } from './recoveryProof.ts'
import { requireKeys } from './requireKeys.ts'
import { invalid } from './signatures.ts'

/** Runs the checks that need no database. */
export function checkReplacement(core: Core, userId: string, { identityKey, epoch }: KeyReplacement): void {
  checkEpoch(core, epoch, userId)
  if (!isNow(core, epoch.startsAt)) throw invalid('startsAt', 'The first epoch of new keys begins now.')
  checkSignature(identityKey, epoch)
}

/**
 * Selects the living epochs before `n` whose seeds the new keys must keep. In the default mode an epoch without a
 * wrapped seed does not count: the browser that switched "Only approved browsers" off could not open that seed.
 */
async function selectKept(tx: Tx, { id, only_approved: onlyApproved }: UserRow, n: number): Promise<EpochRow[]> {
  const live = await selectEpochsBefore(tx, id, n)
  return live.filter(({ wrapped_seed: seed }) => onlyApproved === 1 || seed !== null)
}

/**
 * Throws unless every live epoch is wrapped anew: no message may stay under a key that the account no longer has. The
 * last of them carries the former account key.
 */
function checkComplete(live: readonly EpochRow[], newest: EpochRow, { former }: KeyReplacement): void {
  const formerByEpoch = new Map(former.map((each) => [each.n, each]))
  for (const { n, wrapped_former_key: key } of live) {
    const rewrapped = formerByEpoch.get(n)
    if (rewrapped === undefined) throw new AppError('EPOCH_CONFLICT', { details: { newest: toEpochKey(newest) } })
    if ((key !== null || n === live.at(-1)?.n) && rewrapped.wrappedFormerKey === undefined)
      throw invalid('former', `The former account key is missing with epoch ${n}.`)
  }
}

/**
 * Removes all browsers but this one, which the new identity lists again. With "Only approved browsers" every seed stays
 * sealed: to this browser and to the new recovery key. What was sealed to others is destroyed.
 */
async function replaceBrowsers(
  tx: Tx,
  core: Core,
  { only_approved: onlyApproved, mode_changes: changes, id: userId }: UserRow,
  { identityKey, browser, former, epoch, mode }: KeyReplacement,
): Promise<void> {
  const isModeKept = mode ? mode.onlyApproved === (onlyApproved === 1) && isNextMode(changes, mode.n) : changes === 0
  if (!isModeKept) throw new AppError('BROWSERS_CHANGED')
  if (mode) {
    checkMode(identityKey, userId, mode)
    await tx.run('update users set mode_changes = ?, mode_signature = ? where id = ?', [mode.n, mode.signature, userId])
  }
  if ((onlyApproved === 1) !== (browser !== undefined)) throw new AppError('BROWSERS_CHANGED')
  const isKept = [epoch, ...former].every(({ wrappedSeed }) => (wrappedSeed === undefined) === (onlyApproved === 1))
  if (!isKept) throw invalid('former', 'A seed is kept in another way than the mode demands.')
  const own = browser && (await selectBrowser(tx, userId, browser.entry.browserId))
  for (const table of ['sealed_seeds', 'browser_removals'])
    await tx.run(`delete from ${table} where user_id = ?`, [userId])
  await tx.run('delete from browsers where user_id = ? and browser_id <> ?', [userId, own?.browser_id ?? ''])
  if (browser === undefined) return
  const { entry, seeds } = browser
  checkEntry(core, identityKey, userId, entry)
  // The entry must follow the stored one: nobody takes the place of a listed browser by making new keys.
  if (own === undefined) throw new AppError('BROWSERS_CHANGED')
  checkNextEntry(identityKey, own, browser)
  checkRecipients(seeds, [userId, entry.browserId])
  const now = core.clock.now()
  await upsertBrowser(tx, entry, { name: own.name, now, approvedAt: now })
  await setApproved(tx, userId, entry.browserId, now)
  await storeLinks(tx, identityKey, browser)
  await insertSealedSeeds(tx, userId, await findLiving(tx, core, userId), seeds)
}

async function updateWrappedSeeds(tx: Tx, core: Core, userId: string, { former }: KeyReplacement): Promise<void> {
  const { encryptAtRest } = core.secrets
  for (const { n, wrappedSeed, wrappedFormerKey } of former) {
    await tx.run('update epochs set wrapped_seed = ?, wrapped_former_key = ? where user_id = ? and n = ?', [
      wrappedSeed === undefined ? null : encryptAtRest(wrappedSeed),
      wrappedFormerKey === undefined ? null : encryptAtRest(wrappedFormerKey),
      userId,
      n,
    ])
  }
}

function addFormerKey(stored: string, key: FormerKey): string {
  const before = JSON.parse(stored) as FormerKey[]
  return JSON.stringify([key, ...before].slice(0, maxFormerKeys))
}

/**
 * Replaces a user's keys in the caller's transaction, which replaces the wrapped account key too. Compare-and-set: the
 * epoch must follow the newest, the pins the stored ones, and the seed of every epoch that stays must be wrapped anew;
 * otherwise throws EPOCH_CONFLICT or STALE_VERSION, and the browser retries from the current state.
 */
export async function replaceKeys(
  tx: Tx,
  core: Core,
  caller: Caller,
  before: UserRow,
  replacement: KeyReplacement,
): Promise<void> {
  const { id, identity_key: identityKey, former_keys: formerKeys, pins_version: version, pins } = requireKeys(before)
  const now = core.clock.now()
  const { epoch } = replacement
  const newest = await selectNewestEpoch(tx, id)
  if (newest === undefined) throw new AppError('NO_KEYS')
  if (replacement.identityKey === identityKey)
    throw invalid('identityKey', 'This is the identity key there is already.')
  checkNextEpoch(identityKey, epoch, toEpochKey(newest))
  checkFormerSignature(id, identityKey, replacement)
  checkRecoveryPair(replacement.identityKey, id, replacement.recovery)
  if (replacement.pins.version !== version + 1)
    throw new AppError('STALE_VERSION', { details: { version, sealed: pins } })
  await insertEpoch(tx, core, epoch)
  await endEarlierEpochs(tx, core, epoch)
  await deleteDue(tx, id, epoch.n, now)
  checkComplete(await selectKept(tx, before, epoch.n), newest, replacement)
  await updateWrappedSeeds(tx, core, id, replacement)
  await replaceBrowsers(tx, core, before, replacement)
  await tx.run(
    `update users set identity_key = ?, former_keys = ?, wrapped_identity_seed = ?, recovery_wrapped_account_key = ?,
       recovery_proof_hash = ?, recovery_kem_key = ?, recovery_kem_signature = ?, publication_due = 0,
       pins_version = ?, pins = ? where id = ?`,
    [
      replacement.identityKey,
      addFormerKey(formerKeys, { identityKey, signature: replacement.formerSignature }),
      core.secrets.encryptAtRest(replacement.wrappedIdentitySeed),
      core.secrets.encryptAtRest(replacement.recoveryWrappedAccountKey),
      hashProof(core, replacement.recoveryProof),
      replacement.recovery.kemKey,
      replacement.recovery.signature,
      replacement.pins.version,
      replacement.pins.sealed,
      id,
    ],
  )
  const entry = { actorId: id, targetId: id, address: caller.address, at: now }
  await audit(tx, { ...entry, action: 'keys_replaced', details: { n: epoch.n } })
  await audit(tx, { ...entry, action: 'recovery_key_renewed' })
  const contactIds = await selectContactIds(tx, id)
  tx.afterCommit(() => core.sockets.notify(contactIds, { type: 'keys_replaced', userId: id }))
}
