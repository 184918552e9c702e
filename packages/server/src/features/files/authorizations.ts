import { hash } from 'node:crypto'
import { destructionTime } from '@privity/contract/epochTimes'
import { AppError } from '@privity/contract/errors'
import { filePathOf } from '@privity/contract/fileRef'
import type { AuthorizationRequest, FileStatus } from '@privity/contract/files'
import type { Grant } from '@privity/contract/grant'
import { limits } from '@privity/contract/limits'
import { signedGrantBytes } from '@privity/contract/signedBytes'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import type { FileAuthorizationRow } from '../../core/database/tables/files.ts'
import { loadVisibility } from '../connections/visibility.ts'
import { getKeysOf } from '../keys/keys.ts'
import { findEpochUse, isInUse } from '../keys/epochUse.ts'
import { requireKeys } from '../keys/requireKeys.ts'
import { decode, invalid, isSignedBy } from '../keys/signatures.ts'
import { addNotification, markFileRequestRead } from '../notifications/notifications.ts'
import { getUser } from '../session/users.ts'
import { accessFile, requireFileId } from './files.ts'
import {
  type AuthorizationUpdate,
  putRequest,
  type RequestRow,
  selectAuthorization,
  selectOwnAuthorization,
  selectPending,
  selectPendingOne,
  updateAuthorization,
} from './queries.ts'
import { isUsedUp, notifyStatus, ownStatusOf, statusOf } from './status.ts'

/** Returns the user's own status of a file. */
export async function checkFile({ db, clock }: Core, userId: string, reference: string): Promise<FileStatus> {
  const id = requireFileId(reference)
  const { isOwner, contactId } = await accessFile(db.read, id, userId, clock.now())
  if (isOwner) return ownStatusOf(await selectAuthorization(db.read, id, contactId))
  return statusOf(await selectAuthorization(db.read, id, userId))
}

const toRequest = (row: RequestRow, isProfileVisible: boolean): AuthorizationRequest => ({
  id: row.id,
  requestedBy: `${row.first_name} ${row.last_name}`.trim() || undefined,
  requestedByEmail: isProfileVisible ? row.email : undefined,
  requestedById: row.requester_id,
  requestedAt: row.requested_at,
  connectionId: row.connection_id,
  seq: row.seq,
  filePath: filePathOf(row.file_id),
  fileName: row.file_name,
  fileKey: row.file_key,
  ownerEpoch: row.owner_epoch,
})

export async function listPending({ db, clock }: Core, ownerId: string): Promise<AuthorizationRequest[]> {
  const rows = await selectPending(db.read, ownerId, clock.now())
  const seen = await loadVisibility(db.read, [ownerId, ...new Set(rows.map((row) => row.requester_id))])
  return rows.map((row) => toRequest(row, seen(row.requester_id, ownerId).profile))
}

const undecided = {
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
  const fileId = requireFileId(filePath)
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const { file, isOwner, contactId } = await accessFile(tx, fileId, caller.userId, now)
    if (isOwner) return ownStatusOf(await selectAuthorization(tx, fileId, contactId))
    const before = await selectAuthorization(tx, fileId, caller.userId)
    if (before !== undefined && !isUsedUp(before)) throw new AppError('REQUEST_EXISTS')
    const { owner_id: ownerId, connection_id: connectionId } = file
    const id = before?.id ?? newId(now)
    await putRequest(tx, { id, fileId, connectionId, ownerId, requesterId: caller.userId, now })
    await auditCall(tx, caller, { action: 'file_access_requested', targetId: ownerId, details: { fileId }, at: now })
    await addNotification(tx, core, ownerId, {
      kind: 'file_requested',
      connectionId,
      peerId: caller.userId,
      fileId,
      fileExpiresAt: file.expires_at,
    })
    const request = await selectPendingOne(tx, id, ownerId, now)
    const { profile } = (await loadVisibility(tx, [ownerId, caller.userId]))(caller.userId, ownerId)
    const row = { ...undecided, id }
    tx.afterCommit(() => {
      if (before !== undefined) core.db.emptyLogSoon()
      if (request !== undefined)
        core.sockets.notify(ownerId, { type: 'authorization_requested', request: toRequest(request, profile) })
      notifyStatus(core, fileId, ownerId, caller.userId, row)
    })
    return statusOf(row)
  })
}

/** A grant carries the file key, encrypted for the epoch of the requester whose time it is. */
async function checkGrantEpoch(tx: Tx, requesterId: string, { epochTo }: Grant, now: number): Promise<void> {
  const use = await findEpochUse(tx, requesterId, epochTo)
  if (use !== undefined && isInUse(use, now)) return
  const peer = await getKeysOf(tx, requesterId, now)
  // The last one of a requester who is away serves as long as they can open it.
  if (epochTo === peer.epoch.n && now < destructionTime(peer.epoch)) return
  throw new AppError('EPOCH_SUPERSEDED', { details: { epochTo: peer.epoch.n, peer } })
}

/** Identifies a grant by its sealed key: the same key under another signature is the same grant. */
const toGrantHash = ({ sealedKey }: Grant): string => hash('sha256', decode(sealedKey), 'base64url')

type UsedGrants = Pick<FileAuthorizationRow, 'used_grants'>
const readUsedGrants = ({ used_grants: used }: UsedGrants) => JSON.parse(used) as string[]

/**
 * Throws unless the owner's identity key signed the grant, because a session alone must approve nothing. Throws if it
 * was used for this file and recipient before: the recipient, who still has it, could pass it on to approve again what
 * was revoked or is used up.
 */
async function checkNewGrant(
  tx: Tx,
  { owner_id: from, requester_id: to, file_id: fileId, ...row }: FileAuthorizationRow,
  grant: Grant,
): Promise<void> {
  if (readUsedGrants(row).includes(toGrantHash(grant))) throw invalid('grant', 'This grant was used before.')
  const { identity_key: identityFrom } = requireKeys(await getUser(tx, from))
  const { identity_key: identityTo } = requireKeys(await getUser(tx, to))
  const signed = { ...grant, filePath: filePathOf(fileId), from, to, identityFrom, identityTo }
  if (!isSignedBy(identityFrom, signedGrantBytes(signed, decode), grant.signature))
    throw invalid('grant', 'The identity key did not sign the grant.')
}

/** The words of the audit log and of notifications. */
type Outcome = 'approved' | 'denied' | 'revoked'

/**
 * Owners can change their mind: revoke, authorize after a denial or revocation, and authorize again when the downloads
 * are used up. A decision that changes nothing is refused, so only one of two concurrent decisions counts.
 */
function outcomeOf(row: FileAuthorizationRow, authorize: boolean): Outcome {
  if (row.status === 'pending') return authorize ? 'approved' : 'denied'
  if (authorize && (row.status === 'denied' || isUsedUp(row))) return 'approved'
  if (!authorize && row.status === 'authorized') return 'revoked'
  throw new AppError('AUTHORIZATION_DECIDED')
}

interface Decision {
  authorize: boolean
  downloadLimit: number
  grant?: Grant
}

function toAuthorizationUpdate(
  { authorize, downloadLimit, grant }: Decision,
  before: UsedGrants,
  now: number,
): AuthorizationUpdate {
  const key = authorize ? grant : undefined
  return {
    status: authorize ? 'authorized' : 'denied',
    decided_at: now,
    downloads_left: authorize ? downloadLimit : 0,
    grant_epoch_to: key?.epochTo ?? null,
    grant_sealed_key: key?.sealedKey ?? null,
    grant_signature: key?.signature ?? null,
    used_grants: key ? JSON.stringify([...readUsedGrants(before), toGrantHash(key)]) : before.used_grants,
  }
}

interface GrantedFile {
  fileId: string
  connectionId: string
  requesterId: string
  grant: Grant
  now: number
}

/** Authorizes the recipient in the transaction that stores the file's message: both exist, or neither does. */
export async function approveWithMessage(tx: Tx, caller: Caller, granted: GrantedFile): Promise<void> {
  const { fileId, connectionId, requesterId, grant, now } = granted
  await checkGrantEpoch(tx, requesterId, grant, now)
  const id = newId(now)
  await putRequest(tx, { id, fileId, connectionId, ownerId: caller.userId, requesterId, now })
  const decision = { authorize: true, downloadLimit: limits.downloadsPerAuthorization, grant }
  await updateAuthorization(tx, id, toAuthorizationUpdate(decision, { used_grants: '[]' }, now))
  const details = { fileId, downloads: decision.downloadLimit }
  await auditCall(tx, caller, { action: 'file_access_approved', targetId: requesterId, details, at: now })
}

/** The owner authorizes with the key, denies, revokes, or authorizes again; denial and revocation delete the key. */
export function decideAuthorization(core: Core, caller: Caller, id: string, decision: Decision): Promise<FileStatus> {
  return core.db.write(async (tx) => {
    const now = core.clock.now()
    const row = await selectOwnAuthorization(tx, id, caller.userId, now)
    if (row === undefined) throw new AppError('AUTHORIZATION_NOT_FOUND')
    const outcome = outcomeOf(row, decision.authorize)
    const { requester_id: requesterId, file_id: fileId } = row
    if (decision.authorize) {
      if (decision.grant === undefined) throw invalid('grant', 'An approval carries the key for the recipient.')
      await checkGrantEpoch(tx, requesterId, decision.grant, now)
      await checkNewGrant(tx, row, decision.grant)
    }
    const update = toAuthorizationUpdate(decision, row, now)
    await updateAuthorization(tx, id, update)
    await auditCall(tx, caller, {
      action: `file_access_${outcome}`,
      targetId: requesterId,
      details: { fileId, downloads: update.downloads_left },
      at: now,
    })
    await markFileRequestRead(tx, core, caller.userId, fileId)
    await addNotification(tx, core, requesterId, {
      kind: 'file_decided',
      decision: outcome,
      connectionId: row.connection_id,
      peerId: caller.userId,
      fileId,
      fileExpiresAt: row.file_expires_at,
    })
    const decidedRow = { id, ...update }
    tx.afterCommit(() => {
      if (!decision.authorize) {
        core.db.emptyLogSoon()
        core.bus.publish('accessEnded', { fileId, userId: requesterId })
      }
      notifyStatus(core, fileId, caller.userId, requesterId, decidedRow)
    })
    return ownStatusOf(decidedRow)
  })
}
