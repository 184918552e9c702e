import type { Page } from '@playwright/test'
import { signIn, toast } from '../../support/members/account.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { expect, test } from '../../support/servers/test.ts'

test.use({ prepared: 'accounts' })

/** Copies the link to the user's own code, as Share does where the browser has no sheet for it. */
async function share(page: Page): Promise<string> {
  await page.evaluate(() => Object.defineProperty(navigator, 'share', { value: undefined }))
  await page.getByRole('button', { name: 'Share', exact: true }).first().click()
  await expect(toast(page, 'Invitation copied to clipboard')).toBeVisible()
  const shared = await page.evaluate(() => navigator.clipboard.readText())
  return /http\S+/.exec(shared)?.[0] ?? ''
}

test('the shared link fills in the code, leaves the address, and confirms the key', async ({
  server,
  openBrowser,
  enterAs,
}) => {
  const amaraPage = await openBrowser()
  await enterAs(amaraPage, amara)
  const link = await share(amaraPage)
  expect(link).toMatch(new RegExp(`^${server.origin}/#connect=[A-Z]{3}-[A-Z]{3}-\\d{3}\\.[\\w-]{22}$`))
  const [code = '', fingerprint = ''] = link.split('=')[1]?.split('.') ?? []

  const helenPage = await openBrowser()
  const requested: string[] = []
  helenPage.on('request', (request) => requested.push(`${request.url()} ${request.postData() ?? ''}`))
  await test.step('a visitor is told what to do with it, and signs in', async () => {
    const hint = helenPage.getByRole('status').filter({ hasText: 'You opened a link to connect with someone.' })
    await helenPage.goto(link)
    await expect(helenPage.getByRole('link', { name: 'Sign In' })).toBeVisible()
    await expect(hint).toBeVisible()
    expect(helenPage.url()).toBe(`${server.origin}/`)
    await expectAccessible(helenPage, 'the landing page after a link')
    await helenPage.getByRole('link', { name: 'Sign In' }).click()
    await expect(helenPage.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    await expect(hint).toBeVisible()
    await expectAccessible(helenPage, 'signing in after a link')
    await signIn(helenPage, helen)
    await expect(hint).toHaveCount(0)
  })

  await test.step('the code is filled in, and the contact is confirmed by link', async () => {
    const field = helenPage.getByLabel('Connect to Someone')
    await expect(field).toHaveValue(code)
    await expect(field).toHaveAccessibleDescription(/^This code is from a link\./)
    await helenPage.getByRole('button', { name: 'Connect', exact: true }).click()
    await expect(toast(helenPage, 'Connection established successfully!')).toBeVisible()
    await expect(helenPage.getByRole('main').getByRole('button', { name: 'Confirmed by link' })).toBeVisible()
    await expect(field).toHaveValue('')
  })

  await test.step('the fingerprint has reached no server', async () => {
    expect(requested.length).toBeGreaterThan(10)
    expect(requested.filter((each) => each.includes(fingerprint))).toEqual([])
    expect(server.log()).not.toContain(fingerprint)
  })

  await test.step('another code that is typed is no longer from the link', async () => {
    await helenPage.goto(`${server.origin}/settings`)
    await helenPage.goto(link)
    const field = helenPage.getByLabel('Connect to Someone')
    await expect(field).toHaveValue(code)
    await field.fill('ABC-DEF-234')
    await expect(field).toHaveAccessibleDescription('')
    await helenPage.reload()
    await expect(field).toHaveValue('')
  })
})

test('another key than the one of the link raises an alarm, which nothing replaces', async ({
  openBrowser,
  enterAs,
}) => {
  const amaraPage = await openBrowser()
  await enterAs(amaraPage, amara)
  const link = await share(amaraPage)
  const helenPage = await openBrowser()
  await enterAs(helenPage, helen)
  await helenPage.goto('/settings')
  await helenPage.goto(`${link.split('.').slice(0, -1).join('.')}.${'A'.repeat(22)}`)
  await helenPage.getByRole('button', { name: 'Connect', exact: true }).click()
  const refused = helenPage.locator('form').getByText(/^Failed to create connection\. .*not the one in their link/)
  await expect(refused).toBeVisible()
  await expect(helenPage.getByText('No connections yet')).toBeVisible()
  await expect(toast(helenPage, 'Security warning')).toBeVisible()
  await expect(toast(amaraPage, 'Your connection with Helen Whitford was removed')).toBeVisible()
  await expect(toast(helenPage, 'Security warning')).toBeVisible()
})
