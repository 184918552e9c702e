import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { auditExportPath } from '@privity/contract/auditLogs'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import { type Caller, callerOf, guard } from '../../core/guards.ts'
import { newId } from '../../core/ids.ts'
import { administratorOf } from '../organization/rank.ts'
import { exportLines, type Snapshot, takeSnapshot } from './exportLines.ts'

interface Waiting {
  snapshot: Snapshot
  sessionId: string
  name: string
}

/** Exports that were asked for and not fetched yet. */
export interface Exports {
  create(caller: Caller): Promise<{ downloadURL: string; name: string }>
  /** Once; throws NOT_FOUND for anybody's but one's own. */
  take(caller: Caller, id: string): Promise<Waiting>
}

export function createExports(core: Core): Exports {
  const waiting = new Map<string, Waiting>()

  function forget(now: number): void {
    for (const [id, { snapshot }] of waiting) if (snapshot.madeAt + limits.auditExportValid <= now) waiting.delete(id)
  }

  return {
    async create(caller) {
      const { userId, sessionId, address } = caller
      const at = core.clock.now()
      forget(at)
      const snapshot = await core.db.write(async (tx) => {
        const { organization_id: organizationId } = await administratorOf(tx, caller)
        await audit(tx, { action: 'audit_log_exported', actorId: userId, address, organizationId, at })
        return takeSnapshot(tx, organizationId, at)
      })
      const id = newId(at)
      const name = `privity-audit-log-${new Date(at).toISOString().slice(0, 10)}.jsonl`
      waiting.set(id, { snapshot, sessionId, name })
      return { downloadURL: auditExportPath.replace(':id', id), name }
    },
    async take(caller, id) {
      forget(core.clock.now())
      const found = waiting.get(id)
      if (found === undefined || found.sessionId !== caller.sessionId) throw new AppError('NOT_FOUND')
      const { organization_id: organizationId } = await administratorOf(core.db.read, caller)
      if (organizationId !== found.snapshot.organizationId || !waiting.delete(id)) throw new AppError('NOT_FOUND')
      return found
    },
  }
}

export function mountExportDownload(app: FastifyInstance, core: Core, exports: Exports): void {
  app.get<{ Params: { id: string } }>(
    auditExportPath,
    { onRequest: guard(core, { method: 'GET', guard: 'administrator' }) },
    async (request, reply) => {
      const { snapshot, name } = await exports.take(callerOf(request), request.params.id)
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
        .send(Readable.from(exportLines(core.db.read, core.auditKey, snapshot), { objectMode: false }))
    },
  )
}
