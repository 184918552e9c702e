import { useEffect } from 'react'
import type { Client } from '@privity/client'
import { refreshAuditLogs } from '../../features/auditLogs/queries.ts'
import { refreshOrganization } from '../../features/organization/queries.ts'

/** Shows other administrators' changes while the administration is open. */
export function useLiveAdmin(client: Client): void {
  useEffect(() => {
    const refresh = () => void Promise.all([refreshOrganization(), refreshAuditLogs()])
    const offs = [client.on('organization_changed', refresh), client.on('resync', refresh)]
    return () => {
      for (const off of offs) off()
    }
  }, [client])
}
