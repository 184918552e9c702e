import { seeDashboard } from '../../support/members/account.ts'
import { memberPages } from '../../support/members/pages.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

test('a visitor is sent from every member page to the landing page, and sees it elsewhere', async ({ openBrowser }) => {
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

test('a member sees the landing page neither at its address nor at an unknown one', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser()
  await enterAs(page, amara)

  await test.step('an unknown address shows the 404 page, with two ways back', async () => {
    await page.goto('/nowhere')
    await expect(page.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/auth')
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL(/\/$/)
    await seeDashboard(page)
    await page.goto('/auth')
    await expect(page).toHaveURL(/\/$/)
  })

  await test.step('the landing page stays hidden while the server is asked who is signed in', async () => {
    await page.route('**/api/user', async (route) => {
      await expect(page.locator('html')).toHaveAttribute('data-page', 'landing')
      await expect(page.getByRole('heading', { name: 'Strictly between the two of you.' })).not.toBeVisible()
      await route.continue()
    })
    await page.goto('/')
    await seeDashboard(page)
  })
})
