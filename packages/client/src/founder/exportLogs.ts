import { platformExportPath } from '@privity/contract/founder/auditExport'
import { offlineError, toCallError } from '../transport/call.ts'

export interface LogQuery {
  format: 'csv' | 'json'
  /** ISO 8601, both inclusive. A date without a time is its first millisecond in UTC. */
  startDate: string
  endDate: string
  /** Undefined: the audit log and all events. */
  eventType?: string | undefined
}

/** 10,000 rows take seconds; the limit only stops a hung call. */
const exportTimeoutMs = 120_000

/** The file name from the server, without a folder; `audit_logs.{format}` if it is missing or unsafe. */
function fileNameOf(response: Response, format: string): string {
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return /^[\w. -]{1,128}$/.test(name) && !name.startsWith('.') ? name : `audit_logs.${format}`
}

/** Returns the whole file; a broken transfer is a failure. */
export async function exportLogs(
  origin: string,
  fetch: typeof globalThis.fetch,
  { format, startDate, endDate, eventType }: LogQuery,
): Promise<{ name: string; content: Blob }> {
  const query = new URLSearchParams({ format, startDate, endDate, ...(eventType === undefined ? {} : { eventType }) })
  const signal = AbortSignal.timeout(exportTimeoutMs)
  try {
    const response = await fetch(`${origin}${platformExportPath}?${query}`, { credentials: 'include', signal })
    if (response.ok) return { name: fileNameOf(response, format), content: await response.blob() }
    throw await toCallError(response)
  } catch (error) {
    throw error instanceof Error && 'sentence' in error ? error : offlineError(error)
  }
}
