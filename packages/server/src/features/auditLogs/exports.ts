import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { auditExportPath } from '@privity/contract/auditLogs'
import { AppError } from '@privity/contract/errors'
import { limits } from '@privity/contract/limits'
import { audit } from '../../core/audit.ts'
import type { Core } from '../../core/core.ts'
import { type Caller, callerOf, guard } from '../../core/guards.ts'
import { newId } from '../../core/ids.ts'
import { administeredBy } from './auditLogs.ts'
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
    async create({ userId, sessionId, address }) {
      const at = core.clock.now()
      forget(at)
      const snapshot = await core.db.write(async (tx) => {
        const organizationId = await administeredBy(tx, userId)
        await audit(tx, { action: 'audit_log_exported', actorId: userId, address, organizationId, at })
        return takeSnapshot(tx, organizationId, at)
      })
      const id = newId(at)
      const name = `privity-audit-log-${new Date(at).toISOString().slice(0, 10)}.jsonl`
      waiting.set(id, { snapshot, sessionId, name })
      return { downloadURL: auditExportPath.replace(':id', id), name }
    },
    async take({ userId, sessionId }, id) {
      forget(core.clock.now())
      const found = waiting.get(id)
      if (found === undefined || found.sessionId !== sessionId) throw new AppError('NOT_FOUND')
      const organizationId = await administeredBy(core.db.read, userId)
      if (organizationId !== found.snapshot.organizationId || !waiting.delete(id)) throw new AppError('NOT_FOUND')
      return found
    },
  }
}

export function mountExportDownload(app: FastifyInstance, core: Core, exports: Exports): void {
  app.get<{ Params: { id: string } }>(
    auditExportPath,
    { onRequest: guard(core, { method: 'GET', guard: 'member' }) },
    async (request, reply) => {
      const { snapshot, name } = await exports.take(callerOf(request), request.params.id)
      return reply
        .type('application/x-ndjson; charset=utf-8')
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
        .send(Readable.from(exportLines(core.db.read, core.auditKey, snapshot), { objectMode: false }))
    },
  )
}
