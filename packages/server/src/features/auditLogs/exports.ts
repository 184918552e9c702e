import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { type AuditExportFormat, auditExportPath } from '@privity/contract/auditLogs'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import { type Caller, callerOf, guard } from '../../core/guards.ts'
import { newId } from '../../core/ids.ts'
import { administratorOf } from '../organization/rank.ts'
import { exportLines, type Snapshot, takeSnapshot } from './exportLines.ts'
import { exportTable } from './exportTable.ts'

interface Waiting {
  snapshot: Snapshot
  organizationId: string
  format: AuditExportFormat
  sessionId: string
  name: string
}

const types = { jsonl: 'application/x-ndjson', csv: 'text/csv' }
const endings = { jsonl: '.jsonl', csv: '-without-proof.csv' }

/** Exports that were asked for and not fetched yet. */
export interface Exports {
  create(caller: Caller, format: AuditExportFormat): Promise<{ downloadURL: string; name: string }>
  /** Once; throws NOT_FOUND for anybody's but one's own. */
  take(caller: Caller, id: string): Promise<Waiting>
}

export function createExports(core: Core): Exports {
  const waiting = new Map<string, Waiting>()

  function forget(now: number): void {
    for (const [id, { snapshot }] of waiting) if (snapshot.madeAt + limits.auditExportValid <= now) waiting.delete(id)
  }

  return {
    async create(caller, format) {
      const { userId, sessionId, address } = caller
      const at = core.clock.now()
      forget(at)
      const taken = await core.db.write(async (tx) => {
        const { organization_id: organizationId } = await administratorOf(tx, caller)
        const details = { format }
        await audit(tx, { action: 'audit_log_exported', actorId: userId, address, organizationId, details, at })
        return { organizationId, snapshot: await takeSnapshot(tx, organizationId, at) }
      })
      const id = newId(at)
      const name = `privity-audit-log-${new Date(at).toISOString().slice(0, 10)}${endings[format]}`
      waiting.set(id, { ...taken, format, sessionId, name })
      return { downloadURL: auditExportPath.replace(':id', id), name }
    },
    async take(caller, id) {
      forget(core.clock.now())
      const found = waiting.get(id)
      if (found === undefined || found.sessionId !== caller.sessionId) throw new AppError('NOT_FOUND')
      const { organization_id: organizationId } = await administratorOf(core.db.read, caller)
      if (organizationId !== found.organizationId || !waiting.delete(id)) throw new AppError('NOT_FOUND')
      return found
    },
  }
}

export function mountExportDownload(app: FastifyInstance, core: Core, exports: Exports): void {
  app.get<{ Params: { id: string } }>(
    auditExportPath,
    { onRequest: guard(core, { method: 'GET', guard: 'administrator', writes: true }) },
    async (request, reply) => {
      const { snapshot, organizationId, format, name } = await exports.take(callerOf(request), request.params.id)
      const pieces =
        format === 'csv'
          ? exportTable(core.db.read, snapshot, organizationId)
          : exportLines(core.db.read, core.auditKey, snapshot)
      return reply
        .type(`${types[format]}; charset=utf-8`)
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
        .send(core.background.trackStream(Readable.from(pieces, { objectMode: false })))
    },
  )
}
