import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { toast } from '../../support/members/account.ts'
import { codeFor } from '../../support/members/secondFactor.ts'
import { expect, test } from '../../support/servers/test.ts'

const field = (page: Page, label: string) => page.getByRole('textbox', { name: label, exact: true })
const dialog = (page: Page) => page.getByRole('dialog')
const code = (page: Page) => page.getByLabel('Code from your authenticator app')
const dashboard = (page: Page) => page.getByRole('heading', { name: 'Founder Dashboard', level: 1 })
const ownPassword = (page: Page) => page.getByRole('heading', { name: 'Choose your own password' })
const secondStep = (page: Page) => page.getByRole('heading', { name: 'One more step' })

async function enterPassword(page: Page, password: string): Promise<void> {
  await page.goto('/founder')
  await field(page, 'Password').fill(password)
  await page.keyboard.press('Enter')
}

/** Presses Tab until the control has the focus: everything here works without a pointer. */
async function tabTo(page: Page, name: string | RegExp, role: 'button' | 'link' | 'textbox' | 'checkbox' = 'button') {
  const target = page.getByRole(role, { name, exact: true })
  await expect(target.first()).toBeVisible()
  await expect(async () => {
    for (let at = 0; at < 12; at++) {
      if (await target.first().evaluate((element) => element === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error(`${name} is not reached`)
  }).toPass()
}

test('the founder sets up a second factor and a new password, and is never left in doubt', async ({
  server,
  openBrowser,
  expectComplaint,
}) => {
  test.slow()
  expectComplaint(/(401|403) \((Unauthorized|Forbidden)\) .*\/api\/founder\//)
  expectComplaint(/ERR_FAILED|Failed to fetch|CallError|could not be reached/)
  const page = await openBrowser({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const generated = server.founderPassword ?? ''
  const first = 'the first password of their own 11'
  const second = 'a password of their own 47'
  let key = ''
  let recoveryCodes: string[] = []

  await test.step('the generated password opens nothing but its replacement, and there is no way round', async () => {
    await enterPassword(page, generated)
    await expect(ownPassword(page)).toBeVisible()
    await page.goto('/founder/dashboard')
    await expect(ownPassword(page)).toBeVisible()
    await expectAccessible(page, 'replacing the password of the first start')
    await page.getByRole('button', { name: 'Replace password' }).click()
    await expect(field(page, 'Generated password')).toBeFocused()
    await page.getByRole('button', { name: 'Sign out' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Founder Login' })).toBeVisible()
    await enterPassword(page, generated)
    await expect(field(page, 'New password')).toBeFocused()
    await expect(field(page, 'New password')).toHaveAccessibleDescription('Use at least 10 characters.')
    await page.keyboard.type('too short')
    await page.keyboard.press('Enter')
    await expect(field(page, 'New password')).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, 'Confirm new password')).toHaveAccessibleDescription("New passwords don't match.")
    await field(page, 'New password').fill(first)
    await field(page, 'Confirm new password').fill(first)
    await page.keyboard.press('Enter')
  })

  await test.step('their own password opens the console, which says that it is all there is', async () => {
    await expect(dashboard(page)).toBeVisible()
    await expect(page.getByText('The password alone opens this console.').first()).toBeVisible()
    await expect(page.getByText(/Reported messages can be read in this browser/)).toBeVisible()
  })

  await test.step('an authenticator app is set up by keyboard alone', async () => {
    await page.getByRole('link', { name: 'Set up two-factor authentication' }).press('Enter')
    await tabTo(page, 'Set up')
    await page.keyboard.press('Enter')
    await expect(field(page, 'Password')).toBeFocused()
    await page.keyboard.type('not the password')
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByText('Incorrect password.')).toBeVisible()
    await field(page, 'Password').press('ControlOrMeta+a')
    await page.keyboard.type(first)
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
    await expectAccessible(page, 'setting up an authenticator app')
    key = (await dialog(page).getByRole('group', { name: 'Key for your authenticator app' }).textContent()) ?? ''
    await expect(code(page)).toBeFocused()
    await dialog(page).getByRole('button', { name: 'Copy key' }).press('Enter')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key.replaceAll(' ', ''))
    await code(page).focus()
    await page.keyboard.type(codeFor(key, 20))
    await tabTo(page, 'Switch on')
    await page.keyboard.press('Enter')
    await expect(code(page)).toHaveAccessibleDescription(/That code is incorrect/)
    await expect(code(page)).toBeFocused()
    await code(page).press('ControlOrMeta+a')
    await page.keyboard.type(codeFor(key))
    await page.keyboard.press('Enter')
    await expect(page.getByText('Two-factor authentication is on', { exact: true })).toBeVisible()
    const list = dialog(page).getByRole('list', { name: 'Backup codes' })
    recoveryCodes = await list.getByRole('listitem').allTextContents()
    expect(recoveryCodes).toHaveLength(10)
    await expectAccessible(page, 'recovery codes of the founder')
    await expect(dialog(page).getByRole('button', { name: 'Done' })).toBeDisabled()
    await tabTo(page, 'I have saved them', 'checkbox')
    await page.keyboard.press('Space')
    await tabTo(page, 'Done')
    await page.keyboard.press('Enter')
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByText(/^On since .* 10 backup codes are left\.$/)).toBeVisible()
    await expect(page.getByText('The password alone opens this console.')).toHaveCount(0)
  })

  const other = await openBrowser({ viewport: { width: 360, height: 740 } })
  await test.step('from then on the password is not enough; each code signs in once', async () => {
    await enterPassword(other, first)
    await expect(secondStep(other)).toBeVisible()
    await expectAccessible(other, 'the second step of the founder')
    expect(await overflow(other)).toBe(0)
    await code(other).fill(codeFor(key, 20))
    await other.keyboard.press('Enter')
    await expect(code(other)).toHaveAccessibleDescription(/That code is incorrect/)
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(recoveryCodes[0] ?? '')
    await other.keyboard.press('Enter')
    await expect(dashboard(other)).toBeVisible()
    await page.reload()
    await expect(page.getByText(/9 backup codes are left\.$/)).toBeVisible()
  })

  await test.step('two passwords that differ, or are too short, are said so', async () => {
    await page.getByRole('button', { name: 'Change password' }).click()
    await field(page, 'Current password').fill(first)
    await field(page, 'New password').fill('short')
    await field(page, 'Confirm new password').fill(second)
    await page.keyboard.press('Enter')
    await expect(dialog(page).getByText('Use 10 characters or more.')).toBeVisible()
    await expect(dialog(page).getByText("New passwords don't match.")).toBeVisible()
    await field(page, 'New password').fill(second)
    await expectAccessible(page, 'a new password')
  })

  await test.step('an answer that is lost leaves a doubt that says how it is ended, and trying again ends it', async () => {
    let isCut = false
    await page.route('**/api/founder/**', async (route) => {
      if (isCut) return route.abort()
      if (route.request().method() !== 'PUT') return route.continue()
      await route.fetch()
      isCut = true
      return route.abort()
    })
    await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
    await dialog(page)
      .getByLabel('Backup code')
      .fill(recoveryCodes[1] ?? '')
    await page.keyboard.press('Enter')
    await expect(
      dialog(page).getByText(/the password may or may not have changed\. Try again with the same/),
    ).toBeVisible()
    await page.unroute('**/api/founder/**')
    await dialog(page).getByRole('button', { name: 'Change password' }).click()
    await expect(toast(page, 'Password updated')).toBeVisible()
    await expect(dialog(page)).toHaveCount(0)
    await expect(page.getByText(/Reported messages can be read in this browser/)).toBeVisible()
    await other.reload()
    await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  })

  await test.step('the old password is none any more, the new one needs the second factor', async () => {
    await enterPassword(other, first)
    await expect(toast(other, 'Authentication Failed')).toBeVisible()
    await field(other, 'Password').fill(second)
    await other.keyboard.press('Enter')
    await expect(secondStep(other)).toBeVisible()
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(recoveryCodes[2] ?? '')
    await other.keyboard.press('Enter')
    await expect(other.getByText(/Reported messages can be read in this browser/)).toBeVisible()
  })

  await test.step('one session is ended from another', async () => {
    await page.reload()
    const sessions = page.getByRole('list', { name: 'Signed-in sessions' })
    await expect(sessions.getByRole('listitem')).toHaveCount(2)
    await expect(sessions.getByRole('listitem').first()).toContainText('Chrome on')
    await sessions.getByRole('button', { name: /^Sign out/ }).click()
    await expect(toast(page, 'Session ended')).toBeVisible()
    await expect(sessions.getByRole('listitem')).toHaveCount(1)
    await expect(other.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  })

  await test.step('without the second factor the password is enough again', async () => {
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await field(page, 'Password').fill(second)
    await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
    await dialog(page)
      .getByLabel('Backup code')
      .fill(recoveryCodes[3] ?? '')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Two-factor authentication is off')).toBeVisible()
    await enterPassword(other, second)
    await expect(dashboard(other)).toBeVisible()
  })
})
