import type { ListedOrganization } from '@privity/contract/founder/organizations'
import type { Reader, Tx } from '../../../core/database/types.ts'

const listed = `select o.id, o.name, o.type, o.created_at as "createdAt",
    (select cast(coalesce(sum(c.users), 0) as bigint) from user_counts c where c.organization_id = o.id) as members
  from organizations o`

export const selectOrganizations = (db: Reader, { after, limit }: { after: string | undefined; limit: number }) =>
  db.all<ListedOrganization>(`${listed} ${after === undefined ? '' : 'where o.id < ?'} order by o.id desc limit ?`, [
    ...(after === undefined ? [] : [after]),
    limit,
  ])

export const selectOrganization = (db: Reader, id: string) =>
  db.get<ListedOrganization>(`${listed} where o.id = ?`, [id])

export const countOrganizations = async (db: Reader): Promise<number> =>
  (await db.get<{ total: number }>('select count(*) as total from organizations'))?.total ?? 0

/**
 * Returns the ids of the invitations it revoked. Without members, all of them come from the creator of the
 * organization.
 */
export const revokeAllOpen = (tx: Tx, organizationId: string, now: number) =>
  tx.all<{ id: string }>(
    `update invitations set revoked_at = ?
     where organization_id = ? and used_at is null and revoked_at is null and (expires_at is null or expires_at > ?)
     returning id`,
    [now, organizationId, now],
  )
