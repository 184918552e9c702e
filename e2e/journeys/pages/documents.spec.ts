import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'

const documents = { '/terms': 'Terms', '/privacy': 'Privacy', '/threat-model': 'Threat model' }

/** Expects the heading of the open page, no axe findings, and no horizontal scrolling at any width. */
async function expectWell(page: Page, path: string, heading: string): Promise<void> {
  await expect(page.getByRole('heading', { level: 1, name: heading }), path).toBeVisible()
  await expectAccessible(page, path)
  await page.setViewportSize({ width: 360, height: 740 })
  expect.soft(await overflow(page), `${path} at 360 pixels`).toBeLessThanOrEqual(0)
  const tables = page.getByRole('region').filter({ has: page.getByRole('table') })
  const hidden = await tables.evaluateAll((found) =>
    found.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  )
  expect.soft(Math.max(0, ...hidden), `the tables of ${path} at 360 pixels`).toBe(0)
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Internal links in the content of this page. */
async function linksOf(page: Page, path: string): Promise<string[]> {
  await moveTo(page, path)
  await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
  const links = page.getByRole('main').getByRole('link')
  const addresses = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  return [...new Set(addresses.filter((address) => address.startsWith('/')))]
}

test('a visitor reads the documents, but not /about, at any width and in both themes', async ({ openBrowser }) => {
  const page = await openBrowser()
  for (const [path, heading] of Object.entries(documents)) {
    await page.goto('/')
    await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name: heading }).click()
    await expect(page).toHaveURL(new RegExp(`${path}$`))
    await expectWell(page, path, heading)
  }
  await page.goto('/about')
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('link', { name: 'Get Started' }).first()).toBeVisible()
})

test('a member reads the documents and About, and every link leads somewhere', async ({ amaraPage: page }) => {
  await test.step('a member reads them and /about at any width and in both themes', async () => {
    for (const [path, heading] of Object.entries({ ...documents, '/about': 'About' })) {
      await moveTo(page, path)
      await expectWell(page, path, heading)
    }
    await expect(page.getByText('v2.1.0', { exact: true })).toBeVisible()
  })

  await test.step('every link of About and Help & Support leads a member somewhere', async () => {
    const fromAbout = await linksOf(page, '/about')
    const fromHelp = await linksOf(page, '/help-support')
    for (const address of [...Object.keys(documents), '/help-support']) expect(fromAbout).toContain(address)
    for (const address of [...Object.keys(documents), '/about', '/api/docs']) expect(fromHelp).toContain(address)
    for (const address of new Set([...fromAbout, ...fromHelp])) {
      const answer = await page.request.get(address, { headers: { accept: 'text/html' } })
      expect(answer.status(), address).toBe(200)
      if (address.startsWith('/api/')) continue
      await moveTo(page, address)
      await expect(page, address).toHaveURL((url) => url.pathname === address)
      await expect(page.locator('h1, h2').first(), address).toBeVisible()
      await expect(page.getByRole('heading', { name: 'Page Not Found' }), address).toBeHidden()
    }
  })
})
