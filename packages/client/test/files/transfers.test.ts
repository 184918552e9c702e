import { expect, test, vi } from 'vitest'
import { createTransfers, type TransferProgress } from '../../src/files/transfers.ts'
import { createStore } from '../../src/transport/store.ts'
import type { Transfer } from '../../src/types.ts'

const shown = { id: 't', kind: 'upload', connectionId: 'c', messageId: 'm', name: 'a', size: 9, type: '' } as const
const clock = { now: () => 0, after: () => () => {} }

/** A transfer whose work does not end, as where the server never delivers its code. */
function startWaiting() {
  const store = createStore<readonly Transfer[]>([])
  const transfers = createTransfers(store, clock as never)
  const progress = Promise.withResolvers<TransferProgress>()
  transfers.start(shown, (given) => {
    progress.resolve(given)
    return new Promise(() => {})
  })
  return { transfers, phase: () => store.get()[0]?.phase, progress: progress.promise }
}

test.each(['preparing', 'encrypting'] as const)('cancelling while %s does not wait for the work', async (during) => {
  const { transfers, phase, progress } = startWaiting()
  const given = await progress
  given.phase(during)
  transfers.cancel('t')
  await vi.waitFor(() => expect(phase()).toBe('cancelled'))
  given.phase('uploading')
  expect(phase()).toBe('cancelled')
})

test('cancelling a file that leaves this device waits for the work, which takes it back', async () => {
  const { transfers, phase, progress } = startWaiting()
  const given = await progress
  given.phase('sending')
  transfers.cancel('t')
  await Promise.resolve()
  expect(phase()).toBe('sending')
})
