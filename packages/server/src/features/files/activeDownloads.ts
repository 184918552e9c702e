import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'

/** A download under way in this process. */
export interface ActiveDownload {
  readonly fileId: string
  readonly userId: string
  readonly sessionId: string
  /** Set once the caller is known to have access to the file. */
  connectionId: string | undefined
  ended: boolean
  /** Aborts the response; does nothing before there is one. */
  cut: () => void
}

const mostOfUser = 8
const running = new Set<ActiveDownload>()

/** Registers a download of the caller until `unregisterDownload`; refuses more at once than a person ever needs. */
export function registerDownload(caller: Caller, fileId: string): ActiveDownload {
  const { userId, sessionId } = caller
  if ([...running].filter((one) => one.userId === userId).length >= mostOfUser) {
    const message = 'Too many downloads at once. Wait until one has finished, then try again.'
    throw new AppError('RATE_LIMITED', { message, retryAfter: 10 })
  }
  const entered: ActiveDownload = { fileId, userId, sessionId, connectionId: undefined, ended: false, cut: () => {} }
  running.add(entered)
  return entered
}

export const unregisterDownload = (entered: ActiveDownload): void => void running.delete(entered)

export function endDownload(one: ActiveDownload): void {
  if (one.ended) return
  one.ended = true
  one.cut()
}

function endWhere(matches: (one: ActiveDownload) => boolean): void {
  for (const one of [...running].filter(matches)) endDownload(one)
}

export const listDownloads = (): ActiveDownload[] => [...running]

export const downloadingUsers = (): string[] => listDownloads().map(({ userId }) => userId)

/**
 * Ends downloads as soon as their reason is gone: the file, the authorization, the connection, the session, the second
 * factor.
 */
export function endWithAccess({ bus }: Core): void {
  bus.subscribe('sessionEnded', ({ sessionIds }) => endWhere(({ sessionId }) => sessionIds.includes(sessionId)))
  bus.subscribe('factorMissing', ({ userId }) => endWhere((one) => one.userId === userId))
  bus.subscribe('accessEnded', (gone) =>
    endWhere((one) => {
      if ('connectionId' in gone) return one.connectionId === gone.connectionId
      return one.fileId === gone.fileId && (gone.userId === undefined || one.userId === gone.userId)
    }),
  )
}
