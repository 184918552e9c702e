import { type AuthorizationRequest, files as contract, type FileStatus } from '@privity/contract/files'
import { createGrant, E2eeError, openForOwner } from '@privity/e2ee'
import type { Call } from '../call.ts'
import { CallError, isCallError } from '../callError.ts'
import type { Keyring } from '../keyring.ts'
import type { Peers } from '../peers.ts'
import { fileIdOf } from '../posting.ts'
import type { OpenedMessage, OpenedRequest } from '../types.ts'

/** Asking for files, and deciding over one's own. */
export interface Authorizations {
  status(filePath: string): Promise<FileStatus>
  request(message: OpenedMessage): Promise<FileStatus>
  pending(): Promise<OpenedRequest[]>
  /** Undefined, with an alarm, where it is not a request of the person of that connection. */
  opened(request: AuthorizationRequest): Promise<OpenedRequest | undefined>
  /** Approval is the key: it is sealed here for the requester. */
  decide(request: AuthorizationRequest, authorize: boolean): Promise<FileStatus>
  revoke(authorizationId: string): Promise<FileStatus>
}

const attempts = 3
const stranger =
  'The server shows a request for one of your files under the name of another person than the one you sent it to. It is not shown.'

export function createAuthorizations(deps: {
  call: Call
  keyring: Keyring
  peers: Peers
  alarm: (sentence: string) => void
}): Authorizations {
  const { call, keyring, peers } = deps

  async function own({ ownerEpoch, filePath, connectionId }: AuthorizationRequest, recipientId: string) {
    const seed = await keyring.seed(ownerEpoch)
    const fileId = fileIdOf(filePath)
    return seed && { seed, userId: keyring.userId, epoch: ownerEpoch, connectionId, recipientId, fileId }
  }

  async function opened(request: AuthorizationRequest): Promise<OpenedRequest | undefined> {
    try {
      const party = await peers.party(request.connectionId)
      if (party !== request.requestedById) {
        deps.alarm(stranger)
        return undefined
      }
      const owner = await own(request, party)
      const name = owner && (await openForOwner({ ...owner, purpose: 'file-name' }, request.fileName))
      return { ...request, name: name && new TextDecoder().decode(name) }
    } catch (error) {
      if (isCallError(error, 'CONNECTION_NOT_FOUND')) return undefined
      if (isCallError(error)) throw error
      return { ...request, name: undefined }
    }
  }

  async function grant(request: AuthorizationRequest) {
    const { keys, userId, changed } = await peers.get(request.connectionId)
    if (changed) throw new CallError('KEY_CHANGED')
    if (userId !== request.requestedById) throw new CallError('REQUEST_ALTERED')
    const owner = await own(request, userId)
    if (!owner) throw new CallError('KEY_DESTROYED')
    const fileKey = await openForOwner({ ...owner, purpose: 'file-key' }, request.fileKey).catch((cause: unknown) => {
      throw cause instanceof E2eeError ? new CallError('REQUEST_ALTERED', { cause }) : cause
    })
    const { filePath } = request
    return createGrant({ identity: keyring.identity, fileKey, filePath, from: keyring.userId, to: keys })
  }

  const patch = (id: string, body: { authorize: boolean; grant?: Awaited<ReturnType<typeof grant>> }) =>
    call(contract.decide, { params: { id }, body: { downloadLimit: 3, ...body } })

  return {
    opened,
    status: (filePath) => call(contract.check, { params: { '*': filePath } }),
    async request({ filePath, fileName, body }) {
      if (filePath === undefined || body.kind !== 'file') throw new Error('The message has no file.')
      return call(contract.request, { body: { filePath, fileName } })
    },
    async pending() {
      const requests = await Promise.all((await call(contract.listPending, {})).map(opened))
      return requests.filter((request) => request !== undefined)
    },
    async decide(request, authorize) {
      if (!authorize) return patch(request.id, { authorize })
      for (let attempt = 1; ; attempt++) {
        try {
          return await patch(request.id, { authorize, grant: await grant(request) })
        } catch (error) {
          if (!isCallError(error, 'EPOCH_SUPERSEDED') || attempt === attempts) throw error
          peers.forget(request.connectionId)
        }
      }
    },
    revoke: (authorizationId) => patch(authorizationId, { authorize: false }),
  }
}
