import type { Result } from '@privity/contract/endpoint'
import type { lockedAccounts as contract } from '@privity/contract/founder/lockedAccounts'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { anyUser } from '../../organization/roles/permissions.ts'
import { unlockUser } from '../../organization/users/accountUnlock.ts'
import { countLocked, selectLocked } from './queries.ts'

/** The number of accounts in the list. */
export const countLockedAccounts = async ({ db, clock }: Core): Promise<number> =>
  (await countLocked(db.read, clock.now())).users

export async function listLocked({ db, clock }: Core): Promise<Result<typeof contract.list>> {
  const now = clock.now()
  const { users, unknownNames } = await countLocked(db.read, now)
  return {
    count: users,
    lockedAccounts: users === 0 ? [] : await selectLocked(db.read, now, limits.lockedAccountsListed),
    unknownNames,
  }
}

export function unlock(core: Core, { address }: Founder, userId: string): Promise<Result<typeof contract.unlock>> {
  return core.db.write(async (tx) => {
    const user = await anyUser(tx, userId)
    await unlockUser(tx, core, { actorId: 'founder', address }, user)
    return { id: user.id, username: user.username }
  })
}
