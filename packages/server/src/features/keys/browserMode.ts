import type { SignedMode } from '@privity/contract/browserKeys'
import type { SwitchOff, SwitchOn } from '@privity/contract/browsers'
import { AppError } from '@privity/contract/errors'
import { signedBrowserModeBytes } from '@privity/contract/signedBytes'
import { audit } from '../../core/audit/audit.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import type { Tx } from '../../core/database/types.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { policyOf } from '../preferences/preferences.ts'
import type { Core } from '../../core/core.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { requireApproved } from './approvedBrowsers.ts'
import { insertSealedSeeds, setApproved } from './browserQueries.ts'
import { checkRecipients, checkSealedTo, findLiving } from './browserRenewal.ts'
import { selectNewestEpoch } from './queries.ts'
import { requireKeys } from './requireKeys.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

/**
 * Whether change `n` of the mode follows the stored ones. Numbers may be left out, because a restored database knows
 * fewer changes than the browsers, but not many: nothing could follow the last number.
 */
export const isNextMode = (changes: number, n: number): boolean => n > changes && n <= changes + 1_000

type ModeChange = SwitchOn | SwitchOff

/** Stores each living seed as sealed to the accepted browsers and the recovery pair, and deletes the wrapped seeds. */
async function switchOn(tx: Tx, core: Core, user: UserRow, { damaged, seeds, ...to }: SwitchOn): Promise<void> {
  const userId = user.id
  const isOn = user.only_approved === 1
  await checkSealedTo(tx, user, to)
  const all = to.listed.map(({ browserId }) => browserId)
  checkRecipients(seeds, [userId, ...all])
  // The caller leaves out a browser that it does not accept, because it was removed or its public key is no key.
  const accepted = seeds.length === 0 ? all : all.filter((id) => seeds.some(({ browserId }) => browserId === id))
  const recipients = [userId, ...accepted]
  const living = await findLiving(tx, core, userId)
  const given = new Set(seeds.map(({ n, browserId }) => `${n} ${browserId}`))
  const wrapped = await tx.all<{ n: number }>('select n from epochs where user_id = ? and wrapped_seed is not null', [
    userId,
  ])
  const isMissing = ({ n }: { n: number }) =>
    living.includes(n) && !damaged.includes(n) && recipients.some((browserId) => !given.has(`${n} ${browserId}`))
  if (wrapped.some(isMissing)) throw invalid('seeds', 'A seed is not sealed to every browser.')
  await insertSealedSeeds(tx, userId, living, seeds)
  await tx.run('update epochs set wrapped_seed = null where user_id = ?', [userId])
  await tx.run('update users set only_approved = 1 where id = ?', [userId])
  // Nothing is due where the mode is only signed again: a publication that is due is not counted.
  if (!isOn || wrapped.length > 0) await tx.run('update users set publication_due = 1 where id = ?', [userId])
  // A mode that is on already is only signed again: nobody is approved.
  if (isOn) return
  // Until now each browser counted as approved, also one that the list did not show any more.
  await tx.run('update browsers set approved_at = null where user_id = ?', [userId])
  for (const browserId of accepted) await setApproved(tx, userId, browserId, core.clock.now())
}

/** Wraps the seeds that the caller holds under the account key. Those of other browsers stay sealed to them. */
async function switchOff(tx: Tx, core: Core, userId: string, { wrapped }: SwitchOff): Promise<void> {
  const living = await findLiving(tx, core, userId)
  for (const { n, wrappedSeed } of wrapped)
    if (living.includes(n))
      await tx.run('update epochs set wrapped_seed = ? where user_id = ? and n = ?', [
        core.secrets.encryptAtRest(wrappedSeed),
        userId,
        n,
      ])
  await tx.run('update users set only_approved = 0, publication_due = 0 where id = ?', [userId])
}

/** Throws unless the identity key signed the mode. */
export function checkMode(identityKey: string, userId: string, mode: SignedMode): void {
  const bytes = signedBrowserModeBytes(identityKey, { ...mode, userId }, decode)
  if (!isSignedBy(identityKey, bytes, mode.signature))
    throw invalid('signature', 'The identity key did not sign the mode.')
}

/** Switches the mode "Only approved browsers". Compare-and-set on the newest epoch and the number of the change. */
export function setBrowserMode(call: MemberCall, change: ModeChange): Promise<void> {
  const { core, caller } = call
  const { userId, address } = caller
  const { onlyApproved, n, after, signature } = change
  return core.db.write(async (tx) => {
    await checkSession(tx, caller)
    const user = requireKeys(await getUser(tx, userId))
    const { identity_key: identityKey, mode_changes: changes } = user
    const newest = await selectNewestEpoch(tx, userId)
    if (newest?.n !== after) throw new AppError('EPOCH_CONFLICT')
    if (!onlyApproved && (await policyOf(tx, userId)).onlyApprovedBrowsers) throw new AppError('MODE_REQUIRED')
    if (!onlyApproved) await requireApproved(tx, core, caller)
    checkMode(identityKey, userId, change)
    if (!isNextMode(changes, n)) throw new AppError('BROWSERS_CHANGED')
    await tx.run('update users set mode_changes = ?, mode_signature = ? where id = ?', [n, signature, userId])
    if (change.onlyApproved) await switchOn(tx, core, user, change)
    else await switchOff(tx, core, userId, change)
    const action = onlyApproved ? 'only_approved_on' : 'only_approved_off'
    await notifyAccountChange(tx, call, action)
    await audit(tx, { action, actorId: userId, targetId: userId, address, at: core.clock.now() })
    tx.afterCommit(() => {
      core.db.emptyLogSoon()
      core.sockets.notify(userId, { type: 'browsers_changed' })
    })
  })
}
