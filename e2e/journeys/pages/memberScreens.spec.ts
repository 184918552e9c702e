import { expect, test } from '../../support/members/pair.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { setPreferences } from '../../support/members/notifications.ts'
import { memberPages } from '../../support/members/pages.ts'
import { fullName, helen } from '../../support/members/people.ts'

const pages = memberPages.filter((path) => path !== '/admin')

test('the side navigation has each entry in one line, and leads back to the messages', async ({ amaraPage: page }) => {
  await setPreferences(page, { language: 'de' })
  for (const path of pages) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.goto(path)
    const links = page.getByRole('navigation', { name: 'Konto' }).getByRole('link')
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
  await page.getByRole('navigation', { name: 'Konto' }).getByRole('link', { name: 'Nachrichten' }).click()
  await expect(page).toHaveURL('/')
})

test('the German headers of page and conversation are not truncated at any width', async ({ amaraPage: page }) => {
  await setPreferences(page, { language: 'de' })
  await page.goto('/about')
  await moveTo(page, '/')
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
        all.filter((part) => part.checkVisibility() && part.clientWidth > 1 && part.scrollWidth > part.clientWidth + 1),
      )
      .then((found) => found.length)
    expect.soft(cut, `${width}`).toBe(0)
  }
})
