import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { confirmSaved, fillSignIn, refusal, signIn, toast } from '../../support/members/account.ts'
import { confirmEmail } from '../../support/members/administration.ts'
import { connectionRow, ownCode } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen, type Person } from '../../support/members/people.ts'
import { watched } from '../../support/members/deterrents.ts'
import { printed } from '../../support/screens/print.ts'
import { beside, clickAgain, markBeyond } from '../../support/screens/pointer.ts'

const newPassword = 'an entirely new lantern 58'

async function openSettings(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Account Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Account Settings', level: 1 })).toBeVisible()
}

const section = (page: Page, name: string) => page.getByRole('region', { name })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

test('profile and overview show what the server keeps', async ({ pair: { amaraPage, helenPage }, expectComplaint }) => {
  const code = await ownCode(amaraPage)
  await test.step('the profile is read-only until Edit, kept on the server, and seen by the contact at once', async () => {
    expectComplaint(/409 \(Conflict\) .*\/api\/user$/)
    await openSettings(amaraPage)
    const profile = section(amaraPage, 'Profile')
    const [firstName, email] = [profile.getByLabel('First name'), profile.getByLabel('Email')]
    await expect(firstName).toHaveAttribute('readonly')
    await button(amaraPage, 'Edit').click()
    await firstName.fill('Nobody')
    await button(amaraPage, 'Cancel').click()
    await expect(firstName).toHaveValue(amara.firstName)
    await expect(firstName).toHaveAttribute('readonly')

    await button(amaraPage, 'Edit').click()
    await firstName.fill(' ')
    await email.fill('amara')
    await button(amaraPage, 'Save Changes').click()
    await expect(firstName).toHaveAccessibleDescription('Enter your first name, up to 64 characters.')
    await expect(email).toHaveAccessibleDescription('Enter the full address, for example name@example.com.')
    await firstName.fill('Amma')
    await email.fill(helen.email.toUpperCase())
    await button(amaraPage, 'Save Changes').click()
    await expectAccessible(amaraPage, 'confirming another email address')
    await confirmEmail(amaraPage, amara)
    await expect(email).toHaveAccessibleDescription('That email address is already in use.')
    await expect(email).toHaveValue(helen.email.toUpperCase())
    await expect(firstName).toHaveValue('Amma')
    await email.fill('amma@example.com')
    await button(amaraPage, 'Save Changes').click()
    await confirmEmail(amaraPage, amara)
    await expect(toast(amaraPage, 'Settings saved')).toBeVisible()
    await expect(firstName).toHaveAttribute('readonly')
    await expect(helenPage.getByRole('heading', { name: 'Amma Osei' })).toBeVisible()

    await amaraPage.reload()
    await expect(firstName).toHaveValue('Amma')
    await expect(email).toHaveValue('amma@example.com')
    await expect(amaraPage.getByRole('button', { name: 'User menu, Amma Osei' })).toBeVisible()
  })

  await test.step('the overview shows role, organization, username and code', async () => {
    await openSettings(amaraPage)
    const overview = section(amaraPage, 'Account overview')
    for (const text of ['Super Admin', 'Privity', amara.username, code]) {
      await expect(overview.getByText(text, { exact: true })).toBeVisible()
    }
  })

  await test.step('the last Super Admin stays while there are other members', async () => {
    expectComplaint(/409 \(Conflict\) .*\/deletion$/)
    await openSettings(amaraPage)
    await button(amaraPage, 'Delete account').click()
    await askToDelete(amaraPage, amara)
    await expect(amaraPage.getByRole('alert')).toContainText('This is the last Super Admin')
    await expect(amaraPage.getByLabel(/^Type your username/)).toHaveValue(amara.username)
    await amaraPage.reload()
    await expect(section(amaraPage, 'Account overview').getByText('Super Admin')).toBeVisible()
  })

  await test.step('the page and its dialogs are accessible and fit 360 pixels', async () => {
    await amaraPage.setViewportSize({ width: 360, height: 740 })
    await expect(amaraPage.getByText('This browser')).toHaveCount(2)
    await expectAccessible(amaraPage, 'account settings')
    expect(await overflow(amaraPage), 'account settings').toBe(0)
    await button(amaraPage, 'Edit').click()
    await amaraPage.getByLabel('First name').fill('')
    await button(amaraPage, 'Save Changes').click()
    await amaraPage.getByLabel('Current password').fill('x')
    await amaraPage.getByLabel('New password', { exact: true }).fill('short')
    await expect(amaraPage.getByText('Too short: use at least 10 characters.')).toBeVisible()
    await expectAccessible(amaraPage, 'account settings with errors')
    await button(amaraPage, 'Delete account').click()
    await expect(amaraPage.getByRole('dialog')).toBeVisible()
    await expectAccessible(amaraPage, 'deletion')
    await amaraPage.keyboard.press('Escape')
    await button(amaraPage, 'New key').click()
    await amaraPage.getByRole('dialog').getByLabel('Password', { exact: true }).fill(amara.password)
    await button(amaraPage, 'Continue').click()
    await expect(amaraPage.getByRole('heading', { name: 'Save your new account recovery key' })).toBeVisible()
    await expectAccessible(amaraPage, 'new recovery key')
    expect(await overflow(amaraPage), 'new recovery key').toBeLessThanOrEqual(0)
    await amaraPage.setViewportSize({ width: 1440, height: 900 })
    await amaraPage.keyboard.press('Escape')
    await expect(button(amaraPage, 'New key')).toBeFocused()
    // A control half covered by the top bar would count as too small, and the returning focus has scrolled to it.
    await amaraPage
      .getByRole('heading', { level: 1 })
      .evaluate((heading) => heading.scrollIntoView({ behavior: 'instant' }))
    await expectAccessible(amaraPage, 'account settings, wide')
  })
})

test('a new password: checked in the form, opens a fresh browser, and signs out the others', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(/403 \(Forbidden\) .*\/api\/account\/proof$/)
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  expectComplaint(/WebSocket/)
  test.slow()
  const [page, other] = [await openBrowser(), await openBrowser()]
  await Promise.all([enterAs(page, amara), signIn(other, amara)])
  await openSettings(page)
  const current = page.getByLabel('Current password')
  const next = page.getByLabel('New password', { exact: true })
  const confirmed = page.getByLabel('Confirm new password')
  const submit = button(page, 'Change password')
  await expect(submit).toBeDisabled()
  await current.fill('not the password')
  await next.fill(newPassword)
  await expect(submit).toBeDisabled()
  await confirmed.fill('something else')
  await submit.click()
  await expect(page.getByText("New passwords don't match.")).toHaveCount(1)
  await expect(confirmed).toBeFocused()
  await expect(confirmed).toHaveAccessibleDescription("New passwords don't match.")

  await next.fill('amara.osei1')
  await confirmed.fill('amara.osei1')
  await submit.click()
  await expect(page.getByText('Choose a stronger password: it must be rated Good or better.')).toBeVisible()
  await next.fill(newPassword)
  await confirmed.fill(newPassword)
  await submit.click()
  await expect(current).toHaveAccessibleDescription('Incorrect password.')
  await expect(next).toHaveValue(newPassword)
  await current.fill(amara.password)
  await submit.click()
  await expect(toast(page, 'Password updated')).toBeVisible()
  await expect(current).toHaveValue('')
  await expect(other.getByRole('link', { name: 'Sign In' })).toBeVisible()

  await page.reload()
  await expect(submit).toBeVisible()
  await fillSignIn(other, amara)
  await expect(refusal(other, 'Login failed')).toBeVisible()
  await signIn(other, { username: amara.username, password: newPassword })
})

test('a new recovery key: the old one works until the new one is saved', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/403 \(Forbidden\) .*\/api\/account\/proof$/)
  expectComplaint(/401 \(Unauthorized\) .*\/api\/recovery$/)
  const [page, other] = [await openBrowser(), await openBrowser()]
  const old = await enterAs(page, amara)
  await openSettings(page)
  await button(page, 'New key').click()
  const password = page.getByRole('dialog').getByLabel('Password', { exact: true })
  await password.fill('not the password')
  await button(page, 'Continue').click()
  await expect(password).toHaveAccessibleDescription('Incorrect password.')
  await expect(password).toHaveValue('not the password')
  await password.fill(amara.password)
  await button(page, 'Continue').click()
  await expect(page.getByRole('heading', { name: 'Save your new account recovery key' })).toBeVisible()
  const groups = page.getByRole('list', { name: 'Account recovery key' }).getByRole('listitem')
  const key = (await groups.allTextContents()).join('-')
  await button(page, 'Copy').click()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

  await watched(page)
  expect(await printed(page)).toContain(key)
  await expect(toast(page, 'Printing is not permitted for security reasons')).toBeHidden()
  await confirmSaved(page, key)
  await expect(toast(page, 'Account recovery key renewed')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()

  await other.goto('/auth')
  await other.getByRole('button', { name: 'Forgot password?' }).click()
  await other.getByLabel('Username').fill(amara.username)
  await other.getByLabel('Account recovery key').fill(old)
  await other.getByLabel('New password', { exact: true }).fill(newPassword)
  await other.getByLabel('Confirm new password').fill(newPassword)
  await button(other, 'Set new password').click()
  await expect(refusal(other, 'Password not changed')).toBeVisible()
  await other.getByLabel('Account recovery key').fill(key)
  await button(other, 'Set new password').click()
  await expect(toast(other, 'Password updated')).toBeVisible()
})

test('signed-in browsers: listed live, signed out one by one and all others at once', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  expectComplaint(/WebSocket/)
  test.slow()
  const [page, second, third] = [await openBrowser(), await openBrowser(), await openBrowser()]
  await enterAs(page, amara)
  await openSettings(page)
  const rows = page.getByRole('list', { name: 'Signed-in browsers' }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows.first()).toContainText('This browser')
  await expect(rows.first()).toContainText('127.0.0.1')
  await expect(button(page, 'Sign out all others')).toBeHidden()

  await signIn(second, amara)
  await expect(rows).toHaveCount(2)
  const other = rows.filter({ hasNotText: 'This browser' })
  await other.getByRole('button', { name: /^Sign out/ }).click()
  await expect(rows).toHaveCount(1)
  await expect(second.getByRole('link', { name: 'Sign In' })).toBeVisible()

  await Promise.all([second, third].map((page) => signIn(page, amara)))
  await expect(rows).toHaveCount(3)
  await button(page, 'Sign out all others').click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out all others' }).click()
  await expect(toast(page, '2 other browsers were signed out.')).toBeVisible()
  await expect(rows).toHaveCount(1)
  for (const gone of [second, third]) await expect(gone.getByRole('link', { name: 'Sign In' })).toBeVisible()
  await page.reload()
  await expect(rows).toHaveCount(1)
  await rows
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click()
  await expect(page.getByRole('link', { name: 'Sign In' })).toBeVisible()
})

async function askToDelete(page: Page, { username, password }: Pick<Person, 'username' | 'password'>): Promise<void> {
  await page.getByLabel(/^Type your username/).fill(username)
  await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill(password)
  await button(page, 'Delete permanently').click()
}

test('a deleted account is gone from its tabs and browsers, its contact’s list and the sign-in', async ({
  helenPage: page,
  amaraPage: contactPage,
  openBrowser,
  expectComplaint,
}) => {
  test.slow()
  for (const complaint of [/40[134] .*\/api\//, /WebSocket/]) expectComplaint(complaint)
  const elsewhere = await openBrowser()
  await expect(connectionRow(contactPage, helen)).toBeVisible()
  await signIn(elsewhere, helen)
  const tab = await page.context().newPage()
  await tab.goto('/account-settings')
  await expect(button(tab, 'Delete account')).toBeVisible()

  await openSettings(page)
  await button(page, 'Delete account').click()
  const username = page.getByLabel(/^Type your username/)
  const password = page.getByRole('dialog').getByLabel('Password', { exact: true })
  await expect(button(page, 'Delete permanently')).toBeDisabled()
  await clickAgain(page)
  await markBeyond(page, username)
  await expect(page.getByRole('dialog')).toHaveAttribute('data-state', 'open')
  await page.mouse.click(...beside)
  await expect(username).toHaveCount(0)
  await button(page, 'Delete account').click()
  await askToDelete(page, { username: 'somebody', password: 'not the password' })
  await expect(username).toHaveAccessibleDescription('That is not your username.')
  await username.fill(helen.username)
  await button(page, 'Delete permanently').click()
  await expect(password).toHaveAccessibleDescription('Incorrect password.')
  await expect(username).toHaveValue(helen.username)
  await askToDelete(page, helen)

  await expect(toast(page, 'Account deleted')).toBeVisible()
  for (const landing of [page, tab, elsewhere]) {
    await expect(landing.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
    await expect(landing).toHaveURL(/\/$/)
  }
  await expect(connectionRow(contactPage, helen)).toBeHidden()
  await page.reload()
  await expect(page.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
  await fillSignIn(page, helen)
  await expect(refusal(page, 'Login failed')).toBeVisible()
})
