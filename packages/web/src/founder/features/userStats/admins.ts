import type { UserStats } from '@privity/contract/founder/monitoring'

/** Number of users with an administrative role. */
export const adminsOf = ({ usersByRole }: UserStats): number => usersByRole.super_admin + usersByRole.org_admin
