import type { Transfer } from '@privity/client'
import { describe, expect, it } from 'vitest'
import { uploadQueueOf } from '../src/features/files/uploadQueue.ts'

/** The files part of a client whose uploads end when the test says so. */
function uploads() {
  let transfers: readonly Transfer[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly Transfer[]) => {
    transfers = next
    for (const listener of listeners) listener()
  }
  const started: string[] = []
  return {
    started,
    transfers: {
      get: () => transfers,
      subscribe(listener: () => void) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    send(connectionId: string, file: File) {
      started.push(file.name)
      const { name, size } = file
      const transfer = { id: name, kind: 'upload', connectionId, messageId: name, name, size, done: 0 } as const
      set([...transfers, { ...transfer, phase: 'preparing' }])
      return name
    },
    end(name: string, phase: 'done' | 'failed' | 'cancelled') {
      set(transfers.map((each) => (each.name === name ? { ...each, phase } : each)))
    },
  }
}

const file = (name: string) => new File(['x'], name)

describe('several files at once', () => {
  it('are sent one after the other, in order', () => {
    const client = uploads()
    const queue = uploadQueueOf(client)
    queue.add('c', [file('1'), file('2'), file('3')])
    expect(client.started).toEqual(['1'])
    expect(queue.get().map((each) => each.file.name)).toEqual(['2', '3'])
    client.end('1', 'done')
    expect(client.started).toEqual(['1', '2'])
    client.end('2', 'failed')
    client.end('3', 'done')
    expect(client.started).toEqual(['1', '2', '3'])
    expect(queue.get()).toEqual([])
  })

  it('one that is taken out while it waits is never sent', () => {
    const client = uploads()
    const queue = uploadQueueOf(client)
    queue.add('c', [file('1'), file('2'), file('3')])
    queue.remove(String(queue.get()[0]?.id))
    client.end('1', 'cancelled')
    expect(client.started).toEqual(['1', '3'])
  })

  it('a client has one queue, whoever asks for it', () => {
    const client = uploads()
    expect(uploadQueueOf(client)).toBe(uploadQueueOf(client))
    expect(uploadQueueOf(client)).not.toBe(uploadQueueOf(uploads()))
  })
})
