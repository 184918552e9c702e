import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type DraftState, draftStateOf } from '../../../src/features/messages/composer/draftState.ts'
import { createBrowser } from './draftTab.ts'

const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
/** Waits longer than any pending operation takes. */
const settle = () => pass(20_000)

const never = () => {
  throw new Error('Nothing fails here.')
}

/** Pseudorandom numbers in [0, 1), reproducible by seed. */
function numbers(seed: number): () => number {
  let state = seed
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
}

/** Runs work in sequence with random delays. */
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

/** Simulates a person who writes, sends, leaves and reopens the conversation, and switches tabs. */
async function write(seed: number): Promise<void> {
  const random = numbers(seed)
  const browser = createBrowser(slowQueue(random, 200))
  const open = (tab: ReturnType<typeof browser.openTab>) => {
    const writing: DraftState = draftStateOf(tab.client, 'c')
    return { tab, writing, leave: writing.enter(), text: '' }
  }
  const views = [open(browser.openTab()), open(browser.openTab())]
  let at = 0
  const expected: string[] = []
  const view = () => views[at] as ReturnType<typeof open>

  await settle()
  for (let step = 1; step <= 25; step += 1) {
    expect(view().writing.get(), `the field, seed ${seed}`).toBe(view().text)
    const choice = random()
    if (choice < 0.45) view().writing.change((view().text += String.fromCodePoint(96 + step)))
    else if (choice < 0.8 && view().text !== '') {
      view().writing.send(never)
      expected.push(view().text)
      view().text = ''
    } else if (choice < 0.9) {
      const { text, tab } = view()
      view().leave()
      await pass(random() * 300)
      views[at] = { ...open(tab), text }
      await pass(1_000)
    } else {
      await settle()
      at = 1 - at
    }
    await pass(random() * 400)
  }
  await settle()
  expect(browser.sent, `sent, seed ${seed}`).toEqual(expected)
  expect(
    views.map(({ writing, tab }) => [writing.get(), tab.kept()]),
    `at the end, seed ${seed}`,
  ).toEqual(views.map(({ text }) => [text, text]))
  for (const { leave } of views) leave()
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('in any order of writing, sending and storing, each text is sent once and none comes back', async () => {
  for (let seed = 1; seed <= 100; seed += 1) await write(seed)
})
