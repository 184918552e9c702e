import { hash } from 'node:crypto'
import type { BrowserSeeds } from '@privity/contract/browsers'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { sealedSeedsBytes, signedApprovalBytes } from '@privity/contract/signedBytes'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { BrowserRow, UserRow } from '../../core/database/tables/users.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { networkOf } from '../../core/rateLimits/rateLimits.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import type { MemberCall } from '../secondFactor/confirmation.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { getUser } from '../session/users.ts'
import { requireApproved } from './approvedBrowsers.ts'
import {
  deleteComparison,
  replaceSealedSeeds,
  selectBrowserOfSession,
  selectSealedSeeds,
  setApproved,
} from './browserQueries.ts'
import { checkRecipients, findLiving } from './browserRenewal.ts'
import { getListed, getOwnListed } from './browsers.ts'
import { checkRecoveryProof } from './recoveryProof.ts'
import { requireKeys } from './requireKeys.ts'
import { decode, invalid, isSignedBy } from './signatures.ts'

/** Runs a step of a comparison; afterwards both browsers read the list again. */
const step = (core: Core, caller: Caller, work: (tx: Tx) => Promise<unknown>): Promise<void> =>
  core.db.write(async (tx) => {
    await checkSession(tx, caller)
    await work(tx)
    tx.afterCommit(() => core.sockets.notify(caller.userId, { type: 'browsers_changed' }))
  })

/** Begins a comparison in the place of one before it. Only the new browser itself can. */
export const startApproval = (core: Core, caller: Caller, browserId: string, commitment: string): Promise<void> =>
  step(core, caller, async (tx) => {
    await getOwnListed(tx, caller, browserId)
    await tx.run(
      `update browsers set commitment = ?, approval_started_at = ?, approver_id = null, approver_nonce = null,
         own_nonce = null where user_id = ? and browser_id = ?`,
      [commitment, core.clock.now(), caller.userId, browserId],
    )
  })

/** Throws APPROVAL_ENDED where the comparison of this commitment is over, or another has begun. */
function checkOpen({ clock }: Core, row: BrowserRow, commitment: string): void {
  const isOpen = row.commitment === commitment && (row.approval_started_at ?? 0) + limits.browserApproval > clock.now()
  if (!isOpen) throw new AppError('APPROVAL_ENDED')
}

/** Stores the nonce of the approving browser. The first counts: a later one would search for a code. */
export const answerApproval = (
  core: Core,
  caller: Caller,
  browserId: string,
  { commitment, approverId, nonce }: { commitment: string; approverId: string; nonce: string },
): Promise<void> =>
  step(core, caller, async (tx) => {
    await getOwnListed(tx, caller, approverId)
    await requireApproved(tx, core, caller)
    const row = await getListed(tx, caller.userId, browserId)
    checkOpen(core, row, commitment)
    if (row.approver_id !== null || browserId === approverId) throw new AppError('APPROVAL_ENDED')
    await tx.run('update browsers set approver_id = ?, approver_nonce = ? where user_id = ? and browser_id = ?', [
      approverId,
      nonce,
      caller.userId,
      browserId,
    ])
  })

/** Stores the nonce of the new browser, once the other one has drawn its own. */
export const revealApproval = (
  core: Core,
  caller: Caller,
  browserId: string,
  { commitment, nonce }: { commitment: string; nonce: string },
): Promise<void> =>
  step(core, caller, async (tx) => {
    const row = await getOwnListed(tx, caller, browserId)
    checkOpen(core, row, commitment)
    if (row.approver_id === null) throw new AppError('APPROVAL_ENDED')
    await tx.run('update browsers set own_nonce = ? where user_id = ? and browser_id = ?', [
      nonce,
      caller.userId,
      browserId,
    ])
  })

/**
 * Ends a comparison. Only a session of the browser to be approved, or of an approved one, may do so. No step of a
 * comparison needs the signature of a browser: somebody with a stolen cookie can only disturb it, as they could by
 * signing that session out. An approval takes the identity key, and the same digits in both browsers.
 */
export const endApproval = (core: Core, caller: Caller, browserId: string): Promise<void> =>
  step(core, caller, async (tx) => {
    await getListed(tx, caller.userId, browserId)
    const isOwn = (await selectBrowserOfSession(tx, caller.sessionId)) === browserId
    if (!isOwn) await requireApproved(tx, core, caller)
    await deleteComparison(tx, caller.userId, browserId)
  })

/** Checks the recovery key with which a browser approves itself; the attempts are limited as those of a recovery. */
async function checkOwnRecoveryKey({ core, caller, request }: MemberCall, proof: string): Promise<UserRow> {
  const { userId: account, address } = caller
  core.rates.take('signIn', networkOf(request.ip))
  return checkRecoveryProof(core, proof, { user: await getUser(core.db.read, account), account, address })
}

/**
 * The one rule of who approves a browser: one that is approved, or the browser itself, by the recovery key. The
 * identity key is not enough: the password opens it.
 */
async function authorizeApproval(
  tx: Tx,
  { core, caller }: MemberCall,
  browserId: string,
  proven: UserRow | undefined,
): Promise<void> {
  if (proven === undefined) return requireApproved(tx, core, caller)
  await getOwnListed(tx, caller, browserId)
  const { recovery_proof_hash: current } = await getUser(tx, caller.userId)
  if (current !== proven.recovery_proof_hash) throw new AppError('RECOVERY_REFUSED')
}

/** Stores the seeds of living epochs that are sealed to a browser whose entry still has this number. */
export async function approveBrowser(call: MemberCall, browserId: string, approval: BrowserSeeds): Promise<void> {
  const { core, caller } = call
  const { n, seeds, signature, recoveryProof } = approval
  const proven = recoveryProof === undefined ? undefined : await checkOwnRecoveryKey(call, recoveryProof)
  return step(core, caller, async (tx) => {
    const { userId, address } = caller
    const row = await getListed(tx, userId, browserId)
    const { identity_key: identityKey } = requireKeys(await getUser(tx, userId))
    const seedsHash = hash('sha256', sealedSeedsBytes(seeds, decode), 'buffer')
    const signed = signedApprovalBytes(identityKey, { userId, browserId, n, seedsHash }, decode)
    if (!isSignedBy(identityKey, signed, signature))
      throw invalid('signature', 'The identity key did not sign the approval.')
    await authorizeApproval(tx, call, browserId, proven)
    if (row.n !== n) throw new AppError('BROWSERS_CHANGED')
    checkRecipients(seeds, [browserId])
    await replaceSealedSeeds(tx, userId, await findLiving(tx, core, userId), seeds)
    const at = core.clock.now()
    await setApproved(tx, userId, browserId, at)
    await deleteComparison(tx, userId, browserId)
    // Where it was approved before, it only gets seeds that it lacked.
    if (row.approved_at === null) await notifyAccountChange(tx, call, 'browser_approved')
    const details = { browser: row.name }
    await audit(tx, { action: 'browser_approved', actorId: userId, targetId: userId, address, details, at })
  })
}

/** The seeds sealed to the pair of the recovery key. */
export async function listRecoverySeeds({ db }: Core, { userId }: Caller): Promise<{ n: number; sealed: string }[]> {
  requireKeys(await getUser(db.read, userId))
  return (await selectSealedSeeds(db.read, userId, userId)).map(({ n, sealed }) => ({ n, sealed }))
}
