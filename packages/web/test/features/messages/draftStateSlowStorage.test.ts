import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@privity/contract/session'
import { draftStateOf } from '../../../src/features/messages/composer/draftState.ts'

const never = () => {
  throw new Error('Nothing fails here.')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** A device with slow, sequential storage of drafts that may fail; messages are stored immediately. */
function slowDrafts(draft = '') {
  let kept = draft
  let queue: Promise<unknown> = Promise.resolve()
  const device = { refuses: false }
  const inTurn = <T>(work: () => T): Promise<T> => {
    const turn = queue.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, 100))
      return work()
    })
    queue = turn.catch(() => {})
    return turn
  }
  const sent: string[] = []
  const client = {
    account: { state: { get: () => ({ status: 'open', user: { id: 'anna' } as User }) as const } },
    drafts: {
      take: () => inTurn(() => kept),
      set: (_: string, text: string) =>
        inTurn(() => {
          if (device.refuses) throw new Error('The disk is full.')
          kept = text
        }),
    },
    messages: {
      send: (_: string, text: string, rest?: string) =>
        inTurn(() => {
          kept = rest ?? kept
          return sent.push(text) as never
        }),
    },
  }
  return { client, device, sent, kept: () => kept }
}

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe('on a slow device', () => {
  it('a sent draft does not come back in a conversation that is left and opened meanwhile', async () => {
    const { client, kept, sent } = slowDrafts()
    const leave = draftStateOf(client, 'c').enter()
    draftStateOf(client, 'c').change('Sent')
    await pass(1_000)
    expect(kept()).toBe('Sent')
    draftStateOf(client, 'c').send(never)
    leave()
    await pass(50)
    const again = draftStateOf(client, 'c')
    again.enter()
    await pass(1_000)
    expect([sent, again.get(), kept()]).toEqual([['Sent'], '', ''])
  })

  it('nor where something else is typed and sent before it was removed', async () => {
    const { client, kept, sent } = slowDrafts()
    const writing = draftStateOf(client, 'c')
    writing.enter()
    writing.change('A lett')
    await pass(1_000)
    writing.change('A letter')
    writing.send(never)
    await pass(50)
    writing.change('ok')
    await pass(100)
    writing.send(never)
    await pass(1_000)
    expect([sent, writing.get(), kept()]).toEqual([['A letter', 'ok'], '', ''])
  })
})

describe('a draft that the device refuses', () => {
  it('stays in the field, also of a conversation that is left, and is kept as soon as it can be', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { client, device, kept } = slowDrafts()
    const leave = draftStateOf(client, 'c').enter()
    device.refuses = true
    draftStateOf(client, 'c').change('Half a')
    await pass(1_000)
    leave()
    await pass(1_000)
    const again = draftStateOf(client, 'c')
    const leaveAgain = again.enter()
    await pass(1_000)
    expect([again.get(), kept()]).toEqual(['Half a', ''])
    device.refuses = false
    leaveAgain()
    await pass(1_000)
    expect(kept()).toBe('Half a')
  })

  it('does not bring the one before it back when it is sent', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const { client, device, kept, sent } = slowDrafts()
    const writing = draftStateOf(client, 'c')
    writing.enter()
    writing.change('Half')
    await pass(1_000)
    device.refuses = true
    writing.change('Half a')
    await pass(1_000)
    device.refuses = false
    writing.send(never)
    await pass(1_000)
    expect([sent, writing.get(), kept()]).toEqual([['Half a'], '', ''])
  })
})
