import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { confirmSaved, readRecoveryKey, refusal, seeDashboard, signIn, toast } from '../../support/members/account.ts'
import { connectionRow, openConversation, sees, send } from '../../support/members/conversation.ts'
import { list, openList } from '../../support/members/notifications.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/members/pair.ts'

const [newPassword, lastPassword] = ['an entirely new lantern 58', 'a third and last lantern 59']

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Safety number' })

async function verify(page: Page): Promise<void> {
  await button(page, 'Info').click()
  await button(page, 'Mark as verified').click()
  await expect(button(page, 'Clear verification')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await expect(panel(page)).toBeHidden()
}

/** Replaces the keys from the settings page; resolves with the new recovery key. */
async function replaceKeys(page: Page): Promise<string> {
  await button(page, 'User menu, Amara Osei').click()
  await page.getByRole('menuitem', { name: 'Account Settings' }).click()
  await page.getByLabel('Current password').fill(amara.password)
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByLabel('Confirm new password').fill(newPassword)
  await page.getByLabel('I may have been compromised').check()
  await button(page, 'Change password').click()
  const key = await readRecoveryKey(page)
  await expectAccessible(page, 'the new recovery key')
  expect(await overflow(page)).toBe(0)
  await confirmSaved(page, key)
  await expect(toast(page, 'Password updated')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  return key
}

async function recover(page: Page, recoveryKey: string): Promise<void> {
  await page.goto('/auth')
  await button(page, 'Forgot password?').click()
  await page.getByLabel('Username').fill(amara.username)
  await page.getByLabel('Account recovery key').fill(recoveryKey)
  await page.getByLabel('New password', { exact: true }).fill(lastPassword)
  await page.getByLabel('Confirm new password').fill(lastPassword)
  await button(page, 'Set new password').click()
}

test('new keys after a compromise sign out the others, warn the contact once and lose nothing', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  expectComplaint(/WebSocket/)
  test.slow()
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser()]
  const [oldKey] = await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await Promise.all([openConversation(amaraPage, helen), openConversation(helenPage, amara)])
  await Promise.all([verify(amaraPage), verify(helenPage)])
  await send(helenPage, amara, 'Before the change')
  await sees(amaraPage, helen, 'Before the change')
  const second = await openBrowser()
  await signIn(second, amara)

  const newKey = await replaceKeys(amaraPage)
  await expect(second.getByRole('link', { name: 'Sign In' })).toBeVisible()

  await expect(connectionRow(helenPage, amara)).toContainText('Key changed')
  await helenPage.getByRole('alert').filter({ hasText: "Amara's key has changed." }).getByRole('button').click()
  await expect(panel(helenPage)).toContainText('Confirmed by the former key.')
  await panel(helenPage).getByRole('button', { name: 'Accept the new key' }).click()
  await helenPage.getByRole('alertdialog').getByRole('button', { name: 'Accept new key' }).click()
  await expect(toast(helenPage, 'New key accepted')).toBeVisible()
  await panel(helenPage).getByRole('button', { name: 'Close' }).click()
  await openList(helenPage)
  await expect(
    list(helenPage).getByRole('listitem').filter({ hasText: 'The key of Amara Osei has changed' }),
  ).toHaveCount(1)
  await helenPage.keyboard.press('Escape')

  await amaraPage.goto('/')
  await openConversation(amaraPage, helen)
  await send(helenPage, amara, 'To the new key')
  await sees(amaraPage, helen, 'To the new key')
  await send(amaraPage, helen, 'From the new key')
  await sees(helenPage, amara, 'From the new key')

  await recover(second, oldKey)
  await expect(refusal(second, 'Password not changed')).toBeVisible()
  await recover(second, newKey)
  await seeDashboard(second)
  await openConversation(second, helen)
  for (const text of ['Before the change', 'To the new key', 'From the new key']) await sees(second, helen, text)
})
