import { canSealTo } from '@privity/contract/epochTimes'
import { type AuthorizationRequest, files as contract, type FileStatus } from '@privity/contract/files'
import { E2eeError, hashFileKey, openForOwner } from '@privity/e2ee'
import { createGrant } from '@privity/e2ee/grant'
import type { Keyring } from '../keys/keyring.ts'
import type { DecryptedMessages } from '../messages/decrypt.ts'
import type { Call } from '../transport/call.ts'
import { CallError, isCallError } from '../transport/callError.ts'
import type { Clock } from '../transport/clock.ts'
import type { Contacts } from '../trust/types.ts'
import type { DecryptedMessage, DecryptedRequest } from '../types.ts'

export type OwnedFile = Pick<AuthorizationRequest, 'connectionId' | 'filePath' | 'ownerEpoch'>

/** The fields of a request that the grant is created from. */
interface GrantInput extends OwnedFile, Pick<AuthorizationRequest, 'id' | 'fileKey'> {
  /** The hash of the file key that the owner signed in the file message; no other key is granted. */
  keyHash: () => Promise<string>
  /** The requester according to the server. */
  requesterId?: string
}

const maxAttempts = 3

/** Approves downloads of own files: encrypts the file key for the requester. Loaded with the first approval. */
export function createApproval(deps: {
  call: Call
  clock: Clock
  keyring: Keyring
  contacts: Contacts
  decryptedMessages: Pick<DecryptedMessages, 'find'>
  /** Undefined if the seed is destroyed. */
  ownerBinding: (
    file: OwnedFile,
    recipientId: string,
  ) => Promise<Omit<Parameters<typeof openForOwner>[0], 'purpose'> | undefined>
}) {
  const { call, clock, keyring, contacts } = deps

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
    const owner = await deps.ownerBinding(request, userId)
    if (!owner) throw new CallError('KEY_DESTROYED')
    const fileKey = await openForOwner({ ...owner, purpose: 'file-key' }, request.fileKey).catch((cause: unknown) => {
      throw cause instanceof E2eeError ? new CallError('REQUEST_ALTERED', { cause }) : cause
    })
    // The server could supply the encrypted key or the path of another file.
    if ((await hashFileKey(fileKey)) !== (await request.keyHash())) throw new CallError('FILE_OTHER')
    const { filePath } = request
    return createGrant({ identity: keyring.identity, fileKey, filePath, from: keyring.userId, to: keys })
  }

  async function approve(request: GrantInput): Promise<FileStatus> {
    for (let attempt = 1; ; attempt++) {
      try {
        const body = { downloadLimit: 3, authorize: true, grant: await grant(request) }
        return await call(contract.decide, { params: { id: request.id }, body })
      } catch (error) {
        if (!isCallError(error, 'EPOCH_SUPERSEDED') || attempt === maxAttempts) throw error
        contacts.invalidate(request.connectionId)
      }
    }
  }

  return {
    approve: (request: DecryptedRequest) =>
      approve({ ...request, requesterId: request.requestedById, keyHash: () => signedKeyHash(request) }),
    async approveAgain(message: DecryptedMessage, id: string) {
      const { mine, connectionId, filePath, fileKey, ownerEpoch, body } = message
      if (filePath === undefined || body.kind !== 'file') throw new Error('The message has no file.')
      // A contact's message could carry the path of an own file and commit to the hash of its key.
      if (!mine) throw new CallError('FILE_OTHER')
      if (fileKey === undefined || ownerEpoch === undefined) throw new CallError('KEY_DESTROYED')
      return approve({ id, connectionId, filePath, fileKey, ownerEpoch, keyHash: async () => body.keyHash })
    },
  }
}
