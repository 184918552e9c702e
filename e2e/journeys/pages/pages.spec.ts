import { memberPages } from '../../support/members/pages.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

test('a visitor is sent to the landing page from every member page, and sees it at any other address', async ({
  openBrowser,
}) => {
  const page = await openBrowser()
  for (const path of memberPages) {
    await page.goto(path)
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
  }
  await page.goto('/nowhere')
  await expect(page.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
})

test('the landing page’s three links lead to /auth, and so does /api/login', async ({ openBrowser }) => {
  const page = await openBrowser()
  for (const name of ['Sign In', 'Get Started', 'Sign Up Free']) {
    await page.goto('/')
    await page.getByRole('link', { name }).first().click()
    await expect(page).toHaveURL(/\/auth$/)
  }
  await page.goto('/api/login')
  await expect(page).toHaveURL(/\/auth$/)
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('an unknown address shows a member the 404 page, with two ways back', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser()
  await enterAs(page, amara)
  await page.goto('/nowhere')
  await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/auth')
  await page.getByRole('link', { name: 'Back to Home' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(page.getByRole('heading', { name: 'Your connection code' })).toBeVisible()
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/$/)
})
