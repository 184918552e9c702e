import type { OrganizationUser } from '@privity/contract/organization'
import type { Role } from '@privity/contract/session'
import type { Core } from '../../../core/core.ts'
import type { Caller } from '../../../core/http/guards.ts'
import { deleteUser } from '../../account/deletion.ts'
import { requireConfirmed } from '../../secondFactor/sessionConfirmation.ts'
import { completeUserChange, notifyContactsOfStatus, unlockUser } from './userChange.ts'
import { revokeInvitationsBy } from '../invitations/invitations.ts'
import { checkNotLastSuperAdmin } from '../roles/lastSuperAdmin.ts'
import { listUser } from './userList.ts'
import { getAdministrator, checkCanManageRole, checkIsSuperAdmin, getManagedUser } from '../roles/permissions.ts'

/**
 * A deactivated user cannot sign in or send, and contacts see them as unavailable. Deactivating must be quick;
 * activating gives a person access again, so it needs a confirmed session.
 */
export function setStatus(core: Core, caller: Caller, userId: string, isActive: boolean): Promise<OrganizationUser> {
  return core.db.write(async (tx) => {
    const administrator = await getAdministrator(tx, caller)
    const user = await getManagedUser(tx, administrator, userId)
    const after = { ...user, is_active: isActive ? 1 : 0 }
    if (user.is_active === after.is_active) return listUser(tx, user, core.clock.now())
    if (isActive) await requireConfirmed(tx, core, caller)
    else {
      await checkNotLastSuperAdmin(tx, user)
      await revokeInvitationsBy(tx, core, user, 'all')
    }
    await tx.run('update users set is_active = ? where id = ?', [after.is_active, userId])
    const change = isActive
      ? ({ action: 'user_activated', before: false, after: true } as const)
      : ({ action: 'user_deactivated', before: true, after: false, reason: 'deactivated' } as const)
    await completeUserChange(tx, core, { actorId: caller.userId, address: caller.address }, user, change)
    notifyContactsOfStatus(tx, core, userId)
    return listUser(tx, after, core.clock.now())
  })
}

export function setRole(core: Core, caller: Caller, userId: string, role: Role): Promise<OrganizationUser> {
  return core.db.write(async (tx) => {
    const administrator = await getAdministrator(tx, caller)
    checkIsSuperAdmin(administrator)
    const user = await getManagedUser(tx, administrator, userId)
    checkCanManageRole(administrator, role)
    if (user.role === role) return listUser(tx, user, core.clock.now())
    if (role !== 'super_admin') await checkNotLastSuperAdmin(tx, user)
    await requireConfirmed(tx, core, caller)
    await tx.run('update users set role = ? where id = ?', [role, userId])
    await revokeInvitationsBy(tx, core, { ...user, role }, 'aboveRole')
    await completeUserChange(tx, core, { actorId: caller.userId, address: caller.address }, user, {
      action: 'user_role_changed',
      before: user.role,
      after: role,
      reason: `role_${role}`,
    })
    return listUser(tx, { ...user, role }, core.clock.now())
  })
}

/**
 * Deletes the failed sign-ins counted against a user; without any it writes no entry. Needs a confirmed session: a
 * stolen one could otherwise reset the count of guesses for as long as it lives.
 */
export function unlock(core: Core, caller: Caller, userId: string): Promise<OrganizationUser> {
  return core.db.write(async (tx) => {
    const user = await getManagedUser(tx, await getAdministrator(tx, caller), userId)
    await requireConfirmed(tx, core, caller)
    await unlockUser(tx, core, { actorId: caller.userId, address: caller.address }, user)
    return listUser(tx, user, core.clock.now())
  })
}

export async function removeUser(core: Core, caller: Caller, userId: string): Promise<void> {
  const { userId: actorId, address } = caller
  await deleteUser(core, { userId, actorId, address, action: 'user_deleted' }, (remove) =>
    core.db.write(async (tx) => {
      const user = await getManagedUser(tx, await getAdministrator(tx, caller), userId)
      await checkNotLastSuperAdmin(tx, user)
      await requireConfirmed(tx, core, caller)
      return remove(tx)
    }),
  )
}
