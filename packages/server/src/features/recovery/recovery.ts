import type { FastifyRequest } from 'fastify'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { recovery as contract } from '@privity/contract/recovery'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/schema.ts'
import type { Tx } from '../../core/db.ts'
import { storePassword } from '../account/secrets.ts'
import { isProof } from '../keys/epochs.ts'
import { requireKeys } from '../keys/keys.ts'
import { askSecondFactor, type Waiting } from '../secondFactor/ticket.ts'
import { forgetOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { forgetLocks, recordFailure } from '../session/locks.ts'
import { refuseUnavailable, type SignedIn } from '../session/signIn.ts'
import { startSession } from '../session/startSession.ts'
import { findUserByName, getUser, toUser } from '../session/users.ts'

/**
 * Checks possession of the recovery key. Its 256 bits cannot be guessed, so wrong proofs lock nothing
 * (anybody could keep the owner out that way); they count against the address, as signing in does.
 */
async function prove(
  core: Core,
  request: FastifyRequest,
  { username, recoveryProof }: { username: string; recoveryProof: string },
): Promise<UserRow> {
  const user = await findUserByName(core.db.read, username)
  if (!isProof(core, recoveryProof, user?.recovery_proof_hash) || user === undefined) {
    await recordFailure(core, 'failed_recovery', { locks: false, userId: user?.id, address: request.ip })
    throw new AppError('RECOVERY_REFUSED')
  }
  return user
}

export async function startRecovery(
  core: Core,
  request: FastifyRequest,
  given: Received<typeof contract.start>['body'],
): Promise<Result<typeof contract.start>> {
  const user = await prove(core, request, given)
  await core.db.write((tx) =>
    audit(tx, { action: 'recovery_started', actorId: user.id, address: request.ip, at: core.clock.now() }),
  )
  const { recovery_wrapped_account_key: wrapped } = requireKeys(user)
  return { userId: user.id, recoveryWrappedAccountKey: core.secrets.openAtRest(wrapped) }
}

/**
 * The lost password may be known to somebody: nothing signed in with it stays, and no browser stays known but this
 * one, if it was: its owner has still to show the second factor, and strangers' failures must not keep him from it.
 */
async function endEverything(tx: Tx, core: Core, request: FastifyRequest, userId: string): Promise<void> {
  await core.sessions.end(tx, userId, 'all')
  await forgetOtherDevices(tx, userId, await knownDevice(tx, userId, readDevice(core, request)))
  await forgetLocks(tx, userId)
}

/** The new password holds from then on; an account with a second factor is asked for it before it has a session. */
export async function finishRecovery(
  core: Core,
  request: FastifyRequest,
  given: Received<typeof contract.finish>['body'],
): Promise<SignedIn | Waiting> {
  core.passwords.admit()
  const user = await prove(core, request, given)
  const passwordHash = await core.passwords.hash(given.password)
  return core.db.write(async (tx) => {
    const current = await getUser(tx, user.id)
    if (current.recovery_proof_hash !== user.recovery_proof_hash) throw new AppError('RECOVERY_REFUSED')
    refuseUnavailable(current)
    await endEverything(tx, core, request, user.id)
    await storePassword(tx, core, user.id, { passwordHash, wrappedAccountKey: given.wrappedAccountKey })
    await audit(tx, { action: 'password_recovered', actorId: user.id, address: request.ip, at: core.clock.now() })
    const waiting = await askSecondFactor(tx, core, request, { ...current, password_hash: passwordHash })
    if (waiting !== undefined) return waiting
    const session = await startSession(tx, core, request, user.id)
    return { user: toUser(current), session }
  })
}
