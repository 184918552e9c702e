import type { Readable } from 'node:stream'
import { AppError } from '@privity/contract/errors'
import { coalesce } from '../../core/async/promises.ts'
import type { Core } from '../../core/core.ts'
import type { Caller } from '../../core/http/guards.ts'
import type { Session } from '../../core/sessions/sessions.ts'
import { checkSession } from '../session/passwordCheck.ts'
import { accessFile } from './files.ts'
import { selectAuthorization } from './queries.ts'

/** A download under way in this process. */
export interface ActiveDownload {
  readonly fileId: string
  readonly userId: string
  readonly sessionId: string
  /** Set once the caller is known to have access to the file. */
  connectionId: string | undefined
  isAborted: boolean
  /** Aborts the response; does nothing before there is one. */
  abort: () => void
}

interface ActiveUpload {
  userId: string
  sessionId: string
  body: Readable
}

/** More at once than a person ever needs. */
const maxDownloadsPerUser = 8
const maxUploadsPerUser = 8

const activeDownloads = new Set<ActiveDownload>()

/** Uploads whose bodies are arriving in this process, by id; never stale, however old. */
export const activeUploads = new Map<string, ActiveUpload>()

const tooManyTransfers = (kind: 'downloads' | 'uploads') =>
  new AppError('RATE_LIMITED', {
    message: `Too many ${kind} at once. Wait until one has finished, then try again.`,
    retryAfter: 10,
  })

/** Registers a download of the caller until `unregisterDownload`. */
export function registerDownload({ userId, sessionId }: Caller, fileId: string): ActiveDownload {
  if (listDownloads().filter((download) => download.userId === userId).length >= maxDownloadsPerUser)
    throw tooManyTransfers('downloads')
  const download = { fileId, userId, sessionId, connectionId: undefined, isAborted: false, abort: () => {} }
  activeDownloads.add(download)
  return download
}

export const unregisterDownload = (download: ActiveDownload): void => void activeDownloads.delete(download)

export const listDownloads = (): ActiveDownload[] => [...activeDownloads]

export function checkUploadCount(userId: string): void {
  if ([...activeUploads.values()].filter((upload) => upload.userId === userId).length >= maxUploadsPerUser)
    throw tooManyTransfers('uploads')
}

/**
 * Re-checks the session and the second factor after registering a transfer: a revocation between the guard and this
 * moment found no transfer to abort.
 */
export async function recheckAccess(core: Core, caller: Caller): Promise<void> {
  await checkSession(core.db.read, caller)
  if (await core.isFactorMissing(caller.userId)) throw new AppError('SECOND_FACTOR_MISSING')
}

export function abortDownload(download: ActiveDownload): void {
  if (download.isAborted) return
  download.isAborted = true
  download.abort()
}

function abortDownloads(matches: (download: ActiveDownload) => boolean): void {
  for (const download of listDownloads().filter(matches)) abortDownload(download)
}

function abortUploads(matches: (upload: ActiveUpload) => boolean, code: 'NOT_SIGNED_IN' | 'SECOND_FACTOR_MISSING') {
  for (const upload of activeUploads.values()) if (matches(upload)) upload.body.destroy(new AppError(code))
}

/**
 * Aborts transfers as soon as what allowed them is gone: the session, the second factor, and for downloads the file,
 * its authorization or its connection. Nothing is left of an aborted upload.
 */
export function abortTransfersWithoutAccess({ bus }: Core): void {
  bus.subscribe('sessionEnded', ({ sessionIds }) => {
    abortDownloads(({ sessionId }) => sessionIds.includes(sessionId))
    abortUploads(({ sessionId }) => sessionIds.includes(sessionId), 'NOT_SIGNED_IN')
  })
  bus.subscribe('factorMissing', ({ userId }) => {
    abortDownloads((download) => download.userId === userId)
    abortUploads((upload) => upload.userId === userId, 'SECOND_FACTOR_MISSING')
  })
  bus.subscribe('accessEnded', (ended) =>
    abortDownloads(({ connectionId, fileId, userId }) => {
      if ('connectionId' in ended) return ended.connectionId === connectionId
      return ended.fileId === fileId && (ended.userId === undefined || ended.userId === userId)
    }),
  )
}

const listTransfers = () => [...activeDownloads, ...activeUploads.values()]

/** The sessions with a transfer under way in this process. */
export const listTransferSessions = (): Pick<Session, 'id' | 'userId'>[] =>
  listTransfers().map(({ sessionId, userId }) => ({ id: sessionId, userId }))

/** Aborts transfers when a new policy requires a second factor that their user lacks. */
export function abortTransfersOnPolicyChange({ background, bus, isFactorMissing }: Core): void {
  /** Checks every user with a transfer: no other check finds a user without an open socket. */
  async function checkSecondFactors(): Promise<void> {
    for (const userId of new Set(listTransfers().map((transfer) => transfer.userId)))
      if (await isFactorMissing(userId)) bus.publish('factorMissing', { userId })
  }

  bus.subscribe('policyChanged', () => background.run('transfers under a policy', checkSecondFactors))
}

/** Aborts downloads whose access may have ended while this process missed events of the bus. */
export function revalidateDownloads(core: Core): void {
  /** The file or its connection is gone, or the authorization was denied or revoked. */
  async function hasLostAccess({ fileId, userId }: ActiveDownload): Promise<boolean> {
    try {
      const { isOwner } = await accessFile(core.db.read, fileId, userId, core.clock.now())
      return !isOwner && (await selectAuthorization(core.db.read, fileId, userId))?.status === 'denied'
    } catch (error) {
      if (error instanceof AppError && error.code === 'FILE_NOT_FOUND') return true
      throw error
    }
  }

  const revalidate = coalesce(async () => {
    for (const download of listDownloads())
      if (download.connectionId !== undefined && (await hasLostAccess(download))) abortDownload(download)
  })
  core.bus.subscribe('eventsLost', () => core.background.run('downloads under way', revalidate))
}
