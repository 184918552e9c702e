import type { AuditLogEntry, auditLogs } from '@privity/contract/auditLogs'
import type { Received } from '@privity/contract/endpoint'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import { getAdministrator } from '../organization/roles/permissions.ts'
import { selectActions, selectFiltered } from './queries.ts'
import { toEntries } from './view.ts'

export async function listEntries(
  { db }: Core,
  caller: Caller,
  { before, ...query }: Received<typeof auditLogs.list>['query'],
): Promise<AuditLogEntry[]> {
  const { organization_id: organizationId } = await getAdministrator(db.read, caller)
  const filter = { ...query, organizationId, before: before === undefined ? undefined : Number(before) }
  return toEntries(db.read, await selectFiltered(db.read, filter), organizationId)
}

export const listActions = async ({ db }: Core, caller: Caller): Promise<string[]> =>
  selectActions(db.read, (await getAdministrator(db.read, caller)).organization_id)
