import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type FounderClient, decryptReport, type ReportKeys } from '@privity/client/founder'
import { type FlaggedMessage, moderation } from '@privity/contract/founder/moderation'
import { toastError } from '../../../app/callError.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { refetchPaths } from '../../console/queries.ts'
import { reportKeysQuery } from '../../console/reportKeys.ts'
import { moderationTexts as texts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>
type ReportReader = Pick<FounderClient, 'call' | 'reportKeys'>

/** Also refetches the monitoring statistics, which count flagged messages too. */
const refetchFlags = (queries: QueryClient) =>
  refetchPaths(queries, [moderation.flagged.path, moderation.stats.path, '/api/founder/realtime-stats'])

/** Fetches the keys again if one is missing: it may have been published since they were loaded. */
async function loadKeys(queries: QueryClient, client: ReportReader, keyId: string): Promise<ReportKeys | null> {
  const query = reportKeysQuery(client)
  const known = await queries.fetchQuery(query)
  if (known === null || known.seeds.has(keyId) || known.unreadable.includes(keyId)) return known
  return queries.fetchQuery({ ...query, staleTime: 0 })
}

/**
 * A report, decrypted and verified in this browser; its content never changes. The full view is fetched each time,
 * because the server logs every view.
 */
export const reportQuery = (founder: ReportReader, id: string, view: 'list' | 'full') =>
  queryOptions({
    queryKey: [moderation.report.path, id, view],
    async queryFn({ client }) {
      const report = await founder.call(moderation.report, { params: { id }, query: { view } })
      const keys = await loadKeys(client, founder, report.keyId)
      return decryptReport(founder.call, keys?.seeds ?? new Map(), report)
    },
    gcTime: view === 'full' ? 0 : 60_000,
  })

export const scanMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: () => call(moderation.scan, {}),
    onSuccess: ({ flaggedCount }) => toast({ title: texts.scanned, description: texts.found(flaggedCount) }),
    onError: (error) => toastError(error, texts.scanFailed, texts.scanFailedHint),
    onSettled: () => refetchFlags(queries),
  })

/** Call it after refetching the list: a removed report that is still shown would be fetched again, but is gone. */
function removeReports(queries: QueryClient, ids: readonly string[]): void {
  for (const id of ids) queries.removeQueries({ queryKey: [moderation.report.path, id] })
}

export const unflagMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: FlaggedMessage) => call(moderation.unflag, { params: { id } }),
    onSuccess: () => toast({ title: texts.unflagged, description: texts.unflaggedHint }),
    onError: (error) => toastError(error, texts.unflagFailed, texts.unflagFailedHint),
    async onSettled(result, _error, { id }) {
      await refetchFlags(queries)
      if (result) removeReports(queries, [id])
    },
  })

/** If some messages fail, the dialog lists them instead of a toast. */
export const unflagSeveralMutation = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: (flags: readonly FlaggedMessage[]) =>
      call(moderation.unflagSeveral, { body: { ids: flags.map(({ id }) => id) } }),
    onSuccess({ unflagged, failed }) {
      if (failed.length > 0) return
      toast({ title: texts.several.done, description: texts.several.doneHint(formatNumber(unflagged.length)) })
    },
    onError: (error) => toastError(error, texts.unflagFailed, texts.several.failedHint),
    async onSettled(result) {
      await refetchFlags(queries)
      if (result) removeReports(queries, result.unflagged)
    },
  })
