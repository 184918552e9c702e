import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { writingOf } from '../src/features/messages/writing.ts'
import { createTabOfAnna } from './writingTab.ts'

const never = () => {
  throw new Error('Nothing fails here.')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Two tabs of one browser: what one keeps the other is told of. */
function twoTabs() {
  let kept = ''
  const tab = () => {
    const { hear, ...rest } = createTabOfAnna()
    const sent: string[] = []
    const tell = (sending: boolean) => {
      const others = tabs.filter((other) => other.client !== client)
      for (const other of others) queueMicrotask(() => other.hear(sending))
    }
    const client = {
      ...rest,
      drafts: {
        get: async () => kept,
        async set(_: string, text: string) {
          kept = text
          tell(false)
        },
        sending: async () => tell(true),
      },
      messages: { send: async (_: string, text: string) => sent.push(text) as never },
    }
    return { client, hear, sent }
  }
  const tabs = [tab(), tab()] as const
  const [one, other] = tabs
  const open = ({ client }: typeof one) => {
    const writing = writingOf(client, 'c')
    writing.enter()
    return writing
  }
  return { one, other, here: open(one), there: open(other), kept: () => kept }
}

const settle = () => vi.advanceTimersByTimeAsync(300)

describe('two tabs of one conversation', () => {
  it('show one draft where only one of them is typed in', async () => {
    const { here, there } = twoTabs()
    here.change('A long letter')
    await settle()
    expect(there.get()).toBe('A long letter')
    here.change('A longer letter')
    await settle()
    expect(there.get()).toBe('A longer letter')
  })

  it('do not offer again in one what was sent in the other', async () => {
    const { one, other, here, there, kept } = twoTabs()
    here.change('Shall we?')
    await settle()
    there.send(never)
    await settle()
    expect([one.sent, other.sent]).toEqual([[], ['Shall we?']])
    expect([here.get(), there.get(), kept()]).toEqual(['', '', ''])
    here.change('And now?')
    await settle()
    here.send(never)
    await settle()
    expect([here.get(), there.get(), kept()]).toEqual(['', '', ''])
  })

  it('nor where the other goes on writing at once', async () => {
    const { other, here, there, kept } = twoTabs()
    here.change('Shall we?')
    await settle()
    there.send(never)
    there.change('And')
    await settle()
    expect([here.get(), there.get(), kept()]).toEqual(['And', 'And', 'And'])
    there.send(never)
    await settle()
    expect(other.sent).toEqual(['Shall we?', 'And'])
    expect([here.get(), there.get(), kept()]).toEqual(['', '', ''])
  })

  it('lose nothing that one has kept when the other sends something else', async () => {
    const { other, here, there, kept } = twoTabs()
    here.change('A long letter')
    await settle()
    there.change('ok')
    there.send(never)
    await settle()
    expect(other.sent).toEqual(['ok'])
    expect([kept(), here.get()]).toEqual(['A long letter', 'A long letter'])
  })

  it('keep again what is written in one when the other clears it', async () => {
    const { here, there, kept } = twoTabs()
    here.change('A long letter')
    await settle()
    there.change('ok')
    await settle()
    expect(kept()).toBe('ok')
    there.send(never)
    await settle()
    expect([kept(), here.get()]).toEqual(['A long letter', 'A long letter'])
  })
})
