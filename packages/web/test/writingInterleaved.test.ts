import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Writing, writingOf } from '../src/features/messages/writing.ts'
import { createTabOfAnna } from './writingTab.ts'

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
/** Longer than whatever is under way takes. */
const settle = () => pass(20_000)

const never = () => {
  throw new Error('Nothing fails here.')
}

/** The same numbers from 0 to below 1 for the same seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** One after the other, each after a while. */
function slowQueue(random: () => number, most: number) {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => T): Promise<T> => {
    const turn = last.then(async () => {
      await new Promise((resolve) => setTimeout(resolve, random() * most))
      return work()
    })
    last = turn
    return turn
  }
}

/** Two tabs on one device, which takes its time for everything. */
function createTabs(random: () => number) {
  const device = slowQueue(random, 200)
  const opens = () => new Promise((resolve) => setTimeout(resolve, random() * 50))
  const sent: string[] = []
  let kept = ''
  const tab = () => {
    const { hear, ...rest } = createTabOfAnna()
    const notices = slowQueue(random, 20)
    const tell = (sending: boolean) => {
      for (const other of tabs) if (other.client !== client) void other.notices(() => other.hear(sending))
    }
    const client = {
      ...rest,
      drafts: {
        async get() {
          const read = await device(() => kept)
          if (read !== '') await opens()
          return read
        },
        async set(_: string, text: string) {
          await device(() => void (kept = text))
          tell(false)
        },
        sending: async () => tell(true),
      },
      messages: { send: (_: string, text: string) => device(() => sent.push(text) as never) },
    }
    return { client, notices, hear }
  }
  const tabs = [tab(), tab()] as const
  return { tabs, sent, kept: () => kept }
}

/** One person who writes, sends, leaves the conversation and comes back, and goes to the other tab and back. */
async function write(seed: number): Promise<void> {
  const random = numbers(seed)
  const { tabs, sent, kept } = createTabs(random)
  const open = ({ client }: (typeof tabs)[number]) => {
    const writing: Writing = writingOf(client, 'c')
    return { writing, leave: writing.enter() }
  }
  const views = tabs.map(open)
  let at = 0
  let text = ''
  /** Begun in another tab: it is sent from here as it is. */
  let isElsewhere = false
  const expected: string[] = []
  const view = () => views[at] as ReturnType<typeof open>
  const look = () => expect(view().writing.get(), `the field, seed ${seed}`).toBe(text)

  await settle()
  for (let step = 1; step <= 25; step += 1) {
    look()
    const choice = random()
    if (choice < 0.45 && !isElsewhere) view().writing.change((text += String.fromCodePoint(96 + step)))
    else if (choice < 0.8 && text !== '') {
      view().writing.send(never)
      expected.push(text)
      text = ''
      isElsewhere = false
    } else if (choice < 0.9) {
      view().leave()
      await pass(random() * 300)
      views[at] = open(tabs[at] as (typeof tabs)[number])
      await pass(1_000)
    } else {
      await settle()
      at = 1 - at
      isElsewhere = text !== ''
    }
    await pass(random() * 400)
  }
  await settle()
  expect(sent, `sent, seed ${seed}`).toEqual(expected)
  const shown = views.map(({ writing }) => writing.get())
  expect([...shown, kept()], `at the end, seed ${seed}`).toEqual([text, text, text])
  for (const { leave } of views) leave()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('however the writing, the sending and the device fall together, each text is sent once and none comes back', async () => {
  for (let seed = 1; seed <= 100; seed += 1) await write(seed)
})
