import type { Page } from '@playwright/test'
import {
  confirmSaved,
  fillSignUp,
  openSignUp,
  readRecoveryKey,
  seeDashboard,
  signIn,
  signOut,
  toast,
} from '../../support/members/account.ts'
import { composer, openConversation, sees, send } from '../../support/members/conversation.ts'
import { forgetAllBut, kept } from '../../support/servers/browserStorage.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/members/pair.ts'

test('the recovery key sets a new password and opens the last 24 hours', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  // The first browser may be asking when the new password ends its session.
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser()]
  const [recoveryKey] = await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await openConversation(helenPage, amara)
  await send(helenPage, amara, 'Do not forget this')

  const second = await openBrowser()
  await second.goto('/auth')
  await second.getByRole('button', { name: 'Forgot password?' }).click()
  await second.getByLabel('Username').fill(amara.username)
  await second.getByLabel('Account recovery key').fill(recoveryKey.toLowerCase())
  await second.getByLabel('New password', { exact: true }).fill('an entirely new lantern 58')
  await second.getByLabel('Confirm new password').fill('an entirely new lantern 58')
  await second.getByRole('button', { name: 'Set new password' }).click()
  await expect(toast(second, 'Password updated')).toBeVisible()
  await seeDashboard(second)
  await openConversation(second, helen)
  await sees(second, helen, 'Do not forget this')

  await expect(amaraPage.getByRole('heading', { name: 'Your connection code' })).toBeHidden()
  await signOut(second)
  await signIn(second, { username: amara.username, password: 'an entirely new lantern 58' })
})

test('a browser that has lost its keys is unlocked by the password, and keeps what was not sent', async ({
  amaraPage: page,
  expectComplaint,
}) => {
  expectComplaint(/403 \(Forbidden\) .*\/api\/account\/proof$/)
  await composer(page, helen).fill('Half a sentence')
  await expect.poll(() => kept(page)).toContainEqual(expect.stringMatching(/^draft\//))
  await forgetAllBut(page, 'draft/')

  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  await page.getByRole('button', { name: 'Logout' }).click()
  const question = page.getByRole('alertdialog', { name: 'Discard unsent messages and log out?' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toBeHidden()
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/.+/)
  await page.getByLabel('Password', { exact: true }).fill(amara.password)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await seeDashboard(page)
  await openConversation(page, helen)
  await expect(composer(page, helen)).toHaveValue('Half a sentence')
})

test('a page closed over the recovery key: every browser says so, until a new one is saved', async ({
  openBrowser,
  expectComplaint,
}) => {
  expectComplaint(/503 .*\/api\/account\/recovery-key\/saved$/)
  const third = { ...amara, firstName: 'Third', username: 'third', email: 'third@example.com' }
  const unsaved = (page: Page) => page.getByText('You have not confirmed that you saved your account recovery key.')
  const page = await openBrowser()
  await openSignUp(page)
  await fillSignUp(page, third)
  const key = await readRecoveryKey(page)
  const elsewhere = await openBrowser()
  await signIn(elsewhere, third)
  await expect(unsaved(elsewhere)).toBeVisible()

  await test.step('saved: said at once everywhere; a server that cannot be told keeps the key on the screen', async () => {
    await page.route('**/api/account/recovery-key/saved', (route) => route.fulfill({ status: 503, body: '' }))
    await confirmSaved(page, key)
    await expect(toast(page, 'Not confirmed')).toBeVisible()
    await page.getByRole('button', { name: 'Show the key again' }).click()
    expect(await readRecoveryKey(page)).toBe(key)
    await expect(unsaved(elsewhere)).toBeVisible()
    await page.unroute('**/api/account/recovery-key/saved')
    await confirmSaved(page, key)
    await seeDashboard(page)
    await expect(unsaved(page)).toBeHidden()
    await expect(unsaved(elsewhere)).toBeHidden()
    await elsewhere.reload()
    await seeDashboard(elsewhere)
    await expect(unsaved(elsewhere)).toBeHidden()
  })

  await test.step('not saved: after a reload too, and a new key ends it in every browser', async () => {
    const fourth = { ...third, firstName: 'Fourth', username: 'fourth', email: 'fourth@example.com' }
    const [closed, later] = [await openBrowser(), await openBrowser()]
    await openSignUp(closed)
    await fillSignUp(closed, fourth)
    await readRecoveryKey(closed)
    await closed.close()
    await signIn(later, fourth)
    await later.reload()
    await expect(unsaved(later)).toBeVisible()
    const other = await openBrowser()
    await signIn(other, fourth)
    await expect(unsaved(other)).toBeVisible()
    await later.getByRole('link', { name: 'Create a new account recovery key' }).click()
    await later.getByRole('button', { name: 'New key' }).click()
    await later.getByRole('dialog').getByLabel('Password', { exact: true }).fill(fourth.password)
    await later.getByRole('button', { name: 'Continue' }).click()
    await confirmSaved(later, await readRecoveryKey(later))
    await expect(toast(later, 'Account recovery key renewed')).toBeVisible()
    await expect(unsaved(other)).toBeHidden()
    await later.goto('/')
    await seeDashboard(later)
    await expect(unsaved(later)).toBeHidden()
  })
})
