import type { FounderUser } from '@privity/contract/founder/users'
import type { Reader } from '../../../core/database/types.ts'
import { padToPowerOfTwo, placeholders } from '../../../core/database/statements.ts'

type Organization = FounderUser['organization']

/** The organization of each of these users by user id; deleted users are missing. */
export async function organizationsOf(
  db: Reader,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, Organization>> {
  if (userIds.length === 0) return new Map()
  const asked = padToPowerOfTwo(userIds)
  const rows = await db.all<Organization & { userId: string }>(
    `select u.id as "userId", o.id, o.name from users u join organizations o on o.id = u.organization_id
     where u.id in (${placeholders(asked)})`,
    asked,
  )
  return new Map(rows.map(({ userId, id, name }) => [userId, { id, name }]))
}
