import type { account as contract } from '@privity/contract/account'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { audit } from '../../core/audit.ts'
import type { UserRow } from '../../core/schema.ts'
import { hashProof } from '../keys/epochs.ts'
import { requireKeys } from '../keys/keys.ts'
import { type Asked, confirming } from '../secondFactor/confirm.ts'
import { forgetOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { forgetLocks } from '../session/locks.ts'
import { replacePassword, replaceRecoveryKey } from './queries.ts'

type PasswordChange = Received<typeof contract.changePassword>['body']
type RecoveryRenewal = Received<typeof contract.renewRecoveryKey>['body']

/** Keys must not be lost over a new password, nor appear with it. */
function checkWrap(user: UserRow, { wrappedAccountKey }: PasswordChange): void {
  if (user.identity_key === null && wrappedAccountKey !== undefined) throw new AppError('NO_KEYS')
  if (user.identity_key !== null && wrappedAccountKey === undefined) {
    const details = [{ path: 'wrappedAccountKey', message: 'The account key must be wrapped under the new password.' }]
    throw new AppError('INVALID_INPUT', { details })
  }
}

/**
 * Replaces verifier and wrap, and ends every other session with its sockets, in one transaction. Of two
 * changes at once one is refused: the password it proved is not the password any more.
 */
export async function changePassword(asked: Asked, change: PasswordChange): Promise<void> {
  const { core, request, caller } = asked
  const { currentPassword, newPassword, wrappedAccountKey: wrapped, ...proof } = change
  const { user: proven, run } = await confirming(asked, { password: currentPassword, ...proof })
  checkWrap(proven, change)
  const passwordHash = await core.passwords.hash(newPassword)
  await run(async (tx, { id }) => {
    await replacePassword(tx, id, passwordHash, wrapped === undefined ? null : core.secrets.sealAtRest(wrapped))
    await core.sessions.end(tx, id, { except: caller.sessionId })
    await forgetOtherDevices(tx, id, await knownDevice(tx, id, readDevice(core, request)))
    await forgetLocks(tx, id)
    const { address } = caller
    await audit(tx, { action: 'password_changed', actorId: id, targetId: id, address, at: core.clock.now() })
    tx.afterCommit(core.db.emptyLogSoon)
  })
}

/** From the moment it is durable only the new recovery key opens anything. */
export async function renewRecoveryKey(asked: Asked, renewal: RecoveryRenewal): Promise<void> {
  const { core, caller } = asked
  const { recoveryProof, recoveryWrappedAccountKey, ...confirmation } = renewal
  const { user: proven, run } = await confirming(asked, confirmation)
  requireKeys(proven)
  await run(async (tx, { id }) => {
    const wrapped = core.secrets.sealAtRest(recoveryWrappedAccountKey)
    await replaceRecoveryKey(tx, id, hashProof(core, recoveryProof), wrapped)
    const { address } = caller
    await audit(tx, { action: 'recovery_key_renewed', actorId: id, targetId: id, address, at: core.clock.now() })
    tx.afterCommit(core.db.emptyLogSoon)
  })
}
