import { AppError } from '@privity/contract/errors'
import type { AuthorizationRequest, FileStatus, Grant } from '@privity/contract/files'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import type { FileAuthorizationRow } from '../../core/database/tables/files.ts'
import { visibilityAmong } from '../connections/visibility.ts'
import { getKeysOf } from '../keys/keys.ts'
import { addNotification, settleFileRequest } from '../notifications/notifications.ts'
import { accessFile, idOf, pathOf } from './files.ts'
import {
  type Decision,
  putRequest,
  type RequestRow,
  selectAuthorization,
  selectOwnAuthorization,
  selectPending,
  selectPendingOne,
  setDecision,
} from './queries.ts'
import { ownStatusOf, statusOf, notifyStatus } from './status.ts'

const asked = /^\/*(?:objects\/)?([0-9a-f-]{36})$/

/** `path` is a file path, with or without leading slashes, or a bare id. */
export async function checkFile({ db, clock }: Core, userId: string, path: string): Promise<FileStatus> {
  const id = asked.exec(path)?.[1]
  if (id === undefined) throw new AppError('FILE_NOT_FOUND')
  const { isOwner, otherId } = await accessFile(db.read, id, userId, clock.now())
  if (isOwner) return ownStatusOf(await selectAuthorization(db.read, id, otherId))
  return statusOf(await selectAuthorization(db.read, id, userId))
}

const toRequest = (row: RequestRow, profile: boolean): AuthorizationRequest => ({
  id: row.id,
  requestedBy: `${row.first_name} ${row.last_name}`.trim() || undefined,
  requestedByEmail: profile ? row.email : undefined,
  requestedById: row.requester_id,
  requestedAt: row.requested_at,
  connectionId: row.connection_id,
  seq: row.seq,
  filePath: pathOf(row.file_id),
  fileName: row.file_name,
  fileKey: row.file_key,
  ownerEpoch: row.owner_epoch,
})

export async function listPending({ db, clock }: Core, ownerId: string): Promise<AuthorizationRequest[]> {
  const rows = await selectPending(db.read, ownerId, clock.now())
  const seen = await visibilityAmong(db.read, [ownerId, ...new Set(rows.map((row) => row.requester_id))])
  return rows.map((row) => toRequest(row, seen(row.requester_id, ownerId).profile))
}

const unanswered = {
  status: 'pending' as const,
  downloads_left: 0,
  grant_epoch_to: null,
  grant_sealed_key: null,
  grant_signature: null,
}

/**
 * Requests the file from its sender: once, and again only after the downloads are used up. After a denial only the
 * sender can allow it.
 */
export function requestFile(core: Core, caller: Caller, filePath: string): Promise<FileStatus> {
  const fileId = idOf(filePath)
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const { file, isOwner, otherId } = await accessFile(tx, fileId, caller.userId, now)
    if (isOwner) return ownStatusOf(await selectAuthorization(tx, fileId, otherId))
    const before = await selectAuthorization(tx, fileId, caller.userId)
    if (before !== undefined && statusOf(before).status !== 'none') throw new AppError('REQUEST_EXISTS')
    const { owner_id: ownerId, connection_id: connectionId } = file
    const id = before?.id ?? newId(now)
    await putRequest(tx, { id, fileId, connectionId, ownerId, requesterId: caller.userId, now })
    await audit(tx, {
      action: 'file_access_requested',
      actorId: caller.userId,
      targetId: ownerId,
      address: caller.address,
      details: { fileId },
      at: now,
    })
    await addNotification(tx, core, ownerId, {
      kind: 'file_requested',
      connectionId,
      peerId: caller.userId,
      fileId,
      fileExpiresAt: file.expires_at,
    })
    const request = await selectPendingOne(tx, id, ownerId, now)
    const { profile } = (await visibilityAmong(tx, [ownerId, caller.userId]))(caller.userId, ownerId)
    const row = { ...unanswered, id }
    tx.afterCommit(() => {
      if (before !== undefined) core.db.emptyLogSoon()
      if (request !== undefined)
        core.sockets.notify(ownerId, { type: 'authorization_requested', request: toRequest(request, profile) })
      notifyStatus(core, fileId, ownerId, caller.userId, row)
    })
    return statusOf(row)
  })
}

/** A grant carries the file key, encrypted for the requester's newest epoch. */
async function checkGrant(tx: Tx, requesterId: string, grant: Grant): Promise<void> {
  const peer = await getKeysOf(tx, requesterId)
  if (grant.epochTo === peer.epoch.n) return
  throw new AppError('EPOCH_SUPERSEDED', { details: { epochTo: peer.epoch.n, peer } })
}

interface Decided {
  authorize: boolean
  downloadLimit: number
  grant?: Grant
}

type Verdict = 'approved' | 'denied' | 'revoked'

/**
 * Owners can change their mind: revoke, authorize after a denial or revocation, and authorize again when the downloads
 * are used up. A decision that changes nothing is refused, so only one of two concurrent decisions counts.
 */
function verdictOn(row: FileAuthorizationRow, authorize: boolean): Verdict {
  if (row.status === 'pending') return authorize ? 'approved' : 'denied'
  const isAllowed = row.status === 'authorized' && row.downloads_left > 0
  if (authorize && !isAllowed) return 'approved'
  if (!authorize && row.status === 'authorized') return 'revoked'
  throw new AppError('AUTHORIZATION_DECIDED')
}

function decisionOf({ authorize, downloadLimit, grant }: Decided, now: number): Decision {
  const key = authorize ? grant : undefined
  return {
    status: authorize ? 'authorized' : 'denied',
    decided_at: now,
    downloads_left: authorize ? downloadLimit : 0,
    grant_epoch_to: key?.epochTo ?? null,
    grant_sealed_key: key?.sealedKey ?? null,
    grant_signature: key?.signature ?? null,
  }
}

/** The owner authorizes with the key, denies, revokes, or authorizes again; denial and revocation delete the key. */
export function decide(core: Core, caller: Caller, id: string, decided: Decided): Promise<FileStatus> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const row = await selectOwnAuthorization(tx, id, caller.userId, now)
    if (row === undefined) throw new AppError('AUTHORIZATION_NOT_FOUND')
    const verdict = verdictOn(row, decided.authorize)
    const { requester_id: requesterId, file_id: fileId } = row
    if (decided.authorize && decided.grant !== undefined) await checkGrant(tx, requesterId, decided.grant)
    const decision = decisionOf(decided, now)
    await setDecision(tx, id, decision)
    await audit(tx, {
      action: `file_access_${verdict}`,
      actorId: caller.userId,
      targetId: requesterId,
      address: caller.address,
      details: { fileId, downloads: decision.downloads_left },
      at: now,
    })
    await settleFileRequest(tx, core, caller.userId, fileId)
    await addNotification(tx, core, requesterId, {
      kind: 'file_decided',
      decision: verdict,
      connectionId: row.connection_id,
      peerId: caller.userId,
      fileId,
      fileExpiresAt: row.file_expires_at,
    })
    const decidedRow = { id, ...decision }
    tx.afterCommit(() => {
      if (!decided.authorize) {
        core.db.emptyLogSoon()
        core.bus.publish('accessEnded', { fileId, userId: requesterId })
      }
      notifyStatus(core, fileId, caller.userId, requesterId, decidedRow)
    })
    return ownStatusOf(decidedRow)
  })
}
