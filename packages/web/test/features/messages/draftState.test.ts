import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { User } from '@privity/contract/session'
import { draftStateOf } from '../../../src/features/messages/composer/draftState.ts'

/** A client with slow storage: each message waits until the test stores or refuses it. */
function slowClient(draft = '') {
  let kept = draft
  let userId = 'anna'
  const storing: { text: string; stored: () => void; refused: (error: unknown) => void }[] = []
  const sent: string[] = []
  const client = {
    account: { state: { get: () => ({ status: 'open', user: { id: userId } as User }) as const } },
    drafts: {
      take: async () => kept,
      set: async (_: string, text: string) => void (kept = text),
    },
    messages: {
      send: (connectionId: string, text: string, rest?: string) =>
        new Promise<never>((resolve, refused) => {
          const stored = () => {
            sent.push(text)
            kept = rest ?? kept
            resolve({ id: text, connectionId } as never)
          }
          storing.push({ text, stored, refused })
        }),
    },
  }
  const end = async (outcome: 'stored' | 'refused') => {
    await vi.advanceTimersByTimeAsync(0)
    storing.shift()?.[outcome](new Error('The disk is full.'))
    await vi.advanceTimersByTimeAsync(0)
  }
  const signIn = (id: string) => void (userId = id)
  return { client, sent, storing, signIn, kept: () => kept, stored: () => end('stored'), refused: () => end('refused') }
}

const never = () => {
  throw new Error('Nothing fails here.')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('every Enter sends', () => {
  it('also while the message before is still being stored: in order, once each', async () => {
    const { client, sent, storing, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    const leave = writing.enter()
    for (const text of ['First', 'Second', 'Third']) {
      writing.change(text)
      writing.send(never)
      // The key is held down.
      writing.send(never)
      expect(writing.get()).toBe('')
    }
    await vi.advanceTimersByTimeAsync(0)
    expect(storing.map(({ text }) => text)).toEqual(['First'])
    for (let left = 3; left > 0; left -= 1) await stored()
    expect(sent).toEqual(['First', 'Second', 'Third'])
    expect(storing).toEqual([])
    leave()
  })

  it('but nothing blank, and nothing of too many parts', async () => {
    const { client, storing } = slowClient()
    const writing = draftStateOf(client, 'c')
    for (const text of ['', ' \n ', '\u200b\u3164\u2800', 'x'.repeat(15 * 500 + 1)]) {
      writing.change(text)
      writing.send(never)
      expect(writing.get()).toBe(text)
    }
    expect(storing).toEqual([])
  })
})

describe('a text that is too long for one message', () => {
  const paragraphs = ['a', 'b', 'c'].map((letter) => letter.repeat(400))
  const text = paragraphs.join('\n\n')

  it('is sent in parts, in order', async () => {
    const { client, sent, storing, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    writing.change(text)
    writing.send(never)
    expect(writing.get()).toBe('')
    for (let left = 3; left > 0; left -= 1) await stored()
    expect(sent).toEqual(paragraphs)
    expect(storing).toEqual([])
  })

  it('is in the draft but for the parts that are stored', async () => {
    const { client, kept, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    writing.change(text)
    writing.send(never)
    await stored()
    expect(kept()).toBe(paragraphs.slice(1).join('\n\n'))
    await stored()
    expect(kept()).toBe(paragraphs[2])
  })

  it('stands in the field again from the part on that cannot be stored, as it was written', async () => {
    const { client, sent, stored, refused, storing } = slowClient()
    const writing = draftStateOf(client, 'c')
    const failed = vi.fn<(error: unknown) => void>()
    writing.change(text)
    writing.send(failed)
    writing.change('Next')
    writing.send(failed)
    await stored()
    await refused()
    expect(sent).toEqual(paragraphs.slice(0, 1))
    expect(writing.get()).toBe(`${paragraphs[1]}\n\n${paragraphs[2]}\nNext`)
    expect(failed).toHaveBeenCalledTimes(1)
    expect(storing).toEqual([])
  })
})

describe('until a message is stored', () => {
  it('it stays in the draft, and leaves it in the same step', async () => {
    const { client, kept, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    writing.enter()
    writing.change('Sent')
    await vi.advanceTimersByTimeAsync(250)
    writing.send(never)
    await vi.advanceTimersByTimeAsync(250)
    expect(kept()).toBe('Sent')
    await stored()
    expect(kept()).toBe('')
  })

  it('what is typed since stays in the field, and is kept after it', async () => {
    const { client, kept, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    writing.change('Sent')
    writing.send(never)
    writing.change('Half a')
    await stored()
    await vi.advanceTimersByTimeAsync(250)
    expect([writing.get(), kept()]).toEqual(['Half a', 'Half a'])
  })

  it('what was sent after it stays in the draft', async () => {
    const { client, kept, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    for (const text of ['First', 'Second']) {
      writing.change(text)
      writing.send(never)
    }
    await stored()
    expect(kept()).toBe('Second')
  })

  it('a conversation that is left and opened again does not show it as not sent', async () => {
    const { client, kept, sent, stored } = slowClient()
    const leave = draftStateOf(client, 'c').enter()
    draftStateOf(client, 'c').change('Sent')
    draftStateOf(client, 'c').send(never)
    leave()
    const again = draftStateOf(client, 'c')
    again.enter()
    await vi.advanceTimersByTimeAsync(250)
    expect(again.get()).toBe('')
    await stored()
    expect(kept()).toBe('')
    expect(sent).toEqual(['Sent'])
  })

  it('one that cannot be stored stands in the field again, with all that followed it, in order', async () => {
    const { client, kept, sent, refused, stored } = slowClient()
    const writing = draftStateOf(client, 'c')
    const failed = vi.fn<(error: unknown) => void>()
    for (const text of ['First', 'Second', 'Third']) {
      writing.change(text)
      writing.send(failed)
    }
    writing.change('Half a')
    await stored()
    await refused()
    await vi.advanceTimersByTimeAsync(250)
    expect(failed).toHaveBeenCalledTimes(1)
    expect(sent).toEqual(['First'])
    expect(writing.get()).toBe('Second\nThird\nHalf a')
    expect(kept()).toBe('Second\nThird\nHalf a')
    writing.send(never)
    await stored()
    expect(sent).toEqual(['First', 'Second\nThird\nHalf a'])
  })
})

describe('a kept draft', () => {
  it('is shown', async () => {
    const { client } = slowClient('Kept')
    const shown = draftStateOf(client, 'c')
    const leave = shown.enter()
    await vi.advanceTimersByTimeAsync(0)
    expect(shown.get()).toBe('Kept')
    leave()
  })

  it('that could not be read before something was typed stands before it', async () => {
    const { client, kept } = slowClient('Kept')
    const typed = draftStateOf(client, 'c')
    typed.enter()
    typed.change('Typed')
    await vi.advanceTimersByTimeAsync(250)
    expect([typed.get(), kept()]).toEqual(['Kept\nTyped', 'Kept\nTyped'])
  })

  it('that another text replaced, sent before it was kept, does not come back', async () => {
    const { client, kept, sent, stored } = slowClient('Kept')
    const writing = draftStateOf(client, 'c')
    const leave = writing.enter()
    await vi.advanceTimersByTimeAsync(0)
    writing.change('Sent')
    writing.send(never)
    await stored()
    expect([writing.get(), kept(), sent]).toEqual(['', '', ['Sent']])
    leave()
  })

  it('is kept while somebody types on without a pause', async () => {
    const { client, kept } = slowClient()
    const writing = draftStateOf(client, 'c')
    writing.enter()
    for (let length = 1; length <= 30; length += 1) {
      writing.change('x'.repeat(length))
      await vi.advanceTimersByTimeAsync(100)
      expect(kept().length).toBeGreaterThan(length - 4)
    }
  })

  it('of one conversation is not that of another', async () => {
    const { client } = slowClient()
    draftStateOf(client, 'c').enter()
    draftStateOf(client, 'c').change('For Ben')
    expect(draftStateOf(client, 'd').get()).toBe('')
  })
})

describe('another member in the same tab', () => {
  it('neither sends nor keeps, nor sees, what the one before was writing', async () => {
    const { client, kept, storing, signIn, stored } = slowClient()
    const leave = draftStateOf(client, 'c').enter()
    for (const text of ['First of Anna', 'Second of Anna']) {
      draftStateOf(client, 'c').change(text)
      draftStateOf(client, 'c').send(never)
    }
    draftStateOf(client, 'c').change('Half of Anna')
    signIn('ben')
    await stored()
    leave()
    await vi.advanceTimersByTimeAsync(300)
    expect(storing).toEqual([])
    expect(kept()).toBe('')
    expect(draftStateOf(client, 'c').get()).toBe('')
  })
})
