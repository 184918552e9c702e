import { AppError } from '@privity/contract/errors'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { requireMembership } from '../connections/membership.ts'
import { addNotification } from './notifications.ts'
import { selectKeyChange } from './queries.ts'

/**
 * Records a change that only a browser can find: the key the server gives for a contact is not the one the user
 * accepted. Only the caller's own contact and the key given now are accepted; each key is recorded once, in the
 * caller's own list.
 */
export function reportKeyChange(
  core: Core,
  caller: Caller,
  { connectionId, identityKey }: { connectionId: string; identityKey: string },
): Promise<void> {
  const { userId } = caller
  return core.db.write(async (tx) => {
    const { contactId } = await requireMembership(tx, connectionId, userId)
    const current = await tx.get('select 1 from users where id = ? and identity_key = ?', [contactId, identityKey])
    if (current === undefined) {
      const details = [{ path: 'identityKey', message: "This is not the contact's key." }]
      throw new AppError('INVALID_INPUT', { details })
    }
    if ((await selectKeyChange(tx, userId, connectionId, identityKey)) !== undefined) return
    await addNotification(tx, core, userId, { kind: 'key_changed', connectionId, peerId: contactId, identityKey })
    const details = { connectionId }
    await auditCall(tx, caller, { action: 'key_change_reported', targetId: contactId, details, at: core.clock.now() })
  })
}
