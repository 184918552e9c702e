import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { queryClient } from '../../app/queryClient.ts'
import { type AuditFilter, timeRange } from './filter.ts'
import { findPersonName } from './entryText.ts'

const auditKey = ['/api/audit-logs'] as const
const pageSize = 50
const recentSize = 3
/** Polled: live events announce changes of the organization only, but most entries have other causes. */
const pollIntervalMs = 15_000

const fresh = { refetchOnMount: 'always' } as const

/** Fetches one entry more than a page, to know whether there is a next page. */
export function entriesQuery({ auditLogs }: Client, filter: AuditFilter, before: string | undefined) {
  const { action, person } = filter
  return queryOptions({
    queryKey: [...auditKey, 'list', filter, before ?? ''],
    async queryFn() {
      const found = await auditLogs.list({
        limit: pageSize + 1,
        ...timeRange(filter),
        ...(action && { action }),
        ...(person && { person }),
        ...(before !== undefined && { before }),
      })
      return { entries: found.slice(0, pageSize), next: found.length > pageSize ? found[pageSize - 1]?.id : undefined }
    },
    placeholderData: keepPreviousData,
    ...fresh,
    ...(before === undefined && { refetchInterval: pollIntervalMs }),
  })
}

export const recentQuery = ({ auditLogs }: Client) =>
  queryOptions({
    queryKey: [...auditKey, 'recent'],
    queryFn: () => auditLogs.list({ limit: recentSize }),
    ...fresh,
    refetchInterval: pollIntervalMs,
  })

/** Name of the person in the filter if no shown entry has it; null if the log has no entry about them. */
export const personQuery = ({ auditLogs }: Client, person: string) =>
  queryOptions({
    queryKey: [...auditKey, 'person', person],
    queryFn: async () => findPersonName(await auditLogs.list({ person, limit: 1 }), person) ?? null,
  })

export const actionsQuery = ({ auditLogs }: Client) =>
  queryOptions({ queryKey: [...auditKey, 'actions'], queryFn: () => auditLogs.actions(), ...fresh })

export const refreshAuditLogs = () => queryClient.invalidateQueries({ queryKey: auditKey })
