import type { UserStats } from '@privity/contract/founder/monitoring'

/** Both roles that administer. */
export const adminsOf = ({ usersByRole }: UserStats): number => usersByRole.super_admin + usersByRole.org_admin
