import { mutationOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationUser } from '@privity/contract/organization'
import type { Role } from '@privity/contract/session'
import { messageFor, toastError } from '../../../app/callError.ts'
import { fullName } from '../../../i18n/names.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { holdUsers, patchUser, refreshOrganization } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { withIdentity } from '../Reauthentication.tsx'

type Calls = Pick<Client, 'organization'>

async function show(user: OrganizationUser, part: Partial<OrganizationUser>): Promise<void> {
  await holdUsers()
  patchUser(user.id, (known) => ({ ...known, ...part }))
}

function takeBack(user: OrganizationUser, title: string, description: string): void {
  patchUser(user.id, () => user)
  toast({ title, description, tone: 'destructive' })
}

/** Updates optimistically; an error rolls back and shows a toast. */
export const statusChange = ({ organization }: Calls) =>
  mutationOptions({
    mutationFn: ({ user, isActive }: { user: OrganizationUser; isActive: boolean }) =>
      withIdentity(() => organization.setActive(user.id, isActive)),
    onMutate: ({ user, isActive }) => show(user, { isActive }),
    onSuccess(changed) {
      const texts = organizationTexts.changes
      const name = fullName(changed)
      patchUser(changed.id, () => changed)
      toast(
        changed.isActive
          ? { title: texts.activated, description: texts.activatedHint(name) }
          : { title: texts.deactivated, description: texts.deactivatedHint(name) },
      )
    },
    onError(error, { user }) {
      const texts = organizationTexts.changes
      takeBack(user, texts.statusFailed, messageFor(error, texts.statusFailedHint))
    },
    onSettled: refreshOrganization,
  })

/** Updates optimistically, like the status. */
export const roleChange = ({ organization }: Calls) =>
  mutationOptions({
    mutationFn: ({ user, role }: { user: OrganizationUser; role: Role }) =>
      withIdentity(() => organization.setRole(user.id, role)),
    onMutate: ({ user, role }) => show(user, { role }),
    onSuccess(changed) {
      const { changes: texts, roles } = organizationTexts
      patchUser(changed.id, () => changed)
      toast({ title: texts.roleUpdated, description: texts.roleUpdatedHint(fullName(changed), roles[changed.role]) })
    },
    onError(error, { user }) {
      const texts = organizationTexts.changes
      takeBack(user, texts.roleFailed, messageFor(error, texts.roleFailedHint))
    },
    onSettled: refreshOrganization,
  })

export const unlocking = ({ organization }: Calls) =>
  mutationOptions({
    mutationFn: (user: OrganizationUser) => withIdentity(() => organization.unlock(user.id)),
    onSuccess(changed) {
      const texts = organizationTexts.changes
      patchUser(changed.id, () => changed)
      toast({ title: texts.unlocked, description: texts.unlockedHint(fullName(changed)) })
    },
    onError(error) {
      const texts = organizationTexts.changes
      toastError(error, texts.unlockFailed, texts.unlockFailedHint)
    },
    onSettled: refreshOrganization,
  })
