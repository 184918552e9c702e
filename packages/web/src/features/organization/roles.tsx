import type { Role } from '@privity/contract/session'
import { organizationTexts } from './texts.ts'
import '../../ui/badge/badge.css'

interface Ranked {
  id: string
  role: Role
}

const ranks: Record<Role, number> = { user: 0, org_admin: 1, super_admin: 2 }

export const isAdministrator = ({ role }: Pick<Ranked, 'role'>): boolean => ranks[role] > 0

/**
 * Why an administrator may not manage this user; undefined if they may. These rules also protect the last Super Admin:
 * only another Super Admin could remove them.
 */
export function reasonAgainst(me: Ranked, person: Ranked): 'ownAccount' | 'aboveRank' | undefined {
  if (person.id === me.id) return 'ownAccount'
  return ranks[person.role] > ranks[me.role] ? 'aboveRank' : undefined
}

/** Only a Super Admin may change roles. */
export const mayGiveRoles = (me: Ranked, person: Ranked): boolean =>
  me.role === 'super_admin' && reasonAgainst(me, person) === undefined

/** Roles that this administrator may invite with. */
export const invitedRoles = (me: Pick<Ranked, 'role'>): readonly Role[] =>
  (['user', 'org_admin', 'super_admin'] as const).filter((role) => ranks[role] <= ranks[me.role])

const looks = { user: 'badge-outline', org_admin: 'badge-primary', super_admin: 'badge-solid' }

export function RoleBadge({ role }: { role: Role }) {
  return <span className={`badge ${looks[role]}`}>{organizationTexts.roles[role]}</span>
}
