import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { grant } from './grant.ts'
import { sealed } from './keys/keys.ts'
import { limits } from './limits.ts'
import { filePath } from './messages/messages.ts'
import { id, time } from './values.ts'

export const downloadStatus = z.enum(['checking', 'none', 'pending', 'authorized', 'can_download', 'denied'])
export type DownloadStatus = z.output<typeof downloadStatus>

export const recipientAccess = z.object({
  authorizationId: id,
  status: z.enum(['pending', 'authorized', 'denied']),
  downloadsLeft: z.int().min(0).max(limits.downloadsPerAuthorization),
})
export type RecipientAccess = z.output<typeof recipientAccess>

export const fileStatus = z.object({
  status: downloadStatus,
  authorizationId: id.optional(),
  downloadsLeft: z.int().min(0).max(limits.downloadsPerAuthorization).optional(),
  grant: grant.optional().describe('for the recipient, once authorized'),
  recipient: recipientAccess.optional().describe('for the owner, once the contact has requested the file'),
})
export type FileStatus = z.output<typeof fileStatus>

export const authorizationRequest = z.object({
  id,
  requestedBy: z.string().optional(),
  requestedByEmail: z.string().optional().describe('absent while they show contacts only their name'),
  requestedById: id,
  requestedAt: time,
  connectionId: id,
  seq: z.int().positive().describe('sequence number of the file message in its connection'),
  filePath,
  fileName: sealed.describe('the name, sealed for the owner'),
  fileKey: sealed.describe('the file key, sealed for the owner'),
  ownerEpoch: z.int().min(1).describe("the owner's epoch that name and key are sealed under"),
})
export type AuthorizationRequest = z.output<typeof authorizationRequest>

export const files = {
  createUpload: endpoint({
    method: 'POST',
    path: '/api/objects/upload',
    guard: 'member',
    limit: 'upload',
    result: z.object({ uploadURL: z.string() }),
    summary: 'A single-use address, valid for 15 minutes, to PUT the raw ciphertext to',
  }),
  register: endpoint({
    method: 'PUT',
    path: '/api/files',
    guard: 'member',
    body: z.object({ fileURL: z.string().max(2048) }),
    result: z.object({ filePath, fileSize: z.int().nonnegative() }),
    errors: ['UPLOAD_NOT_FOUND'],
    summary: 'Register an uploaded file; returns its path',
  }),
  listPending: endpoint({
    method: 'GET',
    path: '/api/file-authorizations/pending',
    guard: 'member',
    polled: true,
    byItself: true,
    result: z.array(authorizationRequest),
    summary: "File requests that await the caller's decision, oldest first",
  }),
  decide: endpoint({
    method: 'PATCH',
    path: '/api/file-authorizations/:id',
    guard: 'member',
    params: z.object({ id }),
    body: z.object({
      authorize: z.boolean(),
      downloadLimit: z.int().min(1).max(limits.downloadsPerAuthorization).default(limits.downloadsPerAuthorization),
      grant: grant.optional().describe('required to approve: the key for the recipient'),
    }),
    result: fileStatus,
    errors: ['AUTHORIZATION_NOT_FOUND', 'AUTHORIZATION_DECIDED', 'EPOCH_SUPERSEDED'],
    summary: 'Approve a request with the key, deny it, revoke it, or approve again what was denied, revoked or used up',
  }),
  check: endpoint({
    method: 'GET',
    path: '/api/file-authorizations/check/*',
    guard: 'member',
    params: z.object({ '*': z.string().max(200).describe('the file path, with or without its leading slash') }),
    result: fileStatus,
    errors: ['FILE_NOT_FOUND'],
    summary: 'Whether the caller may download a file',
  }),
  request: endpoint({
    method: 'POST',
    path: '/api/file-authorizations/request',
    guard: 'member',
    body: z.object({
      filePath,
      fileName: z
        .string()
        .max(16 * 1024)
        .optional(),
    }),
    result: fileStatus,
    errors: ['FILE_NOT_FOUND', 'REQUEST_EXISTS'],
    summary: 'Request access to a file from its sender',
  }),
}

/** Raw bodies, outside the JSON calls: PUT of the ciphertext, GET of it under /objects/. */
export const uploadPath = '/api/objects/uploads/:id'
export const downloadPath = '/objects/:id'
