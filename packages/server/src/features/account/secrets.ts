import { hash, timingSafeEqual } from 'node:crypto'
import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { KeyReplacement } from '@privity/contract/keys'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { hashProof } from '../keys/epochs.ts'
import { requireKeys } from '../keys/keys.ts'
import { checkReplacement, replaceKeys } from '../keys/replacement.ts'
import { type Asked, confirming } from '../secondFactor/confirmation.ts'
import { forgetOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { forgetLocks } from '../session/locks.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { tellOfChange } from '../organization/roles/notifyAdministrators.ts'
import { tellChange } from '../session/accountChangeNotice.ts'
import { type NewSession, startSession } from '../session/startSession.ts'
import { replacePassword, replaceRecoveryKey } from './queries.ts'
import { settleRecoveryKey } from './savedRecoveryKey.ts'

/** The session of the call, which continues; `token` is undefined where another tab has just renewed it. */
interface Renewed {
  id: string
  token: string | undefined
}

type PasswordChange = Received<typeof contract.changePassword>['body']
type RecoveryRenewal = Received<typeof contract.renewRecoveryKey>['body']

/** A password change must neither lose the wrapped account key nor add one to an account without keys. */
function checkWrap(user: UserRow, { wrappedAccountKey, replacement }: PasswordChange): void {
  const brings = wrappedAccountKey !== undefined || replacement !== undefined
  if (user.identity_key === null && brings) throw new AppError('NO_KEYS')
  if (user.identity_key !== null && wrappedAccountKey === undefined) {
    const details = [{ path: 'wrappedAccountKey', message: 'The account key must be wrapped under the new password.' }]
    throw new AppError('INVALID_INPUT', { details })
  }
}

/** Refuses a wrap made before another tab replaced the keys: nothing would open the account. */
function checkWrapped(user: UserRow, identityKey: string | undefined): void {
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
  const sealed = wrapped === undefined ? null : core.secrets.sealAtRest(wrapped)
  await replacePassword(tx, userId, password, sealed, core.clock.now())
  tx.afterCommit(core.db.emptyLogSoon)
}

/**
 * Refuses new keys under the old password: it would still open the old wrap, which anyone who kept it could give to a
 * browser that knows no other. Compares in constant time, because a verifier is as good as a password.
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
async function endOthers(
  tx: Tx,
  { core, request, caller }: Asked,
  { replacement }: PasswordChange,
): Promise<NewSession | Renewed> {
  const { userId } = caller
  if (replacement === undefined) {
    await core.sessions.end(tx, userId, { except: caller.sessionId })
    await forgetOtherDevices(tx, userId, await knownDevice(tx, userId, readDevice(core, request)))
    return { id: caller.sessionId, token: await core.sessions.renew(tx, caller) }
  }
  await core.sessions.end(tx, userId, 'all')
  await forgetOtherDevices(tx, userId, '')
  return startSession(tx, core, request, userId, { renewed: true })
}

/**
 * Replaces verifier and wrap, or all keys, and ends every other session, in one transaction. Refuses the later of two
 * concurrent changes: the password it proved is no longer the current one. Returns the session to continue with.
 */
export async function changePassword(asked: Asked, change: PasswordChange): Promise<NewSession | Renewed> {
  const { core, caller } = asked
  const { currentPassword, newPassword, passwordVersion, wrappedAccountKey, identityKey, replacement, ...proof } =
    change
  const { user: proven, run } = await confirming(asked, { password: currentPassword, ...proof })
  checkNewPassword(change)
  checkWrap(proven, change)
  const giveBack = replacement && admitReplacement(asked, replacement)
  const passwordHash = await core.passwords.hash(newPassword)
  const changed = run(async (tx, user) => {
    const { id } = user
    if (replacement === undefined) checkWrapped(user, identityKey)
    else {
      await replaceKeys(tx, core, caller, user, replacement)
      await settleRecoveryKey(tx, core, id)
    }
    // Someone else may have created them with a stolen session or password; an invitation does not record its session.
    if (await revokeInvitationsBy(tx, core, user, 'all')) tellOfChange(tx, core, user.organization_id)
    await storePassword(tx, core, id, { passwordHash, passwordVersion, wrappedAccountKey })
    const session = await endOthers(tx, asked, change)
    await forgetLocks(tx, id)
    const told = replacement === undefined ? 'password_changed' : 'keys_replaced'
    await tellChange(tx, { ...asked, caller: { ...caller, sessionId: session.id } }, told)
    const { address } = caller
    await audit(tx, { action: 'password_changed', actorId: id, targetId: id, address, at: core.clock.now() })
    return session
  })
  if (giveBack) changed.catch(giveBack)
  return changed
}

/**
 * Key replacement is rate limited, because it asks every contact to compare again. Returns the function that releases
 * the slot if the change fails.
 */
function admitReplacement({ core, caller }: Asked, replacement: KeyReplacement): () => void {
  checkReplacement(core, caller.userId, replacement)
  return core.rates.take('keyReplacement', caller.userId)
}

/** Once this is durable, only the new recovery key opens the account. */
export async function renewRecoveryKey(asked: Asked, renewal: RecoveryRenewal): Promise<void> {
  const { core, caller } = asked
  const { recoveryProof, recoveryWrappedAccountKey, identityKey, ...confirmation } = renewal
  const { user: proven, run } = await confirming(asked, confirmation)
  requireKeys(proven)
  await run(async (tx, user) => {
    checkWrapped(user, identityKey)
    const { id } = user
    const wrapped = core.secrets.sealAtRest(recoveryWrappedAccountKey)
    await replaceRecoveryKey(tx, id, hashProof(core, recoveryProof), wrapped)
    await settleRecoveryKey(tx, core, id)
    await tellChange(tx, asked, 'recovery_key_renewed')
    const { address } = caller
    await audit(tx, { action: 'recovery_key_renewed', actorId: id, targetId: id, address, at: core.clock.now() })
    tx.afterCommit(core.db.emptyLogSoon)
  })
}
