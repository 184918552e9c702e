import { confirmSaved, readRecoveryKey, toast } from '../../support/members/account.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { setPolicy } from '../../support/members/policy.ts'
import { amara, helen } from '../../support/members/people.ts'
import { codeFor, confirmWith, enableApp, takeRecoveryCodes, toggle } from '../../support/members/secondFactor.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const refusals = /(401 \(Unauthorized\)|403 \(Forbidden\)|409 \(Conflict\)) |WebSocket connection to .* failed/

test('a required second factor leads a member at work to its set-up, and then back', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(refusals)
  const page = await openBrowser({ viewport: { width: 360, height: 740 } })
  const adminPage = await openBrowser()
  await Promise.all([enterAs(page, helen), enterAs(adminPage, amara)])
  await moveTo(page, '/privacy-security')
  await expect(toggle(page)).not.toBeChecked()
  await setPolicy(adminPage, { twoFactor: true })
  const required = page.getByRole('heading', { name: 'Set up two-factor authentication' })
  await expect(required).toBeVisible()
  await expectAccessible(page, 'set-up required')
  await page.reload()
  await expect(required).toBeVisible()

  await page.getByRole('button', { name: 'Use an authenticator app' }).click()
  await confirmWith(page, helen, 'Continue')
  const dialog = page.getByRole('dialog')
  const key = await dialog.getByRole('group', { name: 'Key for your authenticator app' }).textContent()
  await dialog.getByLabel('Code from your authenticator app').fill(codeFor(key ?? ''))
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await takeRecoveryCodes(page)
  await expect(page).toHaveURL(/\/privacy-security$/)
  await expect(toggle(page)).toBeDisabled()
  await expect(toggle(page)).toBeChecked()
  await expect(toggle(page)).toHaveAccessibleDescription(/Set by your organization\./)
})

test('password and recovery key ask for the second factor in place, and keep what was typed', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(refusals)
  const page = await openBrowser()
  await enterAs(page, amara)
  const { key, recoveryCodes } = await enableApp(page, amara)
  await moveTo(page, '/account-settings')
  const form = page.getByRole('region', { name: 'Password' })
  const code = form.getByLabel('Code from your authenticator app')
  const renewed = { ...amara, password: 'an entirely new lantern 58' }
  await form.getByLabel('Current password').fill(amara.password)
  await form.getByLabel('New password', { exact: true }).fill(renewed.password)
  await form.getByLabel('Confirm new password').fill(renewed.password)
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(code).toHaveAccessibleDescription('Enter the 6-digit code from your authenticator app.')
  await code.fill(codeFor(key, 20))
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(code).toHaveAccessibleDescription(/That code is incorrect/)
  await expect(form.getByLabel('Current password')).toHaveValue(amara.password)
  await expect(form.getByLabel('Confirm new password')).toHaveValue(renewed.password)
  await code.fill(codeFor(key, 1))
  await form.getByRole('button', { name: 'Change password' }).click()
  await expect(toast(page, 'Password updated')).toBeVisible()
  await expect(code).toHaveValue('')

  // By the keyboard: the form above still shrinks after the change, which can move the button from under a press.
  await page.getByRole('button', { name: 'New key' }).press('Enter')
  const dialog = page.getByRole('dialog')
  await confirmWith(page, renewed, 'Continue')
  await confirmSaved(page, await readRecoveryKey(page))
  await dialog.getByRole('button', { name: 'Use a backup code' }).click()
  const recoveryCode = dialog.getByLabel('Backup code')
  await recoveryCode.fill('AAAAA-AAAAA')
  await dialog.getByRole('button', { name: 'Replace account recovery key' }).click()
  await expect(recoveryCode).toHaveAccessibleDescription(/That code is incorrect/)
  await expect(recoveryCode).toHaveValue('AAAAA-AAAAA')
  await recoveryCode.fill(recoveryCodes[0] as string)
  await dialog.getByRole('button', { name: 'Replace account recovery key' }).click()
  await expect(toast(page, 'Account recovery key renewed')).toBeVisible()
})
