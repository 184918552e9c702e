import type { Client, ClientEvents, DecryptedMessage } from '@privity/client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createEmitter } from '../../../../client/src/transport/emitter.ts'
import { onMessageExpired } from '../../../src/app/useClientEvents.ts'
import { followNewest } from '../../../src/features/messages/conversation/NewMessageAnnouncer.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const message = (id: string, more: Partial<DecryptedMessage> = {}) =>
  ({ id, connectionId: 'c', mine: false, body: { kind: 'text', text: id }, ...more }) as DecryptedMessage

function following() {
  const { on, emit } = createEmitter<ClientEvents>([])
  const client: Pick<Client, 'on'> = { on }
  let heard: string | undefined
  const stop = followNewest(client, 'c', (next) => (heard = next?.id))
  return { client, emit, stop, heard: () => heard }
}

test('what is read out leaves the page some seconds later', () => {
  const { emit, heard } = following()
  emit('message', message('one'))
  vi.advanceTimersByTime(6_000)
  emit('message', message('two'))
  vi.advanceTimersByTime(6_000)
  expect(heard()).toBe('two')
  vi.advanceTimersByTime(4_000)
  expect(heard()).toBeUndefined()
})

test('and at once where it expires before, or its connection ends', () => {
  const { emit, heard } = following()
  emit('message', message('one'))
  emit('expired', { connectionId: 'c', ids: ['another'] })
  emit('connection_removed', { connectionId: 'd' })
  expect(heard()).toBe('one')
  emit('expired', { connectionId: 'c', ids: ['one'] })
  expect(heard()).toBeUndefined()
  emit('message', message('two'))
  emit('connection_removed', { connectionId: 'c' })
  expect(heard()).toBeUndefined()
})

test('one’s own messages and those of other conversations are not read out', () => {
  const { emit, heard } = following()
  emit('message', message('mine', { mine: true }))
  emit('message', message('elsewhere', { connectionId: 'd' }))
  expect(heard()).toBeUndefined()
})

test('a message that is shown for another purpose is gone when it expires', () => {
  const { client, emit } = following()
  const gone = vi.fn<() => void>()
  const stop = onMessageExpired(client, message('one'), gone)
  emit('expired', { connectionId: 'c', ids: ['two'] })
  expect(gone).not.toHaveBeenCalled()
  emit('expired', { connectionId: 'c', ids: ['two', 'one'] })
  expect(gone).toHaveBeenCalledTimes(1)
  stop()
  emit('expired', { connectionId: 'c', ids: ['one'] })
  expect(gone).toHaveBeenCalledTimes(1)
})
