import { auditLogs } from '@privity/contract/auditLogs'
import type { AuditCase } from './account.ts'
import { join } from '../scenes/organization.ts'

/** Every state-changing call of the audit log, by `METHOD path`. */
export const auditLogCases: Record<string, AuditCase> = {
  'POST /api/audit-logs/exports': {
    action: 'audit_log_exported',
    async prepare(server) {
      const [member, administrator] = [await server.signUp(), await join(server, 'org_admin')]
      return {
        fail: () => member.refused(auditLogs.createExport, { query: {} }),
        succeed: () => administrator.call(auditLogs.createExport, { query: {} }),
      }
    },
  },
}
