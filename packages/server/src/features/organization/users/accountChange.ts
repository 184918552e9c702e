import type { EndReason } from '@privity/contract/events'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Tx } from '../../../core/database/types.ts'
import type { UserRow } from '../../../core/database/tables/users.ts'
import { notifyContacts } from '../../connections/contacts.ts'
import { tellOfChange } from '../roles/notifyAdministrators.ts'

export interface Change {
  action: 'user_activated' | 'user_deactivated' | 'user_role_changed' | 'user_suspended' | 'user_unsuspended'
  before: string | boolean
  after: string | boolean
  /** The reason shown in the user's open sessions. */
  reason?: EndReason
}

/** The author of the change: a user's id, or 'founder'. */
export interface By {
  actorId: string
  address: string
}

/** Completes a change of another person's account: ends its sessions, so that the change takes effect at once. */
export async function finishChange(
  tx: Tx,
  core: Core,
  { actorId, address }: By,
  user: UserRow,
  { action, before, after, reason }: Change,
): Promise<void> {
  await core.sessions.end(tx, user.id, 'all', reason)
  await audit(tx, { action, actorId, targetId: user.id, address, details: { before, after }, at: core.clock.now() })
  tellOfChange(tx, core, user.organization_id)
}

/** Once the change is durable, contacts see whether they can write to the user. */
export function tellContactsOfStatus(tx: Tx, core: Core, userId: string): void {
  tx.afterCommit(() => core.background.run('status', () => notifyContacts(core, userId)))
}
