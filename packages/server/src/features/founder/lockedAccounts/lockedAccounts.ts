import type { Result } from '@privity/contract/endpoint'
import type { lockedAccounts as contract } from '@privity/contract/founder/lockedAccounts'
import { limits } from '@privity/contract/limits'
import { audit } from '../../../core/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Founder } from '../../../core/guards.ts'
import { anyUser } from '../../organization/rank.ts'
import { resetLocks } from '../../session/locks.ts'
import { countLocked, selectLocked } from './queries.ts'

/** The same number as the list has. */
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

/**
 * He may sign in again at once, from anywhere: the count of strangers begins anew, and that of each of his browsers.
 * Where nothing was counted any more (a lock ends by itself) that is so already, and leaves no entry.
 */
export function unlock(core: Core, { address }: Founder, userId: string): Promise<Result<typeof contract.unlock>> {
  return core.db.write(async (tx) => {
    const { id, username } = await anyUser(tx, userId)
    const { counters, lockedUntil } = await resetLocks(tx, id)
    const details = { counters, before: lockedUntil, after: null }
    const at = core.clock.now()
    if (counters > 0)
      await audit(tx, { action: 'account_unlocked', actorId: 'founder', targetId: id, address, details, at })
    return { id, username }
  })
}
