import type { FastifyRequest } from 'fastify'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import { recordSecurityEvent } from '../../../core/audit/securityEvents.ts'
import { hashToken } from '../../../core/sessions/tokens.ts'
import { readDevice } from '../../session/device.ts'
import { type LockKey, unknownNameKey } from '../../session/locks.ts'
import { raiseAlert } from '../alerts/queue.ts'
import { deleteOldDevices, insertDevice, selectDevice } from './queries.ts'

const maxDevices = 20

/**
 * The counter for failed sign-ins as the founder. A browser that the founder has signed in with has its own; all other
 * browsers share one, so that a stranger cannot lock the founder out. A wrong username is counted like the right one.
 */
export async function lockKeyOf(core: Core, request: FastifyRequest, username: string): Promise<LockKey> {
  const device = readDevice(core, request)
  const hashed = device === undefined ? '' : hashToken(device)
  const isKnown = (await selectDevice(core.db.read, hashed)) !== undefined
  const own: LockKey = { purpose: 'founder', account: 'founder', device: isKnown ? hashed : '' }
  if (username === core.config.founder.username) return own
  return { purpose: 'founder', account: unknownNameKey(core, username), device: '' }
}

/** Records that the founder signed in with this browser; keeps only the browsers seen last. */
export async function saveDevice(tx: Tx, device: string, now: number): Promise<void> {
  await insertDevice(tx, hashToken(device), now)
  await deleteOldDevices(tx, maxDevices)
}

/** Records a failed attempt, and the lock it caused, for the monitoring rules; `account` is that of its LockKey. */
export function recordFailure(
  core: Core,
  type: 'failed_founder_sign_in' | 'failed_founder_second_factor' | 'failed_founder_password_check',
  { locks, account, address }: { locks: boolean; account: string; address: string },
): Promise<void> {
  const at = core.clock.now()
  return core.db.write(async (tx) => {
    await recordSecurityEvent(tx, { type, severity: 'medium', at, address })
    tx.afterCommit(() => core.bus.publish('signalsStored', {}))
    if (!locks) return
    await recordSecurityEvent(tx, { type: 'founder_locked', severity: 'high', at, address })
    // If another name was typed, only the address is known.
    const userId = account === 'founder' ? account : undefined
    await raiseAlert(tx, core, { type: 'account_locked', userId, address })
  })
}
