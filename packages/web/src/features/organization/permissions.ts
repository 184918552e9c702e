import type { Role } from '@privity/contract/session'

interface Ranked {
  id: string
  role: Role
}

const ranks: Record<Role, number> = { user: 0, org_admin: 1, super_admin: 2 }

export const isAdministrator = ({ role }: Pick<Ranked, 'role'>): boolean => ranks[role] > 0

/**
 * Why an administrator may not act on this person; undefined where he may. That the last Super Admin stays follows:
 * only a Super Admin acts on one, and not on himself.
 */
export function reasonAgainst(me: Ranked, person: Ranked): 'ownAccount' | 'aboveRank' | undefined {
  if (person.id === me.id) return 'ownAccount'
  return ranks[person.role] > ranks[me.role] ? 'aboveRank' : undefined
}

/** Only a Super Admin gives roles. */
export const mayGiveRoles = (me: Ranked, person: Ranked): boolean =>
  me.role === 'super_admin' && reasonAgainst(me, person) === undefined

/** The roles that an invitation of this administrator can give. */
export const invitedRoles = (me: Pick<Ranked, 'role'>): readonly Role[] =>
  (['user', 'org_admin', 'super_admin'] as const).filter((role) => ranks[role] <= ranks[me.role])
