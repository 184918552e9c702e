import type { FastifyRequest } from 'fastify'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { markRecoveryKeySaved } from '../account/savedRecoveryKey.ts'
import { storePassword } from '../account/secrets.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { notifyAdministrators } from '../organization/roles/notifyAdministrators.ts'
import type { PendingPassword } from '../secondFactor/pendingPassword.ts'
import { deleteOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { resetLocksOfUser } from '../session/locks.ts'
import type { NewSession } from '../session/startSession.ts'
import { notifyAccountChange } from '../session/accountChangeNotice.ts'
import { getUser } from '../session/users.ts'

/** Someone may know the lost password: ends every session, and deletes every other known browser. */
async function endSessionsAndDevices(tx: Tx, core: Core, request: FastifyRequest, userId: string): Promise<void> {
  await core.sessions.end(tx, userId, 'all')
  await deleteOtherDevices(tx, userId, await knownDevice(tx, userId, readDevice(core, request)))
  await resetLocksOfUser(tx, userId)
}

/**
 * Puts the new password in force, in a transaction that has checked the recovery key and the second factor. Revokes
 * invitations: someone who knew the old password may have made them.
 */
export async function applyRecovery(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  password: PendingPassword,
): Promise<void> {
  const user = await getUser(tx, userId)
  const hasRevoked = await revokeInvitationsBy(tx, core, user, 'all')
  if (hasRevoked) notifyAdministrators(tx, core, user.organization_id)
  await endSessionsAndDevices(tx, core, request, userId)
  await storePassword(tx, core, userId, password)
  await markRecoveryKeySaved(tx, core, userId)
  await audit(tx, {
    action: 'password_recovered',
    actorId: userId,
    address: request.ip,
    ...(hasRevoked && { details: { invitationsRevoked: true } }),
    at: core.clock.now(),
  })
}

/** Call it once the next session has started: that session needs no notification. */
export const notifyRecovered = (
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  { id: sessionId }: NewSession,
): Promise<void> =>
  notifyAccountChange(tx, { core, request, caller: { userId, sessionId, address: request.ip } }, 'password_recovered')
