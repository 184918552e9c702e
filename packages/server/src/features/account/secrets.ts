import { hash, timingSafeEqual } from 'node:crypto'
import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { countSuccess } from '../../core/rateLimits/outcomes.ts'
import { requireApproved } from '../keys/approvedBrowsers.ts'
import { replaceRecoverySeeds } from '../keys/browserRenewal.ts'
import { checkRecoveryPair } from '../keys/epochs.ts'
import { hashProof } from '../keys/recoveryProof.ts'
import { requireKeys } from '../keys/requireKeys.ts'
import { checkReplacement, replaceKeys } from '../keys/replacement.ts'
import { type MemberCall, checkConfirmation } from '../secondFactor/confirmation.ts'
import { endSetups } from '../secondFactor/enrollment.ts'
import { deleteOtherDevices, knownDevice, readDevice, recordDevice } from '../session/device.ts'
import { resetLocksOfUser } from '../session/locks.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { notifyAdministrators } from '../organization/roles/notifyAdministrators.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import { type NewSession, startSession } from '../session/startSession.ts'
import { replacePassword, replaceRecoveryKey } from './queries.ts'
import { markRecoveryKeySaved } from './savedRecoveryKey.ts'

/** The session of the call, which continues; `token` is undefined if another tab has just renewed it. */
interface RenewedSession {
  id: string
  token: string | undefined
}

type PasswordChange = Received<typeof contract.changePassword>['body']
type RecoveryRenewal = Received<typeof contract.renewRecoveryKey>['body']

/** A password change must neither lose the wrapped account key nor add one to an account without keys. */
function checkHasWrap(user: UserRow, { wrappedAccountKey, replacement }: PasswordChange): void {
  const hasWrap = wrappedAccountKey !== undefined || replacement !== undefined
  if (user.identity_key === null && hasWrap) throw new AppError('NO_KEYS')
  if (user.identity_key !== null && wrappedAccountKey === undefined) {
    const details = [{ path: 'wrappedAccountKey', message: 'The account key must be wrapped under the new password.' }]
    throw new AppError('INVALID_INPUT', { details })
  }
}

/** Refuses a wrap made before another tab replaced the keys: nothing could unlock the account any more. */
function checkWrapIsCurrent(user: UserRow, identityKey: string | undefined): void {
  if (user.identity_key !== (identityKey ?? null)) throw new AppError('STALE_VERSION')
}

/** Stores a password in a transaction that has authorized it: a password change or a recovery. */
export async function storePassword(
  tx: Tx,
  core: Core,
  userId: string,
  password: { passwordHash: string; passwordVersion: number; wrappedAccountKey: string | undefined },
): Promise<void> {
  const { wrappedAccountKey: wrapped } = password
  const encrypted = wrapped === undefined ? null : core.secrets.encryptAtRest(wrapped)
  await replacePassword(tx, userId, password, encrypted, core.clock.now())
  tx.afterCommit(core.db.emptyLogSoon)
}

/**
 * Refuses a key replacement that keeps the password: that would still open the former wrapped account key, and anyone
 * who kept this could serve it to a browser that does not know the new keys. Compares in constant time, because a
 * verifier is as good as a password.
 */
function checkNewPassword({ currentPassword, newPassword, replacement }: PasswordChange): void {
  if (replacement === undefined) return
  const [current, next] = [currentPassword, newPassword].map((verifier) => hash('sha256', verifier, 'buffer'))
  if (timingSafeEqual(current as Buffer, next as Buffer)) throw new AppError('PASSWORD_UNCHANGED')
}

/**
 * Ends every other session with its sockets and renews this session's token. After a key replacement this session ends
 * too, because someone else may hold what this browser holds: it continues as a new session, under a cookie that only
 * this response carries.
 */
async function endOtherSessions(
  tx: Tx,
  { core, request, caller }: MemberCall,
  { replacement, keyShare }: PasswordChange,
): Promise<NewSession | RenewedSession> {
  const { userId } = caller
  if (replacement === undefined) {
    await core.sessions.end(tx, userId, { except: caller.sessionId })
    const device = readDevice(core, request)
    const known = await knownDevice(tx, userId, device)
    await deleteOtherDevices(tx, userId, known)
    // The next sign-in tells no failures before this: they were attempts at the old password.
    await recordDevice(tx, userId, core.clock.now(), known === '' ? undefined : device)
    return { id: caller.sessionId, token: await core.sessions.renew(tx, caller) }
  }
  await core.sessions.end(tx, userId, 'all')
  await deleteOtherDevices(tx, userId, '')
  return startSession(tx, core, request, userId, { isRenewed: true, keyShare })
}

/**
 * Replaces verifier and wrap, or all keys, and ends every other session, in one transaction. Refuses the later of two
 * concurrent changes: the password it proved is no longer the current one. Returns the session to continue with.
 */
export async function changePassword(call: MemberCall, change: PasswordChange): Promise<NewSession | RenewedSession> {
  const { core, caller } = call
  const { currentPassword, newPassword, passwordVersion, wrappedAccountKey, identityKey, ...more } = change
  const { replacement, keyShare: _share, ...proof } = more
  const { user: proven, run } = await checkConfirmation(call, { password: currentPassword, ...proof })
  checkNewPassword(change)
  checkHasWrap(proven, change)
  if (replacement !== undefined) checkReplacement(core, caller.userId, replacement)
  const store = async () => {
    const passwordHash = await core.passwords.hash(newPassword)
    return run(async (tx, user) => {
      const { id } = user
      if (replacement === undefined) checkWrapIsCurrent(user, identityKey)
      else {
        await replaceKeys(tx, core, caller, user, replacement)
        await markRecoveryKeySaved(tx, core, id)
      }
      // Someone else may have created them with a stolen session or password: an invitation does not record its
      // session.
      if (await revokeInvitationsBy(tx, core, user, 'all')) notifyAdministrators(tx, core, user.organization_id)
      await storePassword(tx, core, id, { passwordHash, passwordVersion, wrappedAccountKey })
      // Their start proved the former password, and this session goes on.
      await endSetups(tx, id)
      const session = await endOtherSessions(tx, call, change)
      await resetLocksOfUser(tx, id)
      const kind = replacement === undefined ? 'password_changed' : 'keys_replaced'
      await notifyAccountChange(tx, { ...call, caller: { ...caller, sessionId: session.id } }, kind)
      const { address } = caller
      await audit(tx, { action: 'password_changed', actorId: id, targetId: id, address, at: core.clock.now() })
      return session
    })
  }
  // New keys are limited, because every contact has to compare keys again.
  return countSuccess(core.rates, replacement ? [['keyReplacement', caller.userId]] : [], store)
}

/** Once this is durable, only the new recovery key opens the account. */
export async function renewRecoveryKey(call: MemberCall, renewal: RecoveryRenewal): Promise<void> {
  const { core, caller } = call
  const { recoveryProof, recovery, seeds, after, recoveryWrappedAccountKey, identityKey, ...confirmation } = renewal
  const { user: proven, run } = await checkConfirmation(call, confirmation)
  requireKeys(proven)
  await run(async (tx, user) => {
    checkWrapIsCurrent(user, identityKey)
    await requireApproved(tx, core, caller)
    const { id } = user
    checkRecoveryPair(identityKey, id, recovery)
    const wrapped = core.secrets.encryptAtRest(recoveryWrappedAccountKey)
    await replaceRecoveryKey(tx, id, hashProof(core, recoveryProof), recovery, wrapped)
    await replaceRecoverySeeds(tx, core, user, { seeds, after })
    await markRecoveryKeySaved(tx, core, id)
    await notifyAccountChange(tx, call, 'recovery_key_renewed')
    const { address } = caller
    await audit(tx, { action: 'recovery_key_renewed', actorId: id, targetId: id, address, at: core.clock.now() })
    tx.afterCommit(core.db.emptyLogSoon)
  })
}
