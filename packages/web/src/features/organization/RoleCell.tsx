import { useState } from 'react'
import type { OrganizationUser } from '@privity/contract/organization'
import type { Role, User } from '@privity/contract/session'
import { fullName } from '../../core/fullName.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { Select } from '../../ui/Select.tsx'
import { RoleBadge } from './RoleBadge.tsx'
import { mayGiveRoles } from './rules.ts'
import { organizationTexts } from './texts.ts'

interface RoleCellProps {
  me: User
  user: OrganizationUser
  onSetRole: (user: OrganizationUser, role: Role) => void
}

const order: readonly Role[] = ['user', 'org_admin', 'super_admin']

/** A choice for whoever may give roles, a badge for the others. The highest role is given after a question only. */
export function RoleCell({ me, user, onSetRole }: RoleCellProps) {
  const { users, changes, roles } = organizationTexts
  const [asking, setAsking] = useState(false)
  if (!mayGiveRoles(me, user)) return <RoleBadge role={user.role} />
  const name = fullName(user)
  return (
    <>
      <Select
        label={users.roleOf(name)}
        value={user.role}
        options={order.map((value) => ({ value, label: roles[value] }))}
        onChange={(role) => (role === 'super_admin' ? setAsking(true) : onSetRole(user, role))}
      />
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={changes.promote(name)}
        description={changes.promoteHint}
        confirmLabel={changes.promoteConfirm}
        tone="primary"
        onConfirm={() => {
          setAsking(false)
          onSetRole(user, 'super_admin')
        }}
      />
    </>
  )
}
