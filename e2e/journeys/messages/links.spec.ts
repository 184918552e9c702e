import { expectAccessible } from '../../support/screens/accessibility.ts'
import { conversation, openConversation, sees, send } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { smallTargets } from '../../support/screens/targets.ts'
import { phone } from '../../support/screens/touch.ts'

test('an address in a message is a link that asks before it opens', async ({ pair: { amaraPage, helenPage } }) => {
  const links = conversation(helenPage, amara).getByRole('link')
  const dialog = helenPage.getByRole('dialog', { name: 'Open this address?' })
  const opened: string[] = []
  await helenPage.context().route(/\.example\//, (route) => {
    opened.push(`${route.request().url()} ${route.request().headers()['referer'] ?? 'no referrer'}`)
    return route.fulfill({ contentType: 'text/html', body: '<title>Elsewhere</title>' })
  })
  const text =
    'See (https://deeds.example/a?b#c), https://good.example@evil.example/ or https://m\u00fcnchen.example. ' +
    'Not http://plain.example nor javascript:alert(1) nor https://x.example/\u202eb'
  await send(amaraPage, helen, text)
  await sees(helenPage, amara, text)

  await test.step('only https addresses are links, without the punctuation around them', async () => {
    await expect(links).toHaveText([
      'https://deeds.example/a?b#c',
      'https://good.example@evil.example/',
      'https://m\u00fcnchen.example',
    ])
    await expect(links.first()).toHaveAttribute('rel', 'noopener noreferrer')
  })

  await test.step('a click shows the address and the website; Cancel returns the focus and opens nothing', async () => {
    await links.first().click()
    await expect(dialog).toContainText('https://deeds.example/a?b#c')
    await expect(dialog.locator('b')).toHaveText(['deeds.example'])
    await expectAccessible(helenPage, 'the question before a link')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toHaveCount(0)
    await expect(links.first()).toBeFocused()
  })

  await test.step('the middle button and the keyboard ask, too', async () => {
    await links.first().click({ button: 'middle' })
    await expect(dialog).toBeVisible()
    await helenPage.keyboard.press('Escape')
    await links.first().press('Enter')
    await expect(dialog).toBeVisible()
    await helenPage.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
  })

  await test.step('a name before the @ is not taken for the website', async () => {
    await links.nth(1).click()
    await expect(dialog.locator('b')).toHaveText(['evil.example'])
    await expect(dialog).toContainText('What stands before the @ is not the website.')
    await helenPage.keyboard.press('Escape')
  })

  await test.step('an international name is shown in plain letters, too', async () => {
    await links.nth(2).click()
    await expect(dialog.locator('b')).toHaveText(['m\u00fcnchen.example', 'xn--mnchen-3ya.example'])
    await helenPage.keyboard.press('Escape')
    expect(opened).toEqual([])
  })

  await test.step('Open opens it in a new tab that learns nothing of where it comes from', async () => {
    await links.first().click()
    const tab = helenPage.context().waitForEvent('page')
    await dialog.getByRole('button', { name: 'Open' }).click()
    const page = await tab
    await expect(page).toHaveTitle('Elsewhere')
    expect(await page.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
    expect(opened).toEqual(['https://deeds.example/a?b no referrer'])
    await expect(dialog).toHaveCount(0)
  })
})

test('a tap on a link of a phone asks before it opens, and a context menu does not', async ({
  openBrowser,
  enterAs,
  amaraPage,
}) => {
  const page = await openBrowser(phone)
  await enterAs(page, helen)
  await openConversation(page, amara)
  await send(amaraPage, helen, 'https://deeds.example/a')
  const link = conversation(page, amara).getByRole('link')
  await expect(link).toBeVisible()
  expect(await smallTargets(page)).toEqual([])
  await link.tap()
  await expect(page.getByRole('dialog', { name: 'Open this address?' })).toBeVisible()
  await page.keyboard.press('Escape')
  await link.click({ button: 'right' })
  await expect(page.getByRole('dialog')).toHaveCount(0)
})
