import type { Page } from '@playwright/test'
import { openSignUp } from '../../support/members/account.ts'
import { tab } from '../../support/members/administration.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara } from '../../support/members/people.ts'
import { enableApp } from '../../support/members/secondFactor.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

/** Types into each field, submits, and expects each field's error; the typed values stay. */
async function refuses(page: Page, submit: string, given: [label: string, typed: string, said: string | RegExp][]) {
  for (const [label, typed] of given) await page.getByLabel(label, { exact: true }).fill(typed)
  await page.getByRole('button', { name: submit, exact: true }).click()
  for (const [label, typed, said] of given) {
    const field = page.getByLabel(label, { exact: true })
    await expect(field, label).toHaveAccessibleDescription(said)
    await expect(field, label).toHaveAttribute('aria-invalid', 'true')
    await expect(field, label).toHaveValue(typed)
  }
}

test('a visitor’s forms: each field has its own sentence, and keeps what was typed', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.goto('/auth')
  await refuses(page, 'Sign In', [
    ['Username', '', 'Enter your username.'],
    ['Password', '', 'Enter your password.'],
  ])
  await openSignUp(page)
  await refuses(page, 'Create account', [
    ['First name', ' ', 'Enter your first name, up to 64 characters.'],
    ['Last name', 'x'.repeat(65), 'Enter your last name, up to 64 characters.'],
    ['Email', 'amara@', 'Enter the full address, for example name@example.com.'],
    ['Username', 'ab', 'Use 3 to 32 letters, digits, dots, underscores or hyphens.'],
    ['Password', 'short', 'Use at least 10 characters.'],
  ])
  await expect(page.getByText('Very weak')).toBeVisible()
  await expect(page.getByText(/use at least 10 characters/i)).toHaveCount(1)
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await refuses(page, 'Set new password', [
    ['Username', '', 'Enter your username.'],
    ['Account recovery key', '', /Enter your account recovery key\./],
    ['New password', 'short', 'Use at least 10 characters.'],
    ['Confirm new password', 'shorter', 'The passwords do not match.'],
  ])
})

test('a member’s and an administrator’s fields: each keeps its text beside its own sentence', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/400 \(Bad Request\) .*\/api\/organizations\/current$|403 \(Forbidden\)/)
  const page = await openBrowser()
  await enterAs(page, amara)
  await moveTo(page, '/admin')
  await tab(page, 'Organization Overview').click()
  await refuses(page, 'Add', [
    ['Domain to allow', 'name@example.com', 'Enter just the domain, for example example.com.'],
  ])
  await page.getByRole('button', { name: 'Edit name and type' }).click()
  await refuses(page, 'Save Changes', [
    ['Name', ' ', 'Enter a name.'],
    ['Type', '', 'Enter the type of organization.'],
  ])
  await page.getByLabel('Type', { exact: true }).fill('Law')
  await refuses(page, 'Save Changes', [
    ['Name', 'Chambers\u202e', 'Use one line, without text direction characters or an email header at the beginning.'],
  ])
  await expect(page.getByLabel('Type', { exact: true })).not.toHaveAttribute('aria-invalid')
  await page.keyboard.press('Escape')

  await tab(page, 'Audit Logs').click()
  await page.getByLabel('From', { exact: true }).fill('2026-02-02')
  await page.getByLabel('To', { exact: true }).fill('2026-02-01')
  await expect(page.getByLabel('To', { exact: true })).toHaveAccessibleDescription(
    'The start date is after the end date.',
  )
  await expect(page.getByLabel('To', { exact: true })).toHaveValue('2026-02-01')

  const { recoveryCodes } = await enableApp(page, amara)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(amara.password)
  await page
    .getByRole('dialog')
    .getByLabel('Backup code')
    .fill(recoveryCodes[0] as string)
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await refuses(page, 'Create passkey', [['Name', '  ', /^Enter a name of up to \d+ characters\.$/]])
})
