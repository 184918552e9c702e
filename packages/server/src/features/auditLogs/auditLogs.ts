import type { AuditLogEntry, auditLogs } from '@privity/contract/auditLogs'
import type { Received } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Reader } from '../../core/db.ts'
import { selectActions, selectCaller, selectFiltered } from './queries.ts'
import { toEntries } from './view.ts'

/** The organization whose log the caller may read; throws FORBIDDEN for whoever administers none. */
export async function administeredBy(db: Reader, userId: string): Promise<string> {
  const caller = await selectCaller(db, userId)
  if (caller === undefined) throw new AppError('NOT_SIGNED_IN')
  if (caller.role === 'user') throw new AppError('FORBIDDEN')
  return caller.organization_id
}

export async function listEntries(
  core: Core,
  userId: string,
  { before, ...query }: Received<typeof auditLogs.list>['query'],
): Promise<AuditLogEntry[]> {
  const db = core.db.read
  const organizationId = await administeredBy(db, userId)
  const filter = { ...query, organizationId, before: before === undefined ? undefined : Number(before) }
  return toEntries(db, await selectFiltered(db, filter), organizationId)
}

export const listActions = async (core: Core, userId: string): Promise<string[]> =>
  selectActions(core.db.read, await administeredBy(core.db.read, userId))
