import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { draftStateOf } from '../../../src/features/messages/composer/draftState.ts'
import { createBrowser } from './draftTab.ts'

const never = () => {
  throw new Error('Nothing fails here.')
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(300)

/** Opens the conversation in a new tab. */
async function open({ openTab }: ReturnType<typeof createBrowser>) {
  const tab = openTab()
  const writing = draftStateOf(tab.client, 'c')
  const leave = writing.enter()
  await settle()
  return { ...tab, writing, leave }
}

describe('two tabs of one conversation', () => {
  it('keep a draft each', async () => {
    const browser = createBrowser()
    const [here, there] = [await open(browser), await open(browser)]
    here.writing.change('A long letter')
    there.writing.change('Another')
    await settle()
    expect([here.writing.get(), there.writing.get()]).toEqual(['A long letter', 'Another'])
    expect([here.kept(), there.kept()]).toEqual(['A long letter', 'Another'])
  })

  it('lose nothing that one has kept when the other sends something else', async () => {
    const browser = createBrowser()
    const [here, there] = [await open(browser), await open(browser)]
    here.writing.change('A long letter')
    await settle()
    there.writing.change('ok')
    there.writing.send(never)
    await settle()
    expect(browser.sent).toEqual(['ok'])
    expect([here.kept(), here.writing.get()]).toEqual(['A long letter', 'A long letter'])
  })

  it('take over what a tab has left that is gone, one draft each', async () => {
    const browser = createBrowser()
    const gone = [await open(browser), await open(browser)] as const
    gone[0].writing.change('A long letter')
    gone[1].writing.change('Another')
    await settle()
    for (const { close } of gone) close()
    const [here, there] = [await open(browser), await open(browser)]
    expect([here.writing.get(), there.writing.get()]).toEqual(['A long letter', 'Another'])
    expect(browser.kept()).toEqual(['A long letter', 'Another'])
  })

  it('do not take over what a tab is still writing', async () => {
    const browser = createBrowser()
    const here = await open(browser)
    here.writing.change('A long letter')
    await settle()
    expect((await open(browser)).writing.get()).toBe('')
  })
})
