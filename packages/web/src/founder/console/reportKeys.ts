import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { FounderClient, ReportKeys } from '@privity/client/founder'
import { moderation } from '@privity/contract/founder/moderation'

type KeyLoader = Pick<FounderClient, 'reportKeys'>

/** The keys with which this browser decrypts reports, fetched once for all of them; null if they are locked. */
export const reportKeysQuery = ({ reportKeys }: KeyLoader) =>
  queryOptions({
    queryKey: ['report keys of this browser'],
    queryFn: async (): Promise<ReportKeys | null> => (await reportKeys()) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Decrypts reports again after an unlock or a new password. */
export async function reopenReports(queries: QueryClient, client: KeyLoader): Promise<void> {
  await queries.invalidateQueries({ queryKey: reportKeysQuery(client).queryKey })
  await queries.invalidateQueries({ queryKey: [moderation.report.path] })
}
