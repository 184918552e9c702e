import type { FastifyRequest } from 'fastify'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { recovery as contract } from '@privity/contract/recovery'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { UserRow } from '../../core/database/tables/users.ts'
import { checkRecoveryProof } from '../keys/recoveryProof.ts'
import { requireKeys } from '../keys/requireKeys.ts'
import { issueTicket, type AwaitingSecondFactor } from '../secondFactor/ticket.ts'
import { accountKey } from '../session/locks.ts'
import { requireAvailable, type SignedIn } from '../session/signIn.ts'
import { startSession } from '../session/startSession.ts'
import { findUserByName, getUser, toUser } from '../session/users.ts'
import { applyRecovery, notifyRecovered } from './applyRecovery.ts'

async function findRecoveringUser(
  core: Core,
  request: FastifyRequest,
  { username, recoveryProof }: { username: string; recoveryProof: string },
): Promise<UserRow> {
  const user = await findUserByName(core.db.read, username)
  return checkRecoveryProof(core, recoveryProof, {
    user,
    account: accountKey(core, user, username),
    address: request.ip,
  })
}

export async function startRecovery(
  core: Core,
  request: FastifyRequest,
  body: Received<typeof contract.start>['body'],
): Promise<Result<typeof contract.start>> {
  const user = await findRecoveringUser(core, request, body)
  await core.db.write((tx) =>
    audit(tx, { action: 'recovery_started', actorId: user.id, address: request.ip, at: core.clock.now() }),
  )
  const { recovery_wrapped_account_key: wrapped } = requireKeys(user)
  return { userId: user.id, recoveryWrappedAccountKey: core.secrets.decryptAtRest(wrapped) }
}

/**
 * Puts the new password in force. If a second factor is on, the password waits for it, and until then nothing changes:
 * the recovery key alone must not lock the owner out.
 */
export async function finishRecovery(
  core: Core,
  request: FastifyRequest,
  body: Received<typeof contract.finish>['body'],
): Promise<SignedIn | AwaitingSecondFactor> {
  core.passwords.assertCapacity()
  const user = await findRecoveringUser(core, request, body)
  const passwordHash = await core.passwords.hash(body.password)
  return core.db.write(async (tx) => {
    const current = await getUser(tx, user.id)
    if (current.recovery_proof_hash !== user.recovery_proof_hash) throw new AppError('RECOVERY_REFUSED')
    requireAvailable(current)
    const { passwordVersion, wrappedAccountKey } = body
    const password = { passwordHash, passwordVersion, wrappedAccountKey }
    const awaiting = await issueTicket(tx, core, request, current, password)
    if (awaiting !== undefined) return awaiting
    await applyRecovery(tx, core, request, user.id, password)
    const session = await startSession(tx, core, request, user.id, { sharedComputer: body.sharedComputer })
    await notifyRecovered(tx, core, request, user.id, session)
    return { user: toUser(await getUser(tx, user.id)), session }
  })
}
