import type { Page } from '@playwright/test'
import { signIn } from './account.ts'
import { openConversation } from './conversation.ts'
import { amara, helen, type Person } from './people.ts'
import { type Journey, expect, test as base } from './test.ts'

export { expect }

interface Pair {
  amaraPage: Page
  helenPage: Page
}

async function enter({ openBrowser }: Pick<Journey, 'openBrowser'>, person: Person, other: Person): Promise<Page> {
  const page = await openBrowser()
  await signIn(page, person)
  await openConversation(page, other)
  return page
}

/**
 * Amara and Helen, signed in and connected, each in a browser of her own with the conversation with the other open.
 * A browser that a journey does not name is not opened.
 */
export const test = base.extend<Pair & { pair: Pair }>({
  prepared: true,
  amaraPage: async ({ openBrowser }, use) => use(await enter({ openBrowser }, amara, helen)),
  helenPage: async ({ openBrowser }, use) => use(await enter({ openBrowser }, helen, amara)),
  /** Both at once. */
  pair: async ({ openBrowser }, use) => {
    const [amaraPage, helenPage] = await Promise.all([
      enter({ openBrowser }, amara, helen),
      enter({ openBrowser }, helen, amara),
    ])
    await use({ amaraPage, helenPage })
  },
})
