import { expect, test } from '../../support/members/pair.ts'
import { openConversation } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { setPreferences } from '../../support/members/notifications.ts'
import { memberPages } from '../../support/members/pages.ts'
import { fullName, helen } from '../../support/members/people.ts'

const pages = memberPages.filter((path) => path !== '/admin')

test('no order of style sheets changes a screen, and German texts fit it', async ({
  amaraPage: page,
  openBrowser,
  enterAs,
}) => {
  await test.step('a reload brings the style sheets in another order, and no order of them changes anything', async () => {
    await page.setViewportSize({ width: 768, height: 900 })
    // The server responds with the landing page, whose style sheet shares parts with this screen.
    await page.reload()
    await openConversation(page, helen)
    await expect(page.getByRole('button', { name: 'Back' })).toBeHidden()

    const changed = await page.evaluate(() => {
      const look = () =>
        [...document.querySelectorAll('body *')].map((part) => {
          const { x, y, width, height } = part.getBoundingClientRect()
          const { color, backgroundColor, fontSize } = getComputedStyle(part)
          return [part.tagName, part.getAttribute('class'), x, y, width, height, color, backgroundColor, fontSize].join(
            ' ',
          )
        })
      const before = look()
      // The first sheet declares the cascade layers and stays; we reverse the order of the other sheets.
      const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].slice(1)
      const copies = links.map(({ sheet }) => {
        const copy = new CSSStyleSheet()
        copy.replaceSync([...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n'))
        return copy
      })
      for (const { sheet } of links) if (sheet) sheet.disabled = true
      const without = look()
      document.adoptedStyleSheets = copies.toReversed()
      const after = look()
      return {
        sheets: links.length,
        needed: without.some((line, i) => line !== before[i]),
        differences: before.filter((line, i) => line !== after[i]).slice(0, 5),
      }
    })
    expect(changed.sheets).toBeGreaterThan(5)
    expect(changed.needed, 'these sheets are what is looked at').toBe(true)
    expect(changed.differences).toEqual([])
  })

  await setPreferences(page, { language: 'de' })
  const navigation = page.getByRole('navigation', { name: 'Konto' })

  await test.step('the side navigation has each entry in one line, and leads back to the messages', async () => {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(pages[0] ?? '')
    for (const path of pages) {
      await moveTo(page, path)
      const links = navigation.getByRole('link')
      await expect(links).toHaveCount(7)
      const lines = await links.evaluateAll((all) =>
        all.map((link) => {
          const range = document.createRange()
          range.selectNodeContents(link.lastChild ?? link)
          return new Set([...range.getClientRects()].map(({ top }) => top)).size
        }),
      )
      expect(lines, path).toEqual([1, 1, 1, 1, 1, 1, 1])
    }
    await navigation.getByRole('link', { name: 'Nachrichten' }).click()
    await expect(page).toHaveURL('/')
  })

  await test.step('the headers of page and conversation are not truncated at any width', async () => {
    await page
      .getByRole('button', { name: new RegExp(helen.lastName) })
      .first()
      .click()
    await expect(page.getByRole('heading', { name: fullName(helen) })).toBeVisible()
    for (const width of [320, 360, 390, 480, 600, 768, 820, 900, 1024, 1280, 1440]) {
      await page.setViewportSize({ width, height: 900 })
      const cut = await page
        .locator('.chat-h *, .topbar *')
        .evaluateAll((all) =>
          all.filter(
            (part) => part.checkVisibility() && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1,
          ),
        )
        .then((found) => found.length)
      expect.soft(cut, `${width}`).toBe(0)
    }
  })

  await test.step('the header of a conversation has two rows in a narrow window', async () => {
    for (const width of [320, 360, 390, 430, 480, 600, 768, 820, 860, 960, 1024]) {
      await page.setViewportSize({ width, height: 740 })
      const facts = await page.locator('.chat-facts').boundingBox()
      expect.soft(facts?.height, `${width}`).toBeLessThan(25)
      const header = await page.locator('.chat-h').boundingBox()
      expect.soft(header?.height, `${width}`).toBeLessThan(80)
    }
  })

  await test.step('the buttons of the composer stay in one row on a phone, however much is written', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const field = page.getByRole('textbox', { name: `Nachricht an ${fullName(helen)}` })
    const send = page.getByRole('button', { name: 'Senden', exact: true })
    for (const text of ['', 'w'.repeat(500)]) {
      await field.fill(text)
      const [upload, end] = [
        await page.getByRole('button', { name: 'DATEI HOCHLADEN' }).boundingBox(),
        await send.boundingBox(),
      ]
      expect.soft(end?.y, `${text.length} characters`).toBe(upload?.y)
    }
  })

  await test.step('a name of 23 letters is whole in the header of a conversation on a phone', async () => {
    const helenPage = await openBrowser()
    await enterAs(helenPage, helen)
    await moveTo(helenPage, '/account-settings')
    const profile = helenPage.getByRole('region', { name: 'Profile' })
    await profile.getByRole('button', { name: 'Edit' }).click()
    await profile.getByLabel('First name').fill('Maximiliana')
    await profile.getByLabel('Last name').fill('Wolkenstein')
    await profile.getByRole('button', { name: 'Save Changes' }).click()
    const name = page.getByRole('main').getByRole('heading', { name: 'Maximiliana Wolkenstein' })
    await expect(name).toBeVisible()
    for (const width of [320, 360, 390]) {
      await page.setViewportSize({ width, height: 740 })
      const room = await name.evaluate((part) => [
        part.scrollWidth - part.clientWidth,
        part.scrollHeight - part.clientHeight,
      ])
      expect.soft(Math.max(...room), `${width}`).toBeLessThanOrEqual(1)
      expect.soft((await page.locator('.chat-h').boundingBox())?.height, `${width}`).toBeLessThan(80)
    }
  })
})

test('a dismissed notice returns the focus to where it was before', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser()
  await page.clock.install({ time: Date.now() + 20 * 60_000 })
  await enterAs(page, helen)
  const notice = page.locator('.update')
  await expect(notice).toContainText('clock')
  const code = page.getByLabel('Connect to Someone')

  await test.step('from a field, by the pointer', async () => {
    await code.focus()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toHaveCount(0)
    await expect(code).toBeFocused()
  })

  await test.step('from nowhere, to the content of the page', async () => {
    await page.evaluate(() => sessionStorage.removeItem('privity.clockNotice'))
    await page.reload()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await expect(notice).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
  })
})
