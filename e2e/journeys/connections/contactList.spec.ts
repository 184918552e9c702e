import { seeDashboard } from '../../support/members/account.ts'
import {
  composer,
  connectionRow,
  conversation,
  message,
  openConversation,
  sees,
  send,
} from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'

test('the list shows the newest message’s time and drafts; the tab’s title counts the unread', async ({
  amaraPage,
  openBrowser,
  enterAs,
}) => {
  const helenPage = await openBrowser()
  await enterAs(helenPage, helen)
  const row = connectionRow(helenPage, amara)
  await expect(row.getByText('Last message')).toBeHidden()

  await send(amaraPage, helen, 'Are you there?')
  await expect(row.getByText('Last message')).toBeAttached()
  await expect(helenPage).toHaveTitle('(1) Messages · Privity')
  await openConversation(helenPage, amara)
  await expect(helenPage).toHaveTitle('Messages · Privity')

  await composer(helenPage, amara).fill('Half a sentence')
  await helenPage.goBack()
  await expect(row.getByText('Draft')).toBeVisible()
  await expectAccessible(helenPage, 'a contact with a draft')
  await helenPage.reload()
  await expect(row.getByText('Draft')).toBeVisible()
  await openConversation(helenPage, amara)
  await expect(composer(helenPage, amara)).toHaveValue('Half a sentence')
  await composer(helenPage, amara).press('Enter')
  await sees(helenPage, amara, 'Half a sentence')
  await helenPage.goBack()
  await expect(row.getByText('Draft')).toBeHidden()
})

test('an open conversation has an address, for a reload and for a second tab', async ({ amaraPage: page }) => {
  await expect(page).toHaveURL(/\/\?c=[0-9a-f-]{36}$/)
  await page.reload()
  await expect(conversation(page, helen)).toBeVisible()

  const second = await page.context().newPage()
  await second.goto(page.url())
  await expect(conversation(second, helen)).toBeVisible()
  await second.goBack()
  await expect(second).toHaveURL(/\/$/)
  await expect(conversation(second, helen)).toBeHidden()

  await second.goto('/?c=00000000-0000-4000-8000-000000000000')
  await seeDashboard(second)
  await expect(second).toHaveURL(/\/$/)
})

test('the row of the open conversation leads to its composer', async ({ amaraPage: page }) => {
  await connectionRow(page, helen).press('Enter')
  await expect(composer(page, helen)).toBeFocused()
})

test('words are found in the open conversation, by keyboard', async ({ amaraPage: page }) => {
  for (const text of ['The contract is signed', 'See you at noon', 'A second Contract follows']) {
    await send(page, helen, text)
    await sees(page, helen, text)
  }
  const found = page.locator('[data-found]')
  const count = page.getByRole('search').getByRole('status')
  await page.getByRole('button', { name: 'Find in conversation' }).press('Enter')
  await expect(page.getByRole('searchbox', { name: 'Find in conversation' })).toBeFocused()
  await page.keyboard.type('contract')
  await expect(count).toHaveText('2 of 2. A second Contract follows')
  await expect(found).toContainText('A second Contract follows')
  await expectAccessible(page, 'finding in a conversation')
  await page.keyboard.press('Enter')
  await expect(count).toHaveText('1 of 2. The contract is signed')
  await expect(message(page, helen, 'The contract is signed')).toBeInViewport()
  await page.keyboard.press('Shift+Enter')
  await expect(found).toContainText('A second Contract follows')
  await page.keyboard.type('s')
  await expect(count).toHaveText('None')
  await page.keyboard.press('Escape')
  await expect(found).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Find in conversation' })).toBeFocused()

  await test.step('and the shortcut opens the field, which returns the focus to the composer', async () => {
    await composer(page, helen).focus()
    await page.keyboard.press('Control+Shift+F')
    await expect(page.getByRole('searchbox', { name: 'Find in conversation' })).toBeFocused()
    await page.keyboard.type('noon')
    await expect(count).toHaveText('1 of 1. See you at noon')
    await composer(page, helen).focus()
    await page.keyboard.press('Control+Shift+F')
    await page.keyboard.type('signed')
    await expect(count).toHaveText('1 of 1. The contract is signed')
    await page.keyboard.press('Escape')
    await expect(composer(page, helen)).toBeFocused()
  })

  await test.step('but not behind a dialog', async () => {
    const row = conversation(page, helen).getByRole('article').filter({ hasText: 'See you at noon' })
    await row.hover()
    await row.getByRole('button', { name: 'Message options' }).click()
    await page.getByRole('menuitem', { name: 'Delete for both' }).click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Control+Shift+F')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(page.getByRole('searchbox', { name: 'Find in conversation' })).toHaveCount(0)
  })
})

test('on a phone the contacts come first, and code and Connect are one row below', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser()
  await page.setViewportSize({ width: 360, height: 740 })
  await enterAs(page, amara)
  const fold = page.getByRole('heading', { name: 'Your connection code, Connect' })
  const [row, below] = [await connectionRow(page, helen).boundingBox(), await fold.boundingBox()]
  expect(row?.y).toBeLessThan(below?.y ?? 0)
  await expect(page.getByLabel('Connect to Someone')).toBeHidden()
  await fold.click()
  await expect(page.getByLabel('Connect to Someone')).toBeVisible()
  await expectAccessible(page, 'the opened row')

  await openConversation(page, helen)
  const name = await page.getByRole('heading', { name: 'Helen' }).boundingBox()
  const calls = await page.getByRole('button', { name: 'Video call and voice call' }).boundingBox()
  expect(calls?.width).toBeLessThan(name?.width ?? 0)
})
