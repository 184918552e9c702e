import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../core/queryClient.ts'
import { type AuditFilter, timesOf } from './filter.ts'

const auditKey = ['/api/audit-logs'] as const
const pageSize = 50
const recentSize = 3
/** Most entries come without anybody doing something to the organization, which is what the live connection tells. */
const interval = 15_000

const fresh = { refetchOnMount: 'always' } as const

/** One entry more than is shown tells whether there is a page behind. */
export function entriesQuery({ auditLogs }: Client, filter: AuditFilter, before: string | undefined) {
  const { action, person } = filter
  return queryOptions({
    queryKey: [...auditKey, 'list', filter, before ?? ''],
    async queryFn() {
      const found = await auditLogs.list({
        limit: pageSize + 1,
        ...timesOf(filter),
        ...(action && { action }),
        ...(person && { person }),
        ...(before !== undefined && { before }),
      })
      return { entries: found.slice(0, pageSize), next: found.length > pageSize ? found[pageSize - 1]?.id : undefined }
    },
    placeholderData: keepPreviousData,
    ...fresh,
    ...(before === undefined && { refetchInterval: interval }),
  })
}

export const recentQuery = ({ auditLogs }: Client) =>
  queryOptions({
    queryKey: [...auditKey, 'recent'],
    queryFn: () => auditLogs.list({ limit: recentSize }),
    ...fresh,
    refetchInterval: interval,
  })

export const actionsQuery = ({ auditLogs }: Client) =>
  queryOptions({ queryKey: [...auditKey, 'actions'], queryFn: () => auditLogs.actions(), ...fresh })

export const refreshAuditLogs = () => queryClient.invalidateQueries({ queryKey: auditKey })
