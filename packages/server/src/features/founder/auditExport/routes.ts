import type { FastifyInstance } from 'fastify'
import { AppError } from '@privity/contract/errors'
import {
  type ExportRange,
  exportQuery,
  platformExportPath,
  readExportRange,
} from '@privity/contract/founder/auditExport'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import { founderOf, guard } from '../../../core/http/guards.ts'
import { sendExport } from '../../auditLogs/exports.ts'
import { readLogEnd, signHead } from '../../auditLogs/heads.ts'
import { type ExportBegin, writePlatformExport } from './platformExportWriter.ts'

/** Writes the audit entry of the export, and signs the log up to it. */
async function beginExport(core: Core, founder: { address: string }, range: ExportRange): Promise<ExportBegin> {
  const madeAt = core.clock.now()
  const { format, startDate, endDate, eventType } = range
  const { entries, hash } = await core.db.write(async (tx) => {
    await audit(tx, {
      action: 'platform_logs_exported',
      actorId: 'founder',
      address: founder.address,
      details: { format, startDate, endDate, eventType },
      at: madeAt,
    })
    return readLogEnd(tx)
  })
  await signHead(core)
  const { head } = await readLogEnd(core.db.read)
  return { madeAt, entries, hash, head }
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const types = { csv: 'text/csv', json: 'application/json' }

export function mountAuditExport(app: FastifyInstance, core: Core): void {
  core.rawCalls.push({
    method: 'GET',
    path: platformExportPath,
    guard: 'founder',
    writes: true,
    query: exportQuery,
    responseTypes: Object.values(types),
    summary: 'The newest entries of the audit log of all organizations in a range of time, as a file',
  })
  app.get(
    platformExportPath,
    guard(core, { method: 'GET', guard: 'founder', limit: 'dataExport', writes: true }),
    async (request, reply) => {
      const range = readExportRange(request.query)
      if (typeof range === 'string') throw new AppError('INVALID_INPUT', { message: range })
      const begin = await beginExport(core, founderOf(request), range)
      const name = `audit_logs_${day(range.startDate)}_${day(range.endDate)}.${range.format}`
      const pieces = writePlatformExport(core.db.read, core.auditKey, range, begin)
      return sendExport(core, reply, { type: types[range.format], name, pieces })
    },
  )
}
