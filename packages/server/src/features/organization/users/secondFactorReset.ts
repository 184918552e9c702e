import type { OrganizationUser } from '@privity/contract/organization'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { emailTexts, mailMember } from '../../../core/mail/memberMail.ts'
import { recordSecurityEvent } from '../../../core/audit/securityEvents.ts'
import { addNotification } from '../../notifications/notifications.ts'
import { preferencesOf } from '../../preferences/preferences.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { removeSecondFactor, requireSecondFactor } from '../../secondFactor/disable.ts'
import { listUser } from './userList.ts'
import { getAdministrator, getManagedUser } from '../roles/permissions.ts'
import { notifyAdministrators } from '../roles/notifyAdministrators.ts'

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
    const { language } = await preferencesOf(tx, userId)
    const text = emailTexts[language].secondFactorReset(at)
    const mail = { to: user.email, ...text, account: userId, guarantee: 'second_factor_reset' } as const
    tx.afterCommit(() => mailMember(core, mail))
    return listUser(tx, user, at)
  })
}
