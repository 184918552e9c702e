import { type AuditExportFormat, type AuditLogEntry, auditLogs as contract } from '@privity/contract/auditLogs'
import type { Result, Sent } from '@privity/contract/endpoint'
import type { Call } from './transport/call.ts'

export type AuditLogQuery = Sent<typeof contract.list>['query']

/** The audit log of the organization, for its administrators. */
export interface AuditLogs {
  /** Newest first; the next page is before the `id` of the last. */
  list(query?: AuditLogQuery): Promise<AuditLogEntry[]>
  /** The actions that occur in the log, for the filter. */
  actions(): Promise<string[]>
  /** An address to open as a download, once, within 15 minutes. Only 'jsonl' carries the proof. */
  createExport(format?: AuditExportFormat): Promise<Result<typeof contract.createExport>>
}

export const createAuditLogs = (call: Call): AuditLogs => ({
  list: (query = {}) => call(contract.list, { query }),
  actions: () => call(contract.actions, {}),
  createExport: (format) => call(contract.createExport, { query: { format } }),
})
