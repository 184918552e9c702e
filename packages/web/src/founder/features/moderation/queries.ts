import { mutationOptions, type QueryClient, queryOptions } from '@tanstack/react-query'
import { type FounderClient, decryptReport, type ReportKeys } from '@privity/client/founder'
import { type FlaggedMessage, moderation } from '@privity/contract/founder/moderation'
import { messageFor } from '../../../app/callError.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { reportKeysQuery } from '../../console/reportKeys.ts'
import { moderationTexts as texts } from './texts.ts'

type Calls = Pick<FounderClient, 'call'>
type Readers = Pick<FounderClient, 'call' | 'reportKeys'>

/** Polling interval in ms. */
export const moderationPoll = 30_000

/** Includes the monitoring statistics, which count flagged messages too. */
const related: readonly string[] = [moderation.flagged.path, moderation.stats.path, '/api/founder/realtime-stats']

const refresh = (queries: QueryClient) =>
  queries.invalidateQueries({ predicate: ({ queryKey }) => related.includes(String(queryKey[0])) })

/** Fetches the keys again if one is missing: it may have been published since they were loaded. */
async function keysFor(queries: QueryClient, client: Readers, keyId: string): Promise<ReportKeys | null> {
  const query = reportKeysQuery(client)
  const known = await queries.fetchQuery(query)
  if (known === null || known.seeds.has(keyId) || known.unreadable.includes(keyId)) return known
  return queries.fetchQuery({ ...query, staleTime: 0 })
}

/**
 * A report, decrypted and verified in this browser; its content never changes. The full view is fetched each time,
 * because the server logs every view.
 */
export const reportQuery = (founder: Readers, id: string, view: 'list' | 'full') =>
  queryOptions({
    queryKey: [moderation.report.path, id, view],
    async queryFn({ client }) {
      const report = await founder.call(moderation.report, { params: { id }, query: { view } })
      const keys = await keysFor(client, founder, report.keyId)
      return decryptReport(founder.call, keys?.seeds ?? new Map(), report)
    },
    gcTime: view === 'full' ? 0 : 60_000,
  })

export const scanning = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: () => call(moderation.scan, {}),
    onSuccess({ flaggedCount }) {
      toast({ title: texts.scanned, description: texts.found(flaggedCount) })
    },
    onError(error) {
      const description = messageFor(error, texts.scanFailedHint)
      toast({ title: texts.scanFailed, description, tone: 'destructive' })
    },
    onSettled: () => refresh(queries),
  })

/** Called after the list was refetched: a report that is still shown would be fetched again, but no longer exists. */
function forgetReports(queries: QueryClient, ids: readonly string[]): void {
  for (const id of ids) queries.removeQueries({ queryKey: [moderation.report.path, id] })
}

export const unflagging = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: ({ id }: FlaggedMessage) => call(moderation.unflag, { params: { id } }),
    onSuccess() {
      toast({ title: texts.unflagged, description: texts.unflaggedHint })
    },
    onError(error) {
      const description = messageFor(error, texts.unflagFailedHint)
      toast({ title: texts.unflagFailed, description, tone: 'destructive' })
    },
    onSettled: async (done, _error, { id }) => {
      await refresh(queries)
      if (done) forgetReports(queries, [id])
    },
  })

/** If some messages fail, the dialog lists them instead of a toast. */
export const unflaggingSeveral = ({ call }: Calls, queries: QueryClient) =>
  mutationOptions({
    mutationFn: (flags: readonly FlaggedMessage[]) =>
      call(moderation.unflagSeveral, { body: { ids: flags.map(({ id }) => id) } }),
    onSuccess({ unflagged, failed }) {
      if (failed.length > 0) return
      toast({ title: texts.several.done, description: texts.several.doneHint(formatNumber(unflagged.length)) })
    },
    onError(error) {
      const description = messageFor(error, texts.several.failedHint)
      toast({ title: texts.unflagFailed, description, tone: 'destructive' })
    },
    onSettled: async (done) => {
      await refresh(queries)
      if (done) forgetReports(queries, done.unflagged)
    },
  })
