import type { OrganizationUser } from '@privity/contract/organization'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { mailMember } from '../../../core/mail/memberMail.ts'
import { recordSecurityEvent } from '../../../core/audit/securityEvents.ts'
import { addNotification } from '../../notifications/notifications.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { removeSecondFactor, requireSecondFactor } from '../../secondFactor/disable.ts'
import { listUser } from './userList.ts'
import { getAdministrator, getManagedUser } from '../roles/permissions.ts'
import { notifyAdministrators } from '../roles/notifyAdministrators.ts'

const emailText = (at: number) => `An administrator of your organization removed the second factors of your account.

Time: ${new Date(at).toUTCString()}

You are signed out everywhere and can now sign in with your password alone. Set up a second factor in Privity under
Privacy & Security. If you did not ask for this, change your password and contact your organization.
`

/**
 * Removes every factor of a member who has lost them all. Only the administrator can tell who asks for it, so the
 * member is notified regardless of preferences, and has to sign in again with the password, which only they know.
 */
export function resetSecondFactor(core: Core, caller: Caller, userId: string): Promise<OrganizationUser> {
  return core.db.write(async (tx) => {
    const user = await getManagedUser(tx, await getAdministrator(tx, caller), userId)
    await requireSecondFactor(tx, userId)
    // Comes before the first write: a later failure would undo everything that shares the transaction.
    await requireConfirmed(tx, core, caller)
    await removeSecondFactor(tx, core, userId)
    await core.sessions.end(tx, userId, 'all', 'second_factor_reset')
    const at = core.clock.now()
    const { userId: actorId, address } = caller
    await audit(tx, { action: 'user_second_factor_reset', actorId, targetId: userId, address, at })
    await recordSecurityEvent(tx, { type: 'second_factor_reset', severity: 'medium', at, userId, address })
    await addNotification(tx, core, userId, { kind: 'second_factor_reset' })
    notifyAdministrators(tx, core, user.organization_id)
    const subject = 'Your Privity second factor was removed'
    const mail = { to: user.email, subject, text: emailText(at), account: userId, isAboutChange: true }
    tx.afterCommit(() => mailMember(core, mail))
    return listUser(tx, user, at)
  })
}
