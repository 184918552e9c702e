import type { Client } from '@privity/client'
import { createStore, type Store } from '@privity/client/store'
import { limits } from '@privity/contract/limits'
import { isCallError } from '../../../app/callError.ts'
import { keepMetadata } from './metadataSetting.ts'
import { isOver } from '../fileState.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { formatSize } from '../fileLabels.ts'
import { fileTexts as texts } from '../texts.ts'

/** A file that waits for earlier uploads: one file is encrypted and sent at a time. */
export interface WaitingFile {
  id: string
  connectionId: string
  file: File
  /** Whether the recipient may download it at once. */
  approve: boolean
}

export interface UploadQueue extends Store<readonly WaitingFile[]> {
  add(connectionId: string, files: readonly File[], approve?: boolean): void
  remove(id: string): void
}

interface Uploading {
  account: { state: Pick<Client['account']['state'], 'get' | 'subscribe'> }
  files: Pick<Client['files'], 'send' | 'transfers'>
}

const queues = new WeakMap<Uploading['files'], UploadQueue>()

/** The client's queue. It outlives the screen that filled it, but is cleared when another account is opened. */
export function uploadQueueOf(client: Uploading): UploadQueue {
  const queue = queues.get(client.files) ?? createUploadQueue(client)
  queues.set(client.files, queue)
  return queue
}

function createUploadQueue({ account, files: { send, transfers } }: Uploading): UploadQueue {
  const waiting = createStore<readonly WaitingFile[]>([])
  let count = 0
  let ownerId: string | undefined

  /** Clears the queue if the account changed: no other user may send these files. */
  function followAccount() {
    const state = account.state.get()
    const userId = state.status === 'open' ? state.user.id : undefined
    if (userId !== ownerId && waiting.get().length > 0) waiting.set([])
    ownerId = userId
  }

  function startNext() {
    followAccount()
    const busy = transfers.get().some((transfer) => transfer.kind === 'upload' && !isOver(transfer))
    const [next, ...rest] = waiting.get()
    if (busy || !next) return
    try {
      waiting.set(rest)
      send(next.connectionId, next.file, { keepMetadata: keepMetadata.get, approve: next.approve })
    } catch (error) {
      // The session ended: put the file back, so that it is sent when the same account opens a session again.
      if (!(isCallError(error) && error.code === 'NOT_SIGNED_IN')) throw error
      waiting.set([next, ...waiting.get()])
    }
  }

  followAccount()
  account.state.subscribe(startNext)
  transfers.subscribe(startNext)
  return {
    get: waiting.get,
    subscribe: waiting.subscribe,
    add(connectionId, files, approve = false) {
      followAccount()
      if (ownerId === undefined) return
      const added = files.map((file) => ({ id: `waiting-${(count += 1)}`, connectionId, file, approve }))
      waiting.set([...waiting.get(), ...added])
      startNext()
    },
    remove: (id) => waiting.set(waiting.get().filter((each) => each.id !== id)),
  }
}

/** Queues files for upload; refuses files above the size limit before anything leaves this device. */
export function shareFiles(client: Client, connectionId: string, files: readonly File[], approve: boolean): void {
  const tooLarge = files.find((file) => file.size > limits.fileBytes)
  if (tooLarge) {
    const description = texts.tooLarge(tooLarge.name, formatSize(tooLarge.size))
    toast({ title: texts.uploadFailed, description, tone: 'destructive' })
  }
  const fitting = files.filter((file) => file.size <= limits.fileBytes)
  uploadQueueOf(client).add(connectionId, fitting, approve)
}
