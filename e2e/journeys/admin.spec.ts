import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../support/accessible.ts'
import { fillSignUp, readRecoveryKey, seeDashboard, signIn, signUp, toast } from '../support/account.ts'
import { amara, fullName, helen, type Person } from '../support/people.ts'
import { expect, test } from '../support/test.ts'

const daniel: Person = {
  firstName: 'Daniel',
  lastName: 'Reyes',
  email: 'daniel.reyes@example.com',
  username: 'daniel.reyes',
  password: 'reyes harbour lantern 47',
}

const tabs = ['User Management', 'Audit Logs', 'Organization Overview']
const tab = (page: Page, name: string) => page.getByRole('tab', { name })
const row = (page: Page, person: Person) => page.getByRole('row', { name: fullName(person) })
const adminLink = (page: Page) => page.getByRole('link', { name: 'Admin', exact: true })
const landing = (page: Page) => page.getByRole('link', { name: 'Sign Up Free' })

async function openAdmin(page: Page): Promise<void> {
  await adminLink(page).click()
  await expect(page.getByRole('heading', { name: 'Organization Admin Dashboard' })).toBeVisible()
}

/** What each tab shows at once, whoever of the administrators looks. */
async function seeTabs(page: Page): Promise<void> {
  await expect(page.getByRole('tab')).toHaveText(tabs)
  await expect(tab(page, 'User Management')).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, amara)).toBeVisible()
  await tab(page, 'Audit Logs').click()
  await expect(page.getByRole('row', { name: 'Account created' }).first()).toBeVisible()
  await tab(page, 'Organization Overview').click()
  await expect(page.getByRole('region', { name: 'Organization Details' }).getByText('Total users')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recent Activity' }).getByText('Account created').first()).toBeVisible()
}

/** As `signUp`, from the link of an invitation. */
async function signUpBy(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link)
  await fillSignUp(page, person)
  await readRecoveryKey(page)
  await page.getByLabel('I have saved it').check()
  await page.getByRole('button', { name: 'Continue' }).click()
  await seeDashboard(page)
}

test('the three tabs: closed to a member, read by an Admin, and a Super Admin gives roles', async ({ openBrowser }) => {
  const [amaraPage, helenPage] = [await openBrowser({ reducedMotion: 'reduce' }), await openBrowser()]
  await signUp(amaraPage, amara)
  await signUp(helenPage, helen)

  await expect(adminLink(helenPage)).toHaveCount(0)
  await helenPage.goto('/admin')
  await expect(helenPage.getByRole('heading', { name: 'Access Denied' })).toBeVisible()
  await expect(helenPage.getByText("You don't have permission to access the admin dashboard.")).toBeVisible()
  await expect(helenPage.getByRole('tab')).toHaveCount(0)

  await openAdmin(amaraPage)
  await seeTabs(amaraPage)
  await amaraPage.setViewportSize({ width: 320, height: 640 })
  for (const name of tabs) {
    await tab(amaraPage, name).click()
    const panel = amaraPage.getByRole('tabpanel', { name })
    await expect(panel.getByRole('switch').or(panel.getByRole('row')).first()).toBeVisible()
    await expectAccessible(amaraPage, name)
    expect(await overflow(amaraPage), name).toBe(0)
  }
  await amaraPage.setViewportSize({ width: 1280, height: 800 })
  await tab(amaraPage, 'User Management').click()
  await row(amaraPage, helen).getByRole('combobox').selectOption('Admin')
  const roleQuestion = amaraPage.getByRole('alertdialog', { name: /^Change the role of .* to Admin\?$/ })
  await expect(roleQuestion).toContainText('is signed out everywhere')
  await roleQuestion.getByRole('button', { name: 'Change role' }).click()
  await expect(toast(amaraPage, 'Role Updated')).toBeVisible()

  await expect(landing(helenPage)).toBeVisible()
  await expect(helenPage.getByText('An administrator changed your role to Admin. Sign in again.')).toBeVisible()
  await signIn(helenPage, helen)
  await openAdmin(helenPage)
  await expect(row(helenPage, amara).getByText('Super Admin', { exact: true })).toBeVisible()
  await expect(row(helenPage, amara).getByRole('button')).toHaveCount(0)
  await expect(helenPage.getByRole('combobox', { name: /^Role of/ })).toHaveCount(0)
  await seeTabs(helenPage)
})

test('a deleted member lands on the landing page at once, and other administrators see it', async ({ openBrowser }) => {
  const [amaraPage, helenPage, danielPage] = [await openBrowser(), await openBrowser(), await openBrowser()]
  await signUp(amaraPage, amara)
  await openAdmin(amaraPage)
  await tab(amaraPage, 'Organization Overview').click()
  await amaraPage.getByLabel('Role', { exact: true }).selectOption('Admin')
  await amaraPage.getByRole('button', { name: 'Create invitation' }).click()
  const link = await amaraPage.getByLabel('Invitation link').inputValue()
  await amaraPage.getByRole('button', { name: 'Done' }).click()

  await signUpBy(helenPage, link, helen)
  await signUp(danielPage, daniel)
  await openAdmin(helenPage)
  await tab(amaraPage, 'User Management').click()
  await expect(row(helenPage, daniel)).toBeVisible()

  await row(amaraPage, daniel).getByRole('button', { name: 'Delete Daniel Reyes' }).click()
  const question = amaraPage.getByRole('alertdialog', { name: 'Delete Daniel Reyes?' })
  await expect(question).toContainText('messages and files of Daniel Reyes are destroyed')
  await question.getByRole('button', { name: 'Delete User' }).click()
  await expect(toast(amaraPage, 'User Deleted')).toBeVisible()

  await expect(landing(danielPage)).toBeVisible()
  await expect(danielPage.getByText('An administrator deleted your account.')).toBeVisible()
  await expect(danielPage).toHaveURL('/')
  for (const page of [amaraPage, helenPage]) await expect(row(page, daniel)).toHaveCount(0)
})
