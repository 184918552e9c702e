import type { FastifyInstance } from 'fastify'
import { auditLogs } from '@privity/contract/auditLogs'
import type { Core } from '../../core/core.ts'
import { implement } from '../../core/http/implement.ts'
import { listActions, listEntries } from './auditLogs.ts'
import { createExport, mountExportDownload } from './exports.ts'

export function mountAuditLogs(app: FastifyInstance, core: Core): void {
  implement(app, core, auditLogs, {
    list: ({ caller, query }) => listEntries(core, caller, query),
    actions: ({ caller }) => listActions(core, caller),
    createExport: ({ caller, query }) => createExport(core, caller, query.format),
  })
  mountExportDownload(app, core)
}
