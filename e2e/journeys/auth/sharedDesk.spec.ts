import { seeDashboard } from '../../support/members/account.ts'
import { composer, openConversation } from '../../support/members/conversation.ts'
import { kept } from '../../support/servers/browserStorage.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/members/pair.ts'

test('locking closes every tab, and the password opens them where they were', async ({ amaraPage: page }) => {
  const second = await page.context().newPage()
  await second.goto('/settings')
  await expect(second.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.bringToFront()
  await openConversation(page, helen)
  await composer(page, helen).fill('Half a sentence')
  await page.keyboard.press('Control+Shift+L')

  await expect(page.getByRole('heading', { name: 'Locked' })).toBeVisible()
  await expect(page.getByText(`${amara.firstName} ${amara.lastName} is signed in.`).first()).toBeVisible()
  await expect(second.getByRole('heading', { name: 'Locked' })).toBeVisible()
  expect(await kept(page)).not.toContain('keys')
  await page.reload()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  await page.keyboard.type(amara.password)
  await page.keyboard.press('Enter')

  await expect(composer(page, helen)).toHaveValue('Half a sentence')
  await expect(second.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Lock now' }).click()
  await expect(second.getByRole('heading', { name: 'Locked' })).toBeVisible()

  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('button', { name: 'Discard and log out' }).click()
  for (const left of [page, second]) {
    await expect(left.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
    await expect(left.getByRole('heading', { level: 1 })).toBeFocused()
  }
  expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain('privity.signedOut')
})

test('a shared computer keeps nothing, asks again after a reload, and forgets a closed window', async ({
  amaraPage,
  openBrowser,
}) => {
  await expect(amaraPage.getByRole('heading', { name: 'Your connection code' })).toBeVisible()
  const page = await openBrowser()
  await page.goto('/auth')
  await page.getByLabel('Username').fill(amara.username)
  await page.getByLabel('Password', { exact: true }).fill(amara.password)
  await page.getByLabel('This is a shared computer').check()
  await page.getByRole('button', { name: 'Sign In' }).click()
  await seeDashboard(page)
  expect(await kept(page)).toEqual([])
  expect((await page.context().cookies()).map(({ expires }) => expires)).toEqual([-1])
  await page.reload()
  await page.getByLabel('Password', { exact: true }).fill(amara.password)
  await page.keyboard.press('Enter')
  await seeDashboard(page)

  const restored = await page.context().newPage()
  await page.close()
  await restored.goto('/')
  await expect(restored.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
  expect(await restored.context().cookies()).toEqual([])
  expect(await kept(restored)).toEqual([])
})

test('a new password set with the recovery key on a shared computer leaves nothing there', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  // The first browser may be asking when the new password ends its session.
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  const recoveryKey = await enterAs(await openBrowser(), amara)
  const page = await openBrowser()
  await page.goto('/auth')
  await page.getByLabel('This is a shared computer').check()
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expect(page.getByLabel('This is a shared computer')).toBeChecked()
  await page.getByLabel('Username').fill(amara.username)
  await page.getByLabel('Account recovery key').fill(recoveryKey)
  await page.getByLabel('New password', { exact: true }).fill('an entirely new lantern 58')
  await page.getByLabel('Confirm new password').fill('an entirely new lantern 58')
  await page.getByRole('button', { name: 'Set new password' }).click()
  await seeDashboard(page)
  expect(await kept(page)).toEqual([])
  expect((await page.context().cookies()).map(({ expires }) => expires)).toEqual([-1])
})
