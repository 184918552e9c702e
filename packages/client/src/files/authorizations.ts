import { type AuthorizationRequest, files as contract, type FileStatus } from '@privity/contract/files'
import { fileIdOf } from '@privity/contract/fileRef'
import { openNameForOwner } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, isCallError } from '../transport/callError.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { Clock } from '../transport/clock.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Contacts } from '../trust/types.ts'
import type { DecryptedMessages } from '../messages/decrypt.ts'
import type { DecryptedMessage, DecryptedRequest } from '../types.ts'
import type { OwnedFile } from './approval.ts'

/** Requests for contacts' files, and decisions on requests for own files. */
export interface Authorizations {
  status(filePath: string): Promise<FileStatus>
  request(message: DecryptedMessage): Promise<FileStatus>
  pending(): Promise<DecryptedRequest[]>
  /**
   * Decrypts the file name of a request. Undefined, and the user is alerted, if the requester is not the contact of
   * that connection.
   */
  decryptRequest(request: AuthorizationRequest): Promise<DecryptedRequest | undefined>
  /** Authorizing a download means encrypting the file key for the requester, which happens here. */
  decide(request: DecryptedRequest, authorize: boolean): Promise<FileStatus>
  revoke(authorizationId: string): Promise<FileStatus>
  /** Authorizes an earlier requester again: after a denial, or once all downloads are used. */
  allow(message: DecryptedMessage, authorizationId: string): Promise<FileStatus>
}

export function createAuthorizations(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  contacts: Contacts
  decryptedMessages: Pick<DecryptedMessages, 'find'>
  alarm: SecurityAlert
}): Authorizations {
  const { call, keyring, contacts } = deps

  async function ownerBinding({ ownerEpoch, filePath, connectionId }: OwnedFile, recipientId: string) {
    const seed = await keyring.seed(ownerEpoch)
    const fileId = fileIdOf(filePath)
    if (!seed || fileId === undefined) return undefined
    return { seed, userId: keyring.userId, epoch: ownerEpoch, connectionId, recipientId, fileId }
  }

  async function decryptRequest(request: AuthorizationRequest): Promise<DecryptedRequest | undefined> {
    try {
      const contactId = await contacts.userIdOf(request.connectionId)
      if (contactId !== request.requestedById) {
        deps.alarm('REQUEST_STRANGE')
        return undefined
      }
      const owner = await ownerBinding(request, contactId)
      return { ...request, name: owner && (await openNameForOwner(owner, request.fileName)) }
    } catch (error) {
      if (isCallError(error, 'CONNECTION_NOT_FOUND')) return undefined
      if (isCallError(error)) throw error
      return { ...request, name: undefined }
    }
  }

  const approval = loadLazily(async () => (await import('./approval.ts')).createApproval({ ...deps, ownerBinding }))

  const deny = (id: string) => call(contract.decide, { params: { id }, body: { downloadLimit: 3, authorize: false } })

  return {
    decryptRequest,
    status: (filePath) => call(contract.check, { params: { '*': filePath } }),
    async request({ filePath, fileName, body }) {
      if (filePath === undefined || body.kind !== 'file') throw new Error('The message has no file.')
      return call(contract.request, { body: { filePath, fileName } })
    },
    async pending() {
      const requests = await Promise.all((await call(contract.listPending, {})).map(decryptRequest))
      return requests.filter((request) => request !== undefined)
    },
    decide: (request, authorize) => (authorize ? approval.approve(request) : deny(request.id)),
    allow: (message, authorizationId) => approval.approveAgain(message, authorizationId),
    revoke: deny,
  }
}
