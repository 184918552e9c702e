import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { type AuditFilter, timesOf } from './filter.ts'
import { nameIn } from './people.ts'

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

/** What the person of the filter is called, where no entry that is shown says it; null where the log has nothing of him. */
export const personQuery = ({ auditLogs }: Client, person: string) =>
  queryOptions({
    queryKey: [...auditKey, 'person', person],
    queryFn: async () => nameIn(await auditLogs.list({ person, limit: 1 }), person) ?? null,
  })

export const actionsQuery = ({ auditLogs }: Client) =>
  queryOptions({ queryKey: [...auditKey, 'actions'], queryFn: () => auditLogs.actions(), ...fresh })

export const refreshAuditLogs = () => queryClient.invalidateQueries({ queryKey: auditKey })
