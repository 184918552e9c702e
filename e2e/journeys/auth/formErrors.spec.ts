import type { Page } from '@playwright/test'
import { fillSignIn, fillSignUp, openSignUp, toast } from '../../support/members/account.ts'
import { connect } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

/** Expects the words once in the page, and no toast that repeats them. */
async function isSaidOnce(page: Page, words: string | RegExp): Promise<void> {
  await expect(page.getByText(words)).toHaveCount(1)
  await expect(page.locator('.toast')).toHaveCount(0)
}

test('a visitor’s mistake is said once, in the form, and the field with it has the focus', async ({
  openBrowser,
  expectComplaint,
}) => {
  const page = await openBrowser()
  const password = page.getByLabel('Password', { exact: true })

  await test.step('a refused sign-in is said once, in the form, and the password is entered again', async () => {
    expectComplaint(/401 \(Unauthorized\) .*\/api\/login$/)
    await fillSignIn(page, { ...amara, password: 'not the password' })
    await isSaidOnce(page, 'Incorrect username or password.')
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Login failed. Incorrect username or password.')
    await expect(toast(page, 'Login failed')).toHaveCount(0)
    await expect(password).toBeFocused()
    await expect(password).toHaveValue('not the password')
  })

  await test.step('the length of a new password is said before, and goes when it is met', async () => {
    await openSignUp(page)
    const rule = page.getByText(/use at least 10 characters/i)
    await expect(password).toHaveAccessibleDescription(/^Use at least 10 characters\./)
    await password.fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await expect(password).toHaveAttribute('aria-invalid', 'true')
    await expect(rule).toHaveCount(1)
    await password.fill('harbour lantern 47')
    await expect(rule).toHaveCount(0)
    await expect(password).not.toHaveAttribute('aria-invalid')
  })

  await test.step('a taken username is said once, at its field, which has the focus', async () => {
    expectComplaint(/409 \(Conflict\) .*\/api\/register$/)
    await openSignUp(page)
    await fillSignUp(page, { ...helen, email: 'another@example.com', username: amara.username })
    await isSaidOnce(page, 'That username is already in use.')
    await expect(page.getByLabel('Username')).toBeFocused()
    await expect(page.getByLabel('Username')).toHaveAccessibleDescription('That username is already in use.')
  })
})

test('a member’s mistake is said once, at its field, which has the focus', async ({
  amaraPage: page,
  expectComplaint,
}) => {
  const field = page.getByLabel('Connect to Someone')

  await test.step('an error is an alert only where the focus is at its field already', async () => {
    const error = page.getByText(/^A code has 3 letters/)
    await connect(page, 'ABC')
    await expect(field).toBeFocused()
    await expect(error).not.toHaveAttribute('role')
    await field.fill('ABCD')
    await field.press('Enter')
    await expect(error).toHaveAttribute('role', 'alert')
  })

  await test.step('a refused code is said once, at its field, which has the focus', async () => {
    expectComplaint(/404 \(.*\) .*\/api\/connections$/)
    await connect(page, 'ABC-DEF-234')
    await isSaidOnce(page, /No one has that code/)
    await expect(field).toBeFocused()
    await expect(field).toHaveAccessibleDescription(/^Failed to create connection\. No one has that code/)
    await field.fill('ABC-DEF-235')
    await expect(page.getByText(/No one has that code/)).toHaveCount(0)
  })

  await test.step('two new passwords that differ are said once, and the focus goes there', async () => {
    await moveTo(page, '/account-settings')
    await page.getByLabel('Current password').fill(amara.password)
    await page.getByLabel('New password', { exact: true }).fill(helen.password)
    await page.getByLabel('Confirm new password').fill('something else')
    await page.getByRole('button', { name: 'Change password' }).click()
    await isSaidOnce(page, "New passwords don't match.")
    await expect(page.getByLabel('Confirm new password')).toBeFocused()
    await expect(page.getByLabel('Confirm new password')).toHaveAccessibleDescription("New passwords don't match.")
  })
})
