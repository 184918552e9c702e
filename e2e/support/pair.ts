import type { Page } from '@playwright/test'
import { signUp } from './account.ts'
import { connect, openConversation, ownCode } from './conversation.ts'
import { amara, helen } from './people.ts'
import { expect, test as base } from './test.ts'

export { expect }

/** Amara and Helen, signed up in two browsers, connected, each with the conversation with the other open. */
export const test = base.extend<{ pair: { amaraPage: Page; helenPage: Page } }>({
  pair: async ({ openBrowser }, use) => {
    const [amaraPage, helenPage] = await Promise.all([openBrowser(), openBrowser()])
    await Promise.all([signUp(amaraPage, amara), signUp(helenPage, helen)])
    await connect(amaraPage, await ownCode(helenPage))
    await Promise.all([openConversation(amaraPage, helen), openConversation(helenPage, amara)])
    await use({ amaraPage, helenPage })
  },
})
