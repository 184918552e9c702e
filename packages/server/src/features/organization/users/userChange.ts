import type { EndReason } from '@privity/contract/events'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'
import { notifyContacts } from '../../connections/contacts.ts'
import { resetLocks } from '../../session/locks.ts'
import { notifyAdministrators } from '../roles/notifyAdministrators.ts'

export interface UserChange {
  action: 'user_activated' | 'user_deactivated' | 'user_role_changed' | 'user_suspended' | 'user_unsuspended'
  before: string | boolean
  after: string | boolean
  /** The reason shown in the user's open sessions. */
  reason?: EndReason
}

/** The actor of a change to another person's account. */
export interface Author {
  /** A user's id, or 'founder'. */
  actorId: string
  address: string
}

/** Completes a change of another person's account: ends its sessions, so that the change takes effect at once. */
export async function completeUserChange(
  tx: Tx,
  core: Core,
  { actorId, address }: Author,
  user: UserRow,
  { action, before, after, reason }: UserChange,
): Promise<void> {
  await core.sessions.end(tx, user.id, 'all', reason)
  await audit(tx, { action, actorId, targetId: user.id, address, details: { before, after }, at: core.clock.now() })
  notifyAdministrators(tx, core, user.organization_id)
}

/** Once the change is durable, contacts see whether they can write to the user. */
export function notifyContactsOfStatus(tx: Tx, core: Core, userId: string): void {
  tx.afterCommit(() => core.background.run('status', () => notifyContacts(core, userId)))
}

/**
 * Lets the user sign in again at once, from anywhere: deletes the failure counters of strangers and of each of the
 * user's browsers. Writes no entry if there is none (a lock ends by itself).
 */
export async function unlockUser(tx: Tx, core: Core, { actorId, address }: Author, user: UserRow): Promise<void> {
  const { counters, lockedUntil } = await resetLocks(tx, user.id)
  if (counters === 0) return
  const details = { counters, before: lockedUntil, after: null }
  await audit(tx, { action: 'account_unlocked', actorId, targetId: user.id, address, details, at: core.clock.now() })
  notifyAdministrators(tx, core, user.organization_id)
}
