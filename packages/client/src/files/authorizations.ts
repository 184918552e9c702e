import { type AuthorizationRequest, files as contract, type FileStatus } from '@privity/contract/files'
import { createGrant, openForOwner } from '@privity/e2ee'
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
  opened(request: AuthorizationRequest): Promise<OpenedRequest>
  /** Approval is the key: it is sealed here for the requester. */
  decide(request: AuthorizationRequest, authorize: boolean): Promise<FileStatus>
  revoke(authorizationId: string): Promise<FileStatus>
}

const attempts = 3

export function createAuthorizations(deps: { call: Call; keyring: Keyring; peers: Peers }): Authorizations {
  const { call, keyring, peers } = deps

  async function own({ ownerEpoch, filePath }: AuthorizationRequest) {
    const seed = await keyring.seed(ownerEpoch)
    return seed && { seed, userId: keyring.userId, epoch: ownerEpoch, fileMessageId: fileIdOf(filePath) }
  }

  async function opened(request: AuthorizationRequest): Promise<OpenedRequest> {
    try {
      const owner = await own(request)
      const name = owner && (await openForOwner({ ...owner, purpose: 'file-name' }, request.fileName))
      return { ...request, name: name && new TextDecoder().decode(name) }
    } catch (error) {
      if (isCallError(error)) throw error
      return { ...request, name: undefined }
    }
  }

  async function grant(request: AuthorizationRequest) {
    const { keys, userId, changed } = await peers.get(request.connectionId)
    if (changed || userId !== request.requestedById) throw new CallError('KEY_CHANGED')
    const owner = await own(request)
    if (!owner) throw new CallError('KEY_DESTROYED')
    const fileKey = await openForOwner({ ...owner, purpose: 'file-key' }, request.fileKey)
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
    pending: async () => Promise.all((await call(contract.listPending, {})).map(opened)),
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
