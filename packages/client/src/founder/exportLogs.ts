import { platformExportPath } from '@privity/contract/founder/auditExport'
import { offlineError, toCallError } from '../transport/call.ts'

export interface LogQuery {
  format: 'csv' | 'json'
  /** ISO, both of them within the range. */
  startDate: string
  endDate: string
  /** Without it the audit log and all events. */
  eventType?: string | undefined
}

/** 10,000 rows take seconds; nothing may wait for ever. */
const patience = 120_000

/** As the server names the file, without a folder; `audit_logs.{format}` where it does not. */
function nameOf(answer: Response, format: string): string {
  const given = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? ''
  return /^[\w. -]{1,128}$/.test(given) && !given.startsWith('.') ? given : `audit_logs.${format}`
}

/** The whole file: one that breaks off is a failure. */
export async function exportLogs(
  origin: string,
  fetch: typeof globalThis.fetch,
  { format, startDate, endDate, eventType }: LogQuery,
): Promise<{ name: string; content: Blob }> {
  const query = new URLSearchParams({ format, startDate, endDate, ...(eventType === undefined ? {} : { eventType }) })
  const signal = AbortSignal.timeout(patience)
  try {
    const answer = await fetch(`${origin}${platformExportPath}?${query}`, { credentials: 'include', signal })
    if (answer.ok) return { name: nameOf(answer, format), content: await answer.blob() }
    throw await toCallError(answer)
  } catch (error) {
    throw error instanceof Error && 'sentence' in error ? error : offlineError(error)
  }
}
