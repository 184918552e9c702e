import type { Reader, Tx } from '../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../core/database/statements.ts'
import type { PreferencesRow } from '../../core/database/tables/users.ts'

export const selectChosen = (db: Reader, userId: string) =>
  db.get<PreferencesRow>('select user_id, chosen from preferences where user_id = ?', [userId])

/** For a few hundred users at once; users who never changed a preference have no row. */
export async function selectChosenOf(db: Reader, userIds: readonly string[]): Promise<PreferencesRow[]> {
  const padded = padToPowerOfTwo(userIds)
  if (padded.length === 0) return []
  return db.all(`select user_id, chosen from preferences where user_id in (${placeholders(padded)})`, padded)
}

export const selectPolicy = (db: Reader, userId: string) =>
  db.get<{ policy: string }>(
    'select o.policy from organizations o join users u on u.organization_id = o.id where u.id = ?',
    [userId],
  )

/** For a few hundred users at once. */
export function selectPolicies(db: Reader, userIds: readonly string[]) {
  const padded = padToPowerOfTwo(userIds)
  return db.all<{ id: string; policy: string }>(
    `select u.id, o.policy from organizations o join users u on u.organization_id = o.id
     where u.id in (${placeholders(padded)})`,
    padded,
  )
}

/** Preferences in an organization that contain `part`: they are stored as JSON text without spaces. */
export const selectChosenLike = (db: Reader, organizationId: string, part: string) =>
  db.all<{ user_id: string }>(
    `select p.user_id from preferences p join users u on u.id = p.user_id
     where u.organization_id = ? and p.chosen like ?`,
    [organizationId, `%${part}%`],
  )

export const putChosen = (tx: Tx, userId: string, chosen: string) =>
  tx.run(
    `insert into preferences (user_id, chosen) values (?, ?)
     on conflict (user_id) do update set chosen = excluded.chosen`,
    [userId, chosen],
  )
