import type { LockedAccount } from '@privity/contract/founder/lockedAccounts'
import type { Reader } from '../../../core/database/types.ts'

// A name that nobody has is counted under a keyed hash; other purposes do not concern users.
const locked =
  "from sign_in_locks l %join join users u on u.id = l.account where l.purpose = 'sign-in' and l.locked_until > ?"
const ofUsers = locked.replace('%join', '')
const ofAny = locked.replace('%join', 'left')

export const selectLocked = (db: Reader, now: number, most: number) =>
  db.all<LockedAccount>(
    `select u.id, u.username, max(l.locked_until) as "lockedUntil" ${ofUsers}
     group by u.id order by "lockedUntil" desc, u.username limit ?`,
    [now, most],
  )

/** Counts the locked accounts of users, and the locked names that nobody has. */
export async function countLocked(db: Reader, now: number): Promise<{ users: number; unknownNames: number }> {
  const counted = await db.get<{ users: number; names: number }>(
    `select count(distinct u.id) as users, count(distinct l.account) as names ${ofAny}`,
    [now],
  )
  const { users = 0, names = 0 } = counted ?? {}
  return { users, unknownNames: names - users }
}
