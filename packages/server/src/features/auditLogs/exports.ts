import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { type AuditExportFormat, auditExportPath } from '@privity/contract/auditLogs'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { id as uuidText } from '@privity/contract/values'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { AuditExportRow } from '../../core/database/tables/audit.ts'
import { type Caller, callerOf, guard } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { getAdministrator } from '../organization/roles/permissions.ts'
import { writeOrganizationExport, type Snapshot, takeSnapshot } from './organizationExportWriter.ts'
import { writeCsvExport } from './csvExport.ts'
import type { Tx } from '../../core/database/types.ts'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const types = { jsonl: 'application/x-ndjson', csv: 'text/csv' }
const nameEndings = { jsonl: '.jsonl', csv: '-without-proof.csv' }

const nameOf = (format: AuditExportFormat, at: number) =>
  `privity-audit-log-${new Date(at).toISOString().slice(0, 10)}${nameEndings[format]}`

/** Creates an export and returns its address, valid for one download. */
export async function createExport(
  { db, clock }: Core,
  caller: Caller,
  format: AuditExportFormat,
): Promise<{ downloadURL: string; name: string }> {
  const { userId, sessionId, address } = caller
  const at = clock.now()
  const id = newId(at)
  await db.write(async (tx) => {
    const { organization_id: organizationId } = await getAdministrator(tx, caller)
    const details = { format }
    await deleteExpiredExports(tx, at - limits.auditExportValid)
    await audit(tx, { action: 'audit_log_exported', actorId: userId, address, organizationId, details, at })
    const snapshot = JSON.stringify(await takeSnapshot(tx, organizationId, at))
    await insertExport(tx, {
      id,
      session_id: sessionId,
      organization_id: organizationId,
      format,
      snapshot,
      made_at: at,
    })
  })
  return { downloadURL: auditExportPath.replace(':id', id), name: nameOf(format, at) }
}

/** Takes the export once; throws NOT_FOUND for an export of another session. */
function takeExport({ db, clock }: Core, caller: Caller, id: string): Promise<AuditExportRow> {
  return db.write(async (tx) => {
    const { organization_id: organizationId } = await getAdministrator(tx, caller)
    const after = clock.now() - limits.auditExportValid
    const taken = await deleteExport(tx, { id, sessionId: caller.sessionId, organizationId, after })
    if (taken === undefined) throw new AppError('NOT_FOUND')
    return taken
  })
}

/** Streams an export as a download. */
export const sendExport = (
  { background }: Core,
  reply: FastifyReply,
  { type, name, pieces }: { type: string; name: string; pieces: AsyncIterable<string> },
) =>
  reply
    .type(`${type}; charset=utf-8`)
    .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
    .send(background.trackStream(Readable.from(pieces, { objectMode: false })))

export function mountExportDownload(app: FastifyInstance, core: Core): void {
  core.rawCalls.push({
    method: 'GET',
    path: auditExportPath,
    guard: 'administrator',
    writes: true,
    params: z.object({ id: uuidText }),
    responseTypes: Object.values(types),
    errors: ['NOT_FOUND'],
    summary: 'The file of an export, once, at the address returned by POST /api/audit-logs/exports',
  })
  app.get<{ Params: { id: string } }>(
    auditExportPath,
    guard(core, { method: 'GET', guard: 'administrator', writes: true }),
    async (request, reply) => {
      if (!uuid.test(request.params.id)) throw new AppError('NOT_FOUND')
      const taken = await takeExport(core, callerOf(request), request.params.id)
      const { organization_id: organizationId, format, made_at: madeAt } = taken
      const snapshot = JSON.parse(taken.snapshot) as Snapshot
      const name = nameOf(format, madeAt)
      const pieces =
        format === 'csv'
          ? writeCsvExport(core.db.read, snapshot, organizationId)
          : writeOrganizationExport(core.db.read, core.auditKey, snapshot)
      return sendExport(core, reply, { type: types[format], name, pieces })
    },
  )
}

const insertExport = (tx: Tx, row: AuditExportRow) => tx.kysely.insertInto('audit_exports').values(row).execute()

const deleteExpiredExports = (tx: Tx, before: number) =>
  tx.run('delete from audit_exports where made_at <= ?', [before])

/** Takes the export once: of two concurrent requests, one finds it. */
const deleteExport = (
  tx: Tx,
  { id, sessionId, organizationId, after }: { id: string; sessionId: string; organizationId: string; after: number },
) =>
  tx.get<AuditExportRow>(
    `delete from audit_exports where id = ? and session_id = ? and organization_id = ? and made_at > ? returning *`,
    [id, sessionId, organizationId, after],
  )
