import { expect } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { test } from '../../support/servers/test.ts'

const password = 'the password of the founder'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

test('the founder comes in by three clicks on the logo, and leaves nothing open', async ({
  openBrowser,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/(verify|login)$/)
  // The logout overtakes polls that are under way.
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/(security-dashboard|message-rate)$/)
  expectComplaint(/ERR_INTERNET_DISCONNECTED/)
  const page = await openBrowser()
  const toast = page.getByRole('region', { name: 'Notices' }).or(page.locator('.toast'))
  const field = page.getByLabel('Password', { exact: true })
  const signIn = page.getByRole('button', { name: 'Sign In' })

  await test.step('without a session the dashboard is closed', async () => {
    await page.goto('/founder/dashboard')
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await expect(page.getByText("You don't have founder-level access to view this dashboard.")).toBeVisible()
    await expectAccessible(page, 'access denied')
    await page.getByRole('button', { name: 'Return to Login' }).click()
    await expect(page).toHaveURL(/\/founder$/)
  })

  await test.step('three clicks on the logo lead to the login', async () => {
    await page.goto('/')
    const logo = page.getByRole('link', { name: 'Privity', exact: true }).first()
    // The clicks count only after hydration: until then, they navigate to the same page.
    await expect(async () => {
      await logo.click({ clickCount: 3 })
      await page.waitForURL('**/founder', { timeout: 2_000 })
    }).toPass()
    await expect(page.getByLabel('Username')).toHaveValue('founder')
    await expect(page.getByLabel('Username')).toHaveAttribute('readonly')
    await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
    await expectAccessible(page, 'founder login')
  })

  await test.step('a wrong password, and a server that is not reached, are said so', async () => {
    await field.fill('wrong')
    await signIn.click()
    await expect(toast.getByText('Authentication Failed')).toBeVisible()
    await expect(page.getByText('Access Denied')).toBeVisible()
    await page.context().setOffline(true)
    await field.fill(password)
    await signIn.click()
    await expect(toast.getByText('Login Error')).toBeVisible()
    await expect(toast.getByText('Network error during login')).toBeVisible()
    await page.context().setOffline(false)
  })

  await test.step('the right one opens the dashboard, by keyboard alone', async () => {
    await field.fill(password)
    await field.press('Enter')
    await expect(page.getByRole('heading', { name: 'Founder Dashboard', level: 1 })).toBeVisible()
    await expect(page).toHaveURL(/\/founder\/dashboard$/)
    await expect(toast.getByText('Founder Access Granted')).toBeVisible()
    await expect(page.getByText('Platform Administration')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Security', exact: true })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to console' })).toBeFocused()
    await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Security' }).press('Enter')
    await expect(page).toHaveURL(/#security$/)
    await expect(page.getByText('Reported messages can be read in this browser.')).toBeVisible()
    await expectAccessible(page, 'founder dashboard')
    for (const width of [360, 768, 1200, 1600]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await overflow(page), `at ${width} pixels`).toBe(0)
    }
  })

  await test.step('logging out closes it here and in every other tab', async () => {
    const other = await page.context().newPage()
    await other.goto('/founder/dashboard')
    await expect(other.getByRole('heading', { name: 'Founder Dashboard', level: 1 })).toBeVisible()
    // Wait until its requests are done, so that logging out refuses none of them.
    await expect(other.getByText('Reported messages can be read in this browser.')).toBeVisible()
    await page.getByRole('button', { name: 'Logout' }).click()
    await expect(page).toHaveURL(/\/founder$/)
    await expect(toast.getByText('Logged Out')).toBeVisible()
    await other.reload()
    await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  })
})
