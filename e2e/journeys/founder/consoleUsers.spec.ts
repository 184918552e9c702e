import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import {
  confirmSaved,
  fillSignIn,
  fillSignUp,
  guess,
  readRecoveryKey,
  refusal,
  seeDashboard,
  signIn,
  toast,
} from '../../support/members/account.ts'
import { amara, helen, type Person } from '../../support/members/people.ts'
import { beside, clickAgain } from '../../support/screens/pointer.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const password = 'a founder of this deployment'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const users = (page: Page) => section(page, 'User Management')
const row = (page: Page, { username }: Person) => users(page).getByRole('row').filter({ hasText: username })

async function openConsole(page: Page): Promise<void> {
  await page.goto('/founder')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
}

async function act(page: Page, button: string, confirm: string, done: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click()
  await expect(toast(page, done)).toBeVisible()
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
}

test('the founder suspends, unlocks and deletes a member, and makes an organization', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  // A poll may be in flight when its session ends.
  expectComplaint(/401 \(Unauthorized\) .*\/api\/(founder\/verify|unread-counts)$/)
  expectComplaint(/(401 \(Unauthorized\)|403 \(Forbidden\)|423 \(Locked\)) .*\/api\/login$/)
  expectComplaint(/409 \(Conflict\) .*\/api\/founder\/users\//)
  const [founder, member, stranger] = [
    await openBrowser({ reducedMotion: 'reduce' }),
    await openBrowser(),
    await openBrowser(),
  ]
  await enterAs(member, helen)
  await openConsole(founder)

  await test.step('a suspended member is sent away at once, and comes back when it is lifted', async () => {
    await users(founder).getByRole('searchbox', { name: 'Search users' }).fill('helen')
    await expect(row(founder, amara)).toHaveCount(0)
    await act(founder, `Suspend ${helen.username}`, 'Suspend User', 'User Suspended')
    await expect(row(founder, helen)).toContainText('Suspended')
    await expect(member.getByText('The operator of this server suspended your account.')).toBeVisible()
    await expect(member).toHaveURL('/')
    await fillSignIn(member, helen)
    await expect(refusal(member, 'This account is not active.')).toBeVisible()
    await act(founder, `Unsuspend ${helen.username}`, 'Unsuspend User', 'User Unsuspended')
    await expect(row(founder, helen)).toContainText('Active')
    await signIn(member, helen)
  })

  await test.step('five wrong passwords lock, and the founder unlocks', async () => {
    await stranger.goto('/auth')
    await guess(stranger, helen, 5)
    await fillSignIn(stranger, helen)
    await expect(refusal(stranger, 'This account is locked')).toBeVisible()
    await founder.reload()
    const locked = section(founder, 'Locked Accounts')
    await expect(locked.getByRole('row', { name: helen.username })).toContainText('5 failed login attempts')
    await act(founder, `Unlock ${helen.username}`, 'Unlock Account', 'Account Unlocked')
    await expect(locked.getByText('No locked accounts')).toBeVisible()
    await signIn(stranger, helen)
  })

  await test.step('the last Super Admin stays, and the refusal is told', async () => {
    await founder.getByRole('button', { name: `Suspend ${amara.username}`, exact: true }).click()
    await founder.getByRole('alertdialog').getByRole('button', { name: 'Suspend User' }).click()
    await expect(toast(founder, 'Suspension Failed')).toBeVisible()
    await expect(toast(founder, 'This is the last Super Admin')).toBeVisible()
  })

  await test.step('a click outside dismisses no final question, and a double click none at all', async () => {
    const question = founder.getByRole('alertdialog')
    const cancel = question.getByRole('button', { name: 'Cancel' })
    await founder.getByRole('button', { name: `Delete ${helen.username}` }).click()
    await founder.mouse.click(...beside)
    await expect(question).toBeVisible()
    await founder.keyboard.press('Escape')
    await expect(question).toHaveCount(0)
    for (const answer of [() => cancel.click(), () => founder.mouse.click(...beside)]) {
      await founder.getByRole('button', { name: `Suspend ${helen.username}`, exact: true }).click()
      for (const place of [cancel, undefined]) await clickAgain(founder, place)
      await expect(cancel).toBeVisible()
      await answer()
      await expect(question).toHaveCount(0)
    }
    await act(founder, `Delete ${helen.username}`, 'Delete Permanently', 'User Deleted')
    await expect(row(founder, helen)).toHaveCount(0)
    for (const page of [member, stranger])
      await expect(page.getByText('An administrator deleted your account.')).toBeVisible()
    await fillSignIn(stranger, helen)
    await expect(refusal(stranger, 'Incorrect username or password.')).toBeVisible()
  })

  await test.step('the link of a new organization makes its first administrator', async () => {
    const list = section(founder, 'Organizations')
    await list.getByLabel('Name', { exact: true }).fill('Chambers of Law')
    await list.getByLabel('Type', { exact: true }).fill('Legal')
    await list.getByRole('button', { name: 'Create organization' }).click()
    const link = await founder.getByRole('textbox', { name: 'Invitation link' }).inputValue()
    await expectAccessible(founder, 'the link of an organization')
    await founder.getByRole('button', { name: 'Done' }).click()
    await stranger.goto(link)
    await fillSignUp(stranger, helen)
    await confirmSaved(stranger, await readRecoveryKey(stranger))
    await seeDashboard(stranger)
    await expect(stranger.getByRole('link', { name: 'Admin', exact: true })).toBeVisible()
  })

  await test.step('the list is kept to one organization, from there or by its filter', async () => {
    await founder.reload()
    await founder.getByRole('button', { name: 'Show users of Chambers of Law' }).click()
    await expect(row(founder, helen)).toContainText('Chambers of Law')
    await expect(row(founder, amara)).toHaveCount(0)
    const filter = users(founder).getByRole('combobox', { name: 'Organization' })
    await filter.selectOption({ label: 'All organizations' })
    await expect(row(founder, amara)).toHaveCount(1)
    await filter.selectOption({ label: 'Chambers of Law' })
    await expect(row(founder, amara)).toHaveCount(0)
  })

  await test.step('everything is accessible in both themes, wide and narrow', async () => {
    await founder.reload()
    await expect(row(founder, helen)).toContainText('super admin')
    await expectAccessible(founder, 'console')
    await founder.setViewportSize({ width: 360, height: 740 })
    expect(await overflow(founder)).toBe(0)
    const block = row(founder, helen)
    expect((await block.boundingBox())?.height).toBeLessThan(250)
    // Its label has one line.
    expect((await block.locator('[data-l=Organization]').boundingBox())?.height).toBeLessThan(32)
    for (const name of [/^Suspend/, /^Delete/]) {
      const button = block.getByRole('button', { name })
      await button.scrollIntoViewIfNeeded()
      await expect(button).toBeInViewport({ ratio: 1 })
    }
  })
})
