import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { conversation, message, openConversation, sees, send } from '../../support/members/conversation.ts'
import { storedEvents } from '../../support/servers/database.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { stopClock } from '../../support/screens/clock.ts'
import { phone, touch } from '../../support/screens/touch.ts'

const text = 'The witness comes on Friday'

const menu = (page: Page) => page.getByRole('menu', { name: 'Message options' })
const options = (page: Page, words: string) =>
  conversation(page, amara)
    .getByRole('article')
    .filter({ hasText: words })
    .getByRole('button', { name: 'Message options' })

async function pressLong(page: Page, words: string): Promise<void> {
  await touch(page, message(page, amara, words), () => page.clock.runFor(600))
}

test('a message on a phone has its menu: by a long press, a key or its button', async ({
  openBrowser,
  enterAs,
  amaraPage,
  server,
}) => {
  const page = await openBrowser(phone)
  await enterAs(page, helen)
  await openConversation(page, amara)
  await send(amaraPage, helen, text)
  await sees(page, amara, text)

  await test.step('no report button stands beside a message', async () => {
    await expect(page.getByRole('button', { name: 'Report message' })).toHaveCount(0)
  })

  await test.step('Copy puts the message on the clipboard, and that is logged', async () => {
    await options(page, text).focus()
    await page.keyboard.press('Enter')
    await menu(page).getByRole('menuitem', { name: 'Copy' }).tap()
    await expect(toast(page, 'Message copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
    await expect.poll(async () => (await storedEvents(server)).map(({ type }) => type)).toEqual(['copy_attempt'])
  })

  await test.step('the context-menu key opens the menu, and the focus returns', async () => {
    await options(page, text).focus()
    await page.keyboard.press('ContextMenu')
    await expect(menu(page)).toBeVisible()
    await expectAccessible(page, 'the menu of a message')
    await page.keyboard.press('Escape')
    await expect(options(page, text)).toBeFocused()
  })

  await test.step('Report in the menu asks first, and the focus returns to the message', async () => {
    await options(page, text).focus()
    await page.keyboard.press('Enter')
    await menu(page).getByRole('menuitem', { name: 'Report message' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Report this message?' })
    await expect(dialog).toContainText(text)
    await dialog.getByRole('button', { name: 'Cancel' }).tap()
    await expect(dialog).toHaveCount(0)
    await expect(options(page, text)).toBeFocused()
  })

  await test.step('an own message is copied from its menu and cannot be reported', async () => {
    await send(page, amara, 'My own words')
    await sees(page, amara, 'My own words')
    await options(page, 'My own words').focus()
    await page.keyboard.press('Enter')
    await expect(menu(page).getByRole('menuitem')).toHaveText(['Reply', 'Copy', 'Delete for both'])
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
  })

  await test.step('a menu goes with its message', async () => {
    await options(page, text).focus()
    await page.keyboard.press('Enter')
    await expect(menu(page)).toBeVisible()
    const [{ id }] = (await (await amaraPage.request.get('/api/connections')).json()) as [{ id: string }]
    const { origin } = new URL(amaraPage.url())
    await amaraPage.request.delete(`/api/connections/${id}`, { headers: { origin } })
    await expect(page.getByText(`Conversation with ${fullName(amara)}`)).toHaveCount(0)
    await expect(menu(page)).toHaveCount(0)
  })
})

test('a press on a message of a phone opens its menu only if it is long and still', async ({
  openBrowser,
  enterAs,
  amaraPage,
}) => {
  const page = await openBrowser(phone)
  await enterAs(page, helen)
  await openConversation(page, amara)
  for (let count = 1; count <= 20; count++) await send(amaraPage, helen, `Line ${count}`)
  await sees(page, amara, 'Line 20')
  await stopClock(page)

  await test.step('a press that scrolls, moves or ends early opens no menu', async () => {
    const place = message(page, amara, 'Line 15')
    await touch(page, place, async (move) => {
      await page.clock.runFor(200)
      for (const dy of [30, 60, 90]) await move(dy)
      await page.clock.runFor(600)
    })
    await touch(page, place, () => page.clock.runFor(200))
    await page.clock.runFor(600)
    await touch(page, place, async () => {
      await page.clock.runFor(200)
      await page.locator('.convo').evaluate((scroller) => {
        const scrolled = new Promise((resolve) => scroller.addEventListener('scroll', resolve, { once: true }))
        scroller.scrollTop -= 40
        return scrolled
      })
      await page.clock.runFor(600)
    })
    await expect(menu(page)).toHaveCount(0)
  })

  await test.step('a long press opens it and selects no text; Escape and a press outside close it', async () => {
    await pressLong(page, 'Line 15')
    await expect(menu(page).getByRole('menuitem')).toHaveText(['Reply', 'Copy', 'Report message'])
    expect(await page.evaluate(() => String(getSelection()))).toBe('')
    await page.keyboard.press('Escape')
    await expect(menu(page)).toHaveCount(0)
    await pressLong(page, 'Line 15')
    await page.clock.runFor(100)
    await expect(menu(page)).toBeVisible()
    await page.touchscreen.tap(180, 90)
    await expect(menu(page)).toHaveCount(0)
  })
})
