import { AppError } from '@privity/contract/errors'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'

/** A download under way in this process. */
export interface Running {
  readonly fileId: string
  readonly userId: string
  readonly sessionId: string
  /** Known once it is clear that the caller may know of the file. */
  connectionId: string | undefined
  ended: boolean
  /** Cuts the answer off; does nothing before there is one. */
  cut: () => void
}

const mostOfUser = 8
const running = new Set<Running>()

/** Counts among the caller's downloads from now until `leave`; refuses more than a person ever needs at once. */
export function enter(caller: Caller, fileId: string): Running {
  const { userId, sessionId } = caller
  if ([...running].filter((one) => one.userId === userId).length >= mostOfUser) {
    const message = 'Too many downloads at once. Wait until one has finished, then try again.'
    throw new AppError('RATE_LIMITED', { message, retryAfter: 10 })
  }
  const entered: Running = { fileId, userId, sessionId, connectionId: undefined, ended: false, cut: () => {} }
  running.add(entered)
  return entered
}

export const leave = (entered: Running): void => void running.delete(entered)

export function end(one: Running): void {
  if (one.ended) return
  one.ended = true
  one.cut()
}

function endWhere(matches: (one: Running) => boolean): void {
  for (const one of [...running].filter(matches)) end(one)
}

export const downloads = (): Running[] => [...running]

export const downloadingUsers = (): string[] => downloads().map(({ userId }) => userId)

/** Ends downloads the moment their reason is gone: the file, the approval, the connection, the session, the second factor. */
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
