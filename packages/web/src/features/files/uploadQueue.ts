import type { Client } from '@privity/client'
import type { ReadableStore } from '../../core/useStore.ts'
import { keepMetadata } from './keepMetadata.ts'
import { isOver } from './transferState.ts'

/** A file that waits for those before it: one is encrypted and sent at a time. */
export interface WaitingFile {
  id: string
  connectionId: string
  file: File
}

export interface UploadQueue extends ReadableStore<readonly WaitingFile[]> {
  add(connectionId: string, files: readonly File[]): void
  remove(id: string): void
}

type Uploading = Pick<Client['files'], 'send' | 'transfers'>

const queues = new WeakMap<Uploading, UploadQueue>()

/** The queue of this client; it outlives the screen that filled it. */
export function uploadQueueOf(files: Uploading): UploadQueue {
  const queue = queues.get(files) ?? createUploadQueue(files)
  queues.set(files, queue)
  return queue
}

function createUploadQueue({ send, transfers }: Uploading): UploadQueue {
  let waiting: readonly WaitingFile[] = []
  let count = 0
  const listeners = new Set<() => void>()

  function change(next: readonly WaitingFile[]) {
    waiting = next
    for (const listener of listeners) listener()
  }

  function startNext() {
    const busy = transfers.get().some((transfer) => transfer.kind === 'upload' && !isOver(transfer))
    const [next, ...rest] = waiting
    if (busy || !next) return
    change(rest)
    send(next.connectionId, next.file, { keepMetadata: keepMetadata.get() })
  }

  transfers.subscribe(startNext)
  return {
    get: () => waiting,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    add(connectionId, files) {
      const added = files.map((file) => ({ id: `waiting-${(count += 1)}`, connectionId, file }))
      change([...waiting, ...added])
      startNext()
    },
    remove: (id) => change(waiting.filter((each) => each.id !== id)),
  }
}
