import type { Result } from '@privity/contract/endpoint'
import { type LockedAccount, lockedAccounts } from '@privity/contract/founder/lockedAccounts'
import { limits } from '@privity/contract/limits'
import type { FastifyInstance } from 'fastify'
import type { Core } from '../../core/core.ts'
import type { Founder } from '../../core/http/guards.ts'
import { getAnyUser } from '../organization/roles/permissions.ts'
import { unlockUser } from '../organization/users/userChange.ts'
import { isLocking, lockTimes } from '../session/locks.ts'
import { implement } from '../../core/http/implement.ts'
import type { Reader } from '../../core/database/types.ts'
import { requireConfirmed } from './secondFactor/proof.ts'

// A name that nobody has is counted under a keyed hash; other purposes do not concern users.
const locked = `from sign_in_locks l %join join users u on u.id = l.account
  where l.purpose = 'sign-in' and ${isLocking}`
const ofUsers = locked.replace('%join', '')
const ofAny = locked.replace('%join', 'left')

const selectLocked = (db: Reader, now: number, limit: number) =>
  db.all<LockedAccount>(
    `select u.id, u.username, max(l.locked_until) as "lockedUntil" ${ofUsers}
     group by u.id order by "lockedUntil" desc, u.username limit ?`,
    [...lockTimes(now), limit],
  )

/** Counts the locked accounts of users, and the locked names that nobody has. */
async function countLocked(db: Reader, now: number): Promise<{ users: number; unknownNames: number }> {
  const counted = await db.get<{ users: number; names: number }>(
    `select count(distinct u.id) as users, count(distinct l.account) as names ${ofAny}`,
    lockTimes(now),
  )
  const { users = 0, names = 0 } = counted ?? {}
  return { users, unknownNames: names - users }
}

/** The number of accounts in the list. */
export const countLockedAccounts = async ({ db, clock }: Core): Promise<number> =>
  (await countLocked(db.read, clock.now())).users

async function listLocked({ db, clock }: Core): Promise<Result<typeof lockedAccounts.list>> {
  const now = clock.now()
  const { users, unknownNames } = await countLocked(db.read, now)
  return {
    count: users,
    lockedAccounts: users === 0 ? [] : await selectLocked(db.read, now, limits.lockedAccountsListed),
    unknownNames,
  }
}

function unlock(core: Core, founder: Founder, userId: string): Promise<Result<typeof lockedAccounts.unlock>> {
  return core.db.write(async (tx) => {
    const user = await getAnyUser(tx, userId)
    await requireConfirmed(tx, core, founder)
    await unlockUser(tx, core, { actorId: 'founder', address: founder.address }, user)
    return { id: user.id, username: user.username }
  })
}

export function mountLockedAccounts(app: FastifyInstance, core: Core): void {
  implement(app, core, lockedAccounts, {
    list: () => listLocked(core),
    unlock: ({ founder, params }) => unlock(core, founder, params.id),
  })
}
