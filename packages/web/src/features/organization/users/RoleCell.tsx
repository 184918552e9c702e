import { useState } from 'react'
import type { OrganizationUser } from '@privity/contract/organization'
import type { Role, User } from '@privity/contract/session'
import { fullName } from '../../../i18n/names.ts'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { Select } from '../../../ui/choice/Select.tsx'
import { RoleBadge, mayGiveRoles } from '../roles.tsx'
import { organizationTexts } from '../texts.ts'

interface RoleCellProps {
  me: User
  user: OrganizationUser
  onSetRole: (user: OrganizationUser, role: Role) => void
}

const order: readonly Role[] = ['user', 'org_admin', 'super_admin']

/** A select if the administrator may change roles, otherwise a badge. Every change is confirmed first. */
export function RoleCell({ me, user, onSetRole }: RoleCellProps) {
  const { users, changes, roles } = organizationTexts
  const [asked, setAsked] = useState<Role>()
  if (!mayGiveRoles(me, user)) return <RoleBadge role={user.role} />
  const name = fullName(user)
  return (
    <>
      <Select
        label={users.roleOf(name)}
        value={user.role}
        options={order.map((value) => ({ value, label: roles[value] }))}
        onChange={setAsked}
      />
      {asked && (
        <Confirm
          open
          onOpenChange={(open) => open || setAsked(undefined)}
          title={changes.roleTitle(name, roles[asked])}
          description={
            asked === 'super_admin' ? `${changes.promoteHint} ${changes.signedOut(name)}` : changes.signedOut(name)
          }
          confirmLabel={changes.roleConfirm}
          tone="primary"
          onConfirm={() => {
            setAsked(undefined)
            onSetRole(user, asked)
          }}
        />
      )}
    </>
  )
}
