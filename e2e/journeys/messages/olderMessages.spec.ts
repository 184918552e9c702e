import type { Page } from '@playwright/test'
import { composer, conversation, message, openConversation } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

/** The lists of a conversation but that of its newest page. */
const olderLists = /\/messages\?(before|limit)=/

const last = `d14 ${'x'.repeat(480)}`

/** Sends 60 messages, the parts of four long texts. */
async function sendMany(page: Page): Promise<void> {
  for (const letter of ['a', 'b', 'c', 'd']) {
    const parts = Array.from({ length: 15 }, (_, i) => `${letter}${i} ${'x'.repeat(480)}`)
    await composer(page, helen).focus()
    await page.evaluate((text) => navigator.clipboard.writeText(text), parts.join('\n\n'))
    await page.keyboard.press('ControlOrMeta+v')
    await composer(page, helen).press('Enter')
  }
}

test('a conversation says that its older messages cannot be loaded, and tries again when asked', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  expectComplaint(/503/)
  await amaraPage.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  let refusals = 0
  await helenPage.route(olderLists, (route) => {
    if (new URL(route.request().url()).searchParams.has('before')) refusals += 1
    return route.fulfill({ status: 503 })
  })
  await openConversation(amaraPage, helen)
  await sendMany(amaraPage)
  await openConversation(helenPage, amara)
  await expect(message(helenPage, amara, last)).toHaveCount(1)
  await helenPage.reload()
  await openConversation(helenPage, amara)
  const log = conversation(helenPage, amara)

  const unchecked = helenPage.getByRole('alert').filter({ hasText: 'cannot tell whether a message is missing' })
  await expect(unchecked).toBeVisible()

  const older = log.getByRole('alert').filter({ hasText: 'Older messages could not be loaded.' })
  await log.evaluate((element) => element.scrollTo(0, 0))
  await expect(older).toBeVisible()
  // Once for the page, not again because the notice moves the messages.
  expect(refusals).toBe(1)
  await expect(log.getByText(/^a0 /)).toHaveCount(0)

  await older.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => refusals).toBe(2)
  await expect(older).toBeVisible()

  await helenPage.unroute(olderLists)
  await helenPage.getByRole('button', { name: 'Find in conversation' }).click()
  await expect(older).toBeHidden()
  await expect(log.getByText(/^a0 /)).toHaveCount(1)
  await unchecked.getByRole('button', { name: 'Try again' }).click()
  await expect(unchecked).toBeHidden()
})
