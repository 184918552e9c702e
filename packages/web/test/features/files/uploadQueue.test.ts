import { CallError, type AccountState, type Transfer } from '@privity/client'
import type { User } from '@privity/contract/session'
import { describe, expect, it } from 'vitest'
import { createStore } from '../../../../client/src/transport/store.ts'
import { uploadQueueOf } from '../../../src/features/files/upload/uploadQueue.ts'

/** The files part of a client whose uploads end on the test's command. */
function uploads() {
  let transfers: readonly Transfer[] = []
  const listeners = new Set<() => void>()
  const set = (next: readonly Transfer[]) => {
    transfers = next
    for (const listener of listeners) listener()
  }
  const started: string[] = []
  const state = createStore<AccountState>({ status: 'open', user: { id: 'anna' } as User })
  let refusing = false
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }
  const files = {
    transfers: { get: () => transfers, subscribe },
    send(connectionId: string, file: File) {
      if (refusing) throw new CallError('NOT_SIGNED_IN')
      started.push(file.name)
      const { name, size } = file
      const transfer = {
        id: name,
        kind: 'upload',
        connectionId,
        messageId: name,
        name,
        size,
        type: '',
        done: 0,
      } as const
      set([...transfers, { ...transfer, phase: 'preparing' }])
      return name
    },
  }
  return {
    started,
    account: { state },
    files,
    refuse: (next: boolean) => void (refusing = next),
    stop: () => set([]),
    open: (id: string) => state.set({ status: 'open', user: { id } as User }),
    leave: () => state.set({ status: 'signedOut' }),
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

const three = [file('1'), file('2'), file('3')]

describe('files that wait when the session is over', () => {
  it('are gone, and nothing is sent by whoever signs in next', () => {
    const client = uploads()
    const queue = uploadQueueOf(client)
    queue.add('c', three)
    client.leave()
    expect(queue.get()).toEqual([])
    client.stop()
    client.open('ben')
    client.end('1', 'done')
    expect(client.started).toEqual(['1'])
    queue.add('c', [file('of Ben')])
    expect(client.started).toEqual(['1', 'of Ben'])
  })

  it('are gone too where another account takes its place at once', () => {
    const client = uploads()
    const queue = uploadQueueOf(client)
    queue.add('c', three)
    // As if another user had signed in in another tab.
    client.refuse(true)
    client.stop()
    client.refuse(false)
    client.open('ben')
    expect(queue.get()).toEqual([])
    expect(client.started).toEqual(['1'])
  })

  it('go on where the same account is opened again, as with other keys', () => {
    const client = uploads()
    const queue = uploadQueueOf(client)
    queue.add('c', three)
    client.refuse(true)
    client.stop()
    expect(queue.get().map((each) => each.file.name)).toEqual(['2', '3'])
    client.refuse(false)
    client.open('anna')
    expect(client.started).toEqual(['1', '2'])
  })

  it('cannot be added to while nobody is signed in', () => {
    const client = uploads()
    client.leave()
    const queue = uploadQueueOf(client)
    queue.add('c', three)
    expect([queue.get(), client.started]).toEqual([[], []])
  })
})
