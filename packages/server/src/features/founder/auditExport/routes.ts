import { Readable } from 'node:stream'
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
import { signHead } from '../../auditLogs/heads.ts'
import { type LogEnd, platformFile } from './file.ts'
import { selectEnd, selectLastHead } from './queries.ts'

/** Writes the audit entry of the export, and signs the log up to it. */
async function begin(core: Core, founder: { address: string }, range: ExportRange): Promise<LogEnd> {
  const madeAt = core.clock.now()
  const { format, startDate, endDate, eventType } = range
  const end = await core.db.write(async (tx) => {
    await audit(tx, {
      action: 'platform_logs_exported',
      actorId: 'founder',
      address: founder.address,
      details: { format, startDate, endDate, eventType },
      at: madeAt,
    })
    return selectEnd(tx)
  })
  if (end === undefined) throw new Error('the log is empty')
  await signHead(core)
  const head = (await selectLastHead(core.db.read)) ?? null
  return { madeAt, entries: end.seq, hash: end.hash, head }
}

const day = (at: number) => new Date(at).toISOString().slice(0, 10)
const types = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' }

export function mountAuditExport(app: FastifyInstance, core: Core): void {
  core.rawCalls.push({
    method: 'GET',
    path: platformExportPath,
    guard: 'founder',
    query: exportQuery,
    answers: ['text/csv', 'application/json'],
    errors: ['ORIGIN_REFUSED'],
    summary: 'The newest entries of the audit log of all organizations in a range of time, as a file',
  })
  app.get(
    platformExportPath,
    { onRequest: guard(core, { method: 'GET', guard: 'founder', limit: 'dataExport', writes: true }) },
    async (request, reply) => {
      const range = readExportRange(request.query)
      if (typeof range === 'string') throw new AppError('INVALID_INPUT', { message: range })
      const end = await begin(core, founderOf(request), range)
      const name = `audit_logs_${day(range.startDate)}_${day(range.endDate)}.${range.format}`
      const pieces = platformFile(core.db.read, core.auditKey, range, end)
      return reply
        .type(types[range.format])
        .headers({ 'content-disposition': `attachment; filename="${name}"`, 'cache-control': 'no-store' })
        .send(core.background.trackStream(Readable.from(pieces, { objectMode: false })))
    },
  )
}
