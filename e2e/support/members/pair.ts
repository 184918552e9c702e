import type { Page } from '@playwright/test'
import { openConversation } from './conversation.ts'
import { amara, helen, type Person } from './people.ts'
import { type Journey, expect, test as base } from '../servers/test.ts'

export { expect }

export interface Pair {
  amaraPage: Page
  helenPage: Page
}

type Stage = Pick<Journey, 'openBrowser' | 'enterAs'>

async function open({ openBrowser, enterAs }: Stage, person: Person, other: Person): Promise<Page> {
  const page = await openBrowser()
  await enterAs(page, person)
  await openConversation(page, other)
  return page
}

/**
 * Amara and Helen, signed in and connected, each in an own browser with their conversation open. A browser opens
 * only if a journey uses it.
 */
export const test = base.extend<Pair & { pair: Pair }>({
  prepared: 'connected',
  amaraPage: async ({ openBrowser, enterAs }, use) => use(await open({ openBrowser, enterAs }, amara, helen)),
  helenPage: async ({ openBrowser, enterAs }, use) => use(await open({ openBrowser, enterAs }, helen, amara)),
  /** Both pages, opened in parallel. */
  pair: async ({ openBrowser, enterAs }, use) => {
    const [amaraPage, helenPage] = await Promise.all([
      open({ openBrowser, enterAs }, amara, helen),
      open({ openBrowser, enterAs }, helen, amara),
    ])
    await use({ amaraPage, helenPage })
  },
})
