import type { FastifyRequest } from 'fastify'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import { settleRecoveryKey } from '../account/savedRecoveryKey.ts'
import { storePassword } from '../account/secrets.ts'
import { revokeInvitationsBy } from '../organization/invitations/invitations.ts'
import { tellOfChange } from '../organization/roles/notifyAdministrators.ts'
import type { ProposedPassword } from '../secondFactor/pendingPassword.ts'
import { forgetOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { forgetLocks } from '../session/locks.ts'
import type { NewSession } from '../session/startSession.ts'
import { tellChange } from '../session/accountChangeNotice.ts'
import { getUser } from '../session/users.ts'

/**
 * The lost password may be known to somebody: nothing signed in with it stays, and no browser stays known but this
 * one, if it was.
 */
async function endEverything(tx: Tx, core: Core, request: FastifyRequest, userId: string): Promise<void> {
  await core.sessions.end(tx, userId, 'all')
  await forgetOtherDevices(tx, userId, await knownDevice(tx, userId, readDevice(core, request)))
  await forgetLocks(tx, userId)
}

/**
 * Puts the new password in force, for a transaction in which recovery key and second factor have been shown. Whoever
 * knew the one before may have made invitations with it.
 */
export async function applyRecovery(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  password: ProposedPassword,
): Promise<void> {
  const user = await getUser(tx, userId)
  const revoked = await revokeInvitationsBy(tx, core, user, 'all')
  if (revoked) tellOfChange(tx, core, user.organization_id)
  await endEverything(tx, core, request, userId)
  await storePassword(tx, core, userId, password)
  await settleRecoveryKey(tx, core, userId)
  await audit(tx, {
    action: 'password_recovered',
    actorId: userId,
    address: request.ip,
    ...(revoked && { details: { invitationsRevoked: true } }),
    at: core.clock.now(),
  })
}

/** Once the session that follows is started: to that one it is no news. */
export const tellRecovered = (
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  { id: sessionId }: NewSession,
): Promise<void> =>
  tellChange(tx, { core, request, caller: { userId, sessionId, address: request.ip } }, 'password_recovered')
