import { canSealTo } from '@privity/contract/epochTimes'
import { type AuthorizationRequest, files as contract, type FileStatus } from '@privity/contract/files'
import { fileIdOf } from '@privity/contract/fileRef'
import { E2eeError, hashFileKey, openForOwner, openNameForOwner } from '@privity/e2ee'
import type { Call } from '../transport/call.ts'
import { type SecurityAlert, CallError, isCallError } from '../transport/callError.ts'
import { loadLazily } from '../transport/lazy.ts'
import type { Clock } from '../transport/clock.ts'
import type { Keyring } from '../keys/keyring.ts'
import type { Contacts } from '../trust/types.ts'
import type { DecryptedMessages } from '../messages/decrypt.ts'
import type { DecryptedMessage, DecryptedRequest } from '../types.ts'

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

/** The fields of a request that the grant is created from. */
interface GrantInput extends Pick<AuthorizationRequest, 'id' | 'connectionId' | 'filePath' | 'fileKey' | 'ownerEpoch'> {
  /** The hash of the file key that the owner signed in the file message; no other key is granted. */
  keyHash: () => Promise<string>
  /** The requester according to the server. */
  requesterId?: string
}

const maxAttempts = 3

const grants = loadLazily(() => import('@privity/e2ee/grant'))

export function createAuthorizations(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  contacts: Contacts
  decryptedMessages: Pick<DecryptedMessages, 'find'>
  alarm: SecurityAlert
}): Authorizations {
  const { call, clock, keyring, contacts } = deps

  type Owned = Pick<AuthorizationRequest, 'connectionId' | 'filePath' | 'ownerEpoch'>
  async function ownerBinding({ ownerEpoch, filePath, connectionId }: Owned, recipientId: string) {
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

  /**
   * Returns the hash of the file key that the user signed in the file message. Throws FILE_OTHER unless the user sent
   * that message, and the file in it has the name that was shown. The path need not be compared: the file key is sealed
   * to it, and the hash names the key.
   */
  async function signedKeyHash({ connectionId, seq, name }: DecryptedRequest): Promise<string> {
    const message = await deps.decryptedMessages.find(connectionId, seq)
    // Another browser of the owner may have deleted it just now.
    if (!message || message.body.kind === 'deleted') throw new CallError('FILE_NOT_FOUND')
    const { mine, body } = message
    const isShown = mine && body.kind === 'file' && body.name === name
    if (!isShown) throw new CallError('FILE_OTHER')
    return body.keyHash
  }

  /** Encrypts the file key for the contact of the connection. */
  async function grant(request: GrantInput) {
    const { keys, userId } = await contacts.getForSending(request.connectionId)
    if (!canSealTo(keys.epoch, clock.now())) throw new CallError('CONTACT_AWAY')
    if (request.requesterId !== undefined && userId !== request.requesterId) throw new CallError('REQUEST_ALTERED')
    const owner = await ownerBinding(request, userId)
    if (!owner) throw new CallError('KEY_DESTROYED')
    const fileKey = await openForOwner({ ...owner, purpose: 'file-key' }, request.fileKey).catch((cause: unknown) => {
      throw cause instanceof E2eeError ? new CallError('REQUEST_ALTERED', { cause }) : cause
    })
    // The server could supply the encrypted key or the path of another file.
    if ((await hashFileKey(fileKey)) !== (await request.keyHash())) throw new CallError('FILE_OTHER')
    const { filePath } = request
    return grants.createGrant({ identity: keyring.identity, fileKey, filePath, from: keyring.userId, to: keys })
  }

  const patch = (id: string, body: { authorize: boolean; grant?: Awaited<ReturnType<typeof grant>> }) =>
    call(contract.decide, { params: { id }, body: { downloadLimit: 3, ...body } })

  async function approve(request: GrantInput): Promise<FileStatus> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await patch(request.id, { authorize: true, grant: await grant(request) })
      } catch (error) {
        if (!isCallError(error, 'EPOCH_SUPERSEDED') || attempt === maxAttempts) throw error
        contacts.invalidate(request.connectionId)
      }
    }
  }

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
    decide: (request, authorize) =>
      authorize
        ? approve({ ...request, requesterId: request.requestedById, keyHash: () => signedKeyHash(request) })
        : patch(request.id, { authorize }),
    async allow({ mine, connectionId, filePath, fileKey, ownerEpoch, body }, id) {
      if (filePath === undefined || body.kind !== 'file') throw new Error('The message has no file.')
      // A contact's message could carry the path of an own file and commit to the hash of its key.
      if (!mine) throw new CallError('FILE_OTHER')
      if (fileKey === undefined || ownerEpoch === undefined) throw new CallError('KEY_DESTROYED')
      return approve({ id, connectionId, filePath, fileKey, ownerEpoch, keyHash: async () => body.keyHash })
    },
    revoke: (authorizationId) => patch(authorizationId, { authorize: false }),
  }
}
