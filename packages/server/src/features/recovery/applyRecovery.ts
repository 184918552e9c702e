import type { FastifyRequest } from 'fastify'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/db.ts'
import { storePassword } from '../account/secrets.ts'
import type { ProposedPassword } from '../secondFactor/proposal.ts'
import { forgetOtherDevices, knownDevice, readDevice } from '../session/device.ts'
import { forgetLocks } from '../session/locks.ts'

/**
 * The lost password may be known to somebody: nothing signed in with it stays, and no browser stays known but this
 * one, if it was.
 */
async function endEverything(tx: Tx, core: Core, request: FastifyRequest, userId: string): Promise<void> {
  await core.sessions.end(tx, userId, 'all')
  await forgetOtherDevices(tx, userId, await knownDevice(tx, userId, readDevice(core, request)))
  await forgetLocks(tx, userId)
}

/** Puts the new password in force, for a transaction in which recovery key and second factor have been shown. */
export async function applyRecovery(
  tx: Tx,
  core: Core,
  request: FastifyRequest,
  userId: string,
  password: ProposedPassword,
): Promise<void> {
  await endEverything(tx, core, request, userId)
  await storePassword(tx, core, userId, password)
  await audit(tx, { action: 'password_recovered', actorId: userId, address: request.ip, at: core.clock.now() })
}
