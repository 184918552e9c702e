import { toast } from '../../support/members/account.ts'
import { openConversation, sees, send } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'

test('one of two sets a shorter life for their messages, by keyboard; both are shown it', async ({
  pair: { amaraPage, helenPage },
}) => {
  const button = (page: typeof helenPage, time: string) =>
    page.getByRole('button', { name: `Messages disappear after ${time}. Change` })
  await expect(button(amaraPage, '24 hours')).toBeVisible()

  await test.step('the menu names the times and marks the one that applies', async () => {
    await button(helenPage, '24 hours').press('Enter')
    const menu = helenPage.getByRole('menu', { name: 'Messages disappear after' })
    await expect(menu.getByRole('menuitemradio')).toHaveText(['1 hour', '8 hours', '24 hours'])
    await expect(menu.getByRole('menuitemradio', { name: '24 hours' })).toBeChecked()
    await expectAccessible(helenPage, 'the menu of the lifetime')
    await helenPage.keyboard.press('Home')
    await helenPage.keyboard.press('Enter')
  })

  await expect(toast(helenPage, 'Messages disappear after 1 hour')).toBeVisible()
  await expect(toast(amaraPage, `${fullName(helen)} set messages to disappear after 1 hour`)).toBeVisible()
  for (const page of [amaraPage, helenPage]) await expect(button(page, '1 hour')).toBeVisible()
  await expect(button(helenPage, '1 hour')).toBeFocused()
  await send(amaraPage, helen, 'This lives for an hour')
  await sees(helenPage, amara, 'This lives for an hour')

  await amaraPage.reload()
  await openConversation(amaraPage, helen)
  await expect(button(amaraPage, '1 hour')).toBeVisible()
})

test('a button keeps the focus when the code of its menu arrives', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser()
  const arrival = Promise.withResolvers<void>()
  await page.route('**/assets/LifetimeMenu-*.js', async (route) => {
    await arrival.promise
    await route.continue()
  })
  await enterAs(page, helen)
  await openConversation(page, amara)
  const button = page.getByRole('button', { name: 'Messages disappear after 24 hours. Change' })
  await button.focus()
  // Only the button whose menu has arrived says whether the menu is open.
  await expect(button).not.toHaveAttribute('aria-expanded')
  arrival.resolve()
  await expect(button).toHaveAttribute('aria-expanded', 'false')
  await expect(button).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menu', { name: 'Messages disappear after' })).toBeVisible()
})
