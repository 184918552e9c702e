import type { organization as contract } from '@privity/contract/organization'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { OrganizationRow } from '../../core/database/tables/organization.ts'
import { listUsers, statisticsOf } from './users/userList.ts'
import { type Administrator, getAdministrator } from './roles/permissions.ts'

/** The oldest organization: people who sign up without an invitation join it. */
export const findDefaultOrganization = (db: Reader) =>
  db.get<OrganizationRow>('select * from organizations order by created_at, id limit 1')

/** Throws NOT_SIGNED_IN if the organization is gone, and its administrator with it. */
export async function organizationOf(db: Reader, administrator: Administrator): Promise<OrganizationRow> {
  const id = administrator.organization_id
  const organization = await db.get<OrganizationRow>('select * from organizations where id = ?', [id])
  if (organization === undefined) throw new AppError('NOT_SIGNED_IN')
  return organization
}

export async function getOrganization({ db, clock }: Core, caller: Caller): Promise<Result<typeof contract.current>> {
  const administrator = await getAdministrator(db.read, caller)
  const { id, name, type } = await organizationOf(db.read, administrator)
  const isDefault = (await findDefaultOrganization(db.read))?.id === id
  const firstPage = { sort: 'name', direction: 'asc', limit: limits.usersPage } as const
  const { users, next } = await listUsers(db.read, id, firstPage, clock.now())
  return { id, name, type, isDefault, users, next, statistics: await statisticsOf(db.read, id) }
}

export async function getUsers(
  { db, clock }: Core,
  caller: Caller,
  query: Received<typeof contract.users>['query'],
): Promise<Result<typeof contract.users>> {
  return listUsers(db.read, (await getAdministrator(db.read, caller)).organization_id, query, clock.now())
}
