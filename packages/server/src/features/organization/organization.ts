import type { organization as contract } from '@privity/contract/organization'
import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/guards.ts'
import type { OrganizationRow } from '../../core/schema.ts'
import { listUsers, statisticsOf } from './listing.ts'
import { administratorOf } from './rank.ts'

export async function getOrganization({ db }: Core, caller: Caller): Promise<Result<typeof contract.current>> {
  const administrator = await administratorOf(db.read, caller)
  const organization = await db.read.get<OrganizationRow>('select * from organizations where id = ?', [
    administrator.organization_id,
  ])
  if (organization === undefined) throw new AppError('NOT_SIGNED_IN')
  const { id, name, type } = organization
  const { users, next } = await listUsers(db.read, id, {
    sort: 'name',
    direction: 'asc',
    limit: limits.usersPage,
  })
  return { id, name, type, users, next, statistics: await statisticsOf(db.read, id) }
}

export async function getUsers(
  { db }: Core,
  caller: Caller,
  query: Received<typeof contract.users>['query'],
): Promise<Result<typeof contract.users>> {
  return listUsers(db.read, (await administratorOf(db.read, caller)).organization_id, query)
}
