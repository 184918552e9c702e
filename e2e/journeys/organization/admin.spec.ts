import { appendFile, readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { confirmIdentity, exportLog, flip, policySwitch, tab, verifyLog } from '../../support/members/administration.ts'
import { lapseConfirmations } from '../../support/servers/database.ts'
import {
  confirmSaved,
  fillSignUp,
  openSignUp,
  readRecoveryKey,
  refusal,
  seeDashboard,
  signIn,
  toast,
} from '../../support/members/account.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara, fullName, helen, type Person } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const daniel: Person = {
  firstName: 'Daniel',
  lastName: 'Reyes',
  email: 'daniel.reyes@example.com',
  username: 'daniel.reyes',
  password: 'reyes harbour lantern 47',
}

const tabs = ['User Management', 'Audit Logs', 'Organization Overview']
const row = (page: Page, person: Person) => page.getByRole('row', { name: fullName(person) })
const adminLink = (page: Page) => page.getByRole('link', { name: 'Admin', exact: true })
const landing = (page: Page) => page.getByRole('link', { name: 'Sign Up Free' })

async function openAdmin(page: Page): Promise<void> {
  await adminLink(page).click()
  await expect(page.getByRole('heading', { name: 'Organization Admin Dashboard' })).toBeVisible()
}

/** Expects the first content of each tab, for any administrator. */
async function seeTabs(page: Page): Promise<void> {
  await expect(page.getByRole('tab')).toHaveText(tabs)
  await expect(tab(page, 'User Management')).toHaveAttribute('aria-selected', 'true')
  await expect(row(page, amara)).toBeVisible()
  await tab(page, 'Audit Logs').click()
  await expect(page.getByRole('row', { name: 'Account created' }).first()).toBeVisible()
  await tab(page, 'Organization Overview').click()
  await expect(page.getByRole('region', { name: 'Organization Details' }).getByText('Total users')).toBeVisible()
  await expect(
    page
      .getByRole('region', { name: 'Recent Activity' })
      .getByText(/^(Account created|Browser listed|Signed in)\b/)
      .first(),
  ).toBeVisible()
}

/** Like `signUp`, but from the link of an invitation. */
async function signUpBy(page: Page, link: string, person: Person): Promise<void> {
  await page.goto(link)
  await fillSignUp(page, person)
  await confirmSaved(page, await readRecoveryKey(page))
  await seeDashboard(page)
}

/** Measures by how many pixels the placeholder of an empty field is wider than the field. */
const placeholderOverflow = (field: Locator) =>
  field.evaluate((input: HTMLInputElement) => {
    const style = getComputedStyle(input)
    const context = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
    context.font = style.font
    const room = input.clientWidth - Number.parseFloat(style.paddingLeft) - Number.parseFloat(style.paddingRight)
    return context.measureText(input.placeholder).width - room
  })

test('the three tabs are closed to a member, read by an Admin and changed by a Super Admin', async ({
  openBrowser,
  enterAs,
  expectComplaint,
  server,
}) => {
  // Refusals that this journey provokes: a missing role, a wrong password, a missing confirmation, a missing second
  // factor.
  expectComplaint(/(401 \(Unauthorized\)|403 \(Forbidden\)) |WebSocket connection to .* failed/)
  const [amaraPage, helenPage] = [await openBrowser({ reducedMotion: 'reduce' }), await openBrowser()]
  await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])

  await expect(adminLink(helenPage)).toHaveCount(0)
  await moveTo(helenPage, '/admin')
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

  await test.step('each policy is set by an administrator and seen by a member as set by the organization', async () => {
    await tab(amaraPage, 'Organization Overview').click()
    await moveTo(helenPage, '/privacy-security')
    const enforced = [
      ['Enforce screenshot protection', 'Screenshot protection'],
      ['Enforce session timeout', 'Session timeout'],
    ] as const
    for (const [policy, setting] of enforced) {
      await flip(amaraPage, policy, 'on')
      const theirs = helenPage.getByRole('switch', { name: setting, exact: true })
      await expect(theirs).toBeChecked()
      await expect(theirs).toBeDisabled()
      await expect(theirs).toHaveAccessibleDescription(/Set by your organization\./)
    }
    await amaraPage.getByLabel('Domain to allow').fill('Example.com')
    await amaraPage.getByRole('button', { name: 'Add', exact: true }).click()
    await expect(amaraPage.getByRole('button', { name: 'Remove example.com' })).toBeVisible()
    await flip(amaraPage, 'Sign-up by invitation only', 'on')
    await moveTo(helenPage, '/account-settings')
    const profile = helenPage.getByRole('region', { name: 'Profile' })
    await profile.getByRole('button', { name: 'Edit' }).click()
    await profile.getByLabel('Email').fill('helen@elsewhere.example')
    await profile.getByRole('button', { name: 'Save Changes' }).click()
    const question = helenPage.getByRole('dialog', { name: 'Confirm your identity' })
    await question.getByLabel('Password', { exact: true }).fill(helen.password)
    await question.getByRole('button', { name: 'Change email' }).click()
    await expect(question.getByText('Your organization does not accept email addresses in this domain.')).toBeVisible()
  })

  await test.step('a weaker policy asks who is there, when the last confirmation is long ago', async () => {
    await lapseConfirmations(server)
    await policySwitch(amaraPage, 'Watermark').click()
    await expect(amaraPage.getByRole('dialog', { name: 'Confirm your identity' })).toBeVisible()
    await amaraPage.keyboard.press('Escape')
    await expect(toast(amaraPage, 'Setting not updated')).toBeVisible()
    await expect(policySwitch(amaraPage, 'Watermark')).toBeChecked()
    await policySwitch(amaraPage, 'Watermark').click()
    await expectAccessible(amaraPage, 'who is there')
    await confirmIdentity(amaraPage, amara)
    await expect(toast(amaraPage, 'Watermark: off')).toBeVisible()
    await expect(policySwitch(amaraPage, 'Watermark')).not.toBeChecked()
    await flip(amaraPage, 'Watermark', 'on')
    await flip(amaraPage, 'Enforce session timeout', 'off')
  })

  await test.step('the organization gets another name', async () => {
    await amaraPage.getByRole('button', { name: 'Edit name and type' }).click()
    const form = amaraPage.getByRole('dialog', { name: 'Organization Details' })
    await form.getByLabel('Name').fill('Chambers of Osei')
    await form.getByLabel('Type').fill('Law')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await expect(amaraPage.getByText('Chambers of Osei · Law')).toBeVisible()
  })

  await test.step('the log is filtered by action, person and day', async () => {
    await tab(amaraPage, 'Audit Logs').click()
    const entries = amaraPage.getByRole('table', { name: 'Audit Logs' }).locator('tbody > tr')
    await amaraPage.getByLabel('Action', { exact: true }).selectOption('Role changed')
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText('Role changed: User to Admin')
    const viewport = amaraPage.viewportSize()
    await amaraPage.setViewportSize({ width: 768, height: 1024 })
    expect(await placeholderOverflow(amaraPage.getByRole('combobox', { name: 'Person' }))).toBeLessThanOrEqual(0)
    if (viewport) await amaraPage.setViewportSize(viewport)
    await amaraPage.getByLabel('Action', { exact: true }).selectOption('Account created')
    await expect(entries).toHaveCount(2)
    await amaraPage.getByRole('combobox', { name: 'Person' }).fill(helen.firstName)
    await amaraPage.getByRole('option', { name: fullName(helen) }).click()
    await expect(entries).toHaveCount(1)
    await expect(entries).toContainText(fullName(helen))
    await amaraPage.getByLabel('From', { exact: true }).fill('2020-01-01')
    await amaraPage.getByLabel('To', { exact: true }).fill('2020-01-02')
    await expect(amaraPage.getByText('No audit logs found')).toBeVisible()
    await amaraPage.getByLabel('To', { exact: true }).fill('2099-01-01')
    await expect(entries).toHaveCount(1)
    await amaraPage.getByRole('button', { name: 'Clear filters' }).click()
    await expect(entries.filter({ hasText: 'Policy changed' }).first()).toBeVisible()
  })

  await test.step('verify-audit accepts the export unless it was changed; the table says it has no proof', async () => {
    const { path, name } = await exportLog(amaraPage, 'With proof')
    expect(name).toMatch(/^privity-audit-log-.*\.jsonl$/)
    expect(verifyLog(path)).toMatchObject({ code: 0 })
    await appendFile(path, '{}\n')
    expect(verifyLog(path)).toMatchObject({ code: 1 })
    const table = await exportLog(amaraPage, 'As a table')
    expect(table.name).toMatch(/-without-proof\.csv$/)
    const text = await readFile(table.path, 'utf8')
    expect(text).toContain('Number (proof: JSON Lines export only)')
    expect(text).toContain('organization_changed')
  })

  await test.step('two-factor authentication is announced, and then required of everybody at once', async () => {
    await tab(amaraPage, 'Organization Overview').click()
    await policySwitch(amaraPage, 'Require two-factor authentication').click()
    const question = amaraPage.getByRole('dialog', { name: 'Require two-factor authentication?' })
    await expect(question).toContainText('2 active members have no second factor yet.')
    await question.getByRole('radio', { name: 'On a date' }).click()
    await question.getByLabel('Date').fill('2001-01-01')
    await question.getByRole('button', { name: 'Require it' }).click()
    await expect(question.getByLabel('Date')).toHaveAccessibleDescription(
      'Choose a date after today and within a year.',
    )
    await expectAccessible(amaraPage, 'the date for two-factor authentication')
    const week = new Date(Date.now() + 7 * 24 * 60 * 60 * 1000)
    await question.getByLabel('Date').fill(week.toLocaleDateString('sv'))
    await question.getByRole('button', { name: 'Require it' }).click()
    await expect(
      amaraPage.getByRole('tabpanel').getByText(/^Two-factor authentication is required from \d\d\/\d\d\/\d{4}$/),
    ).toBeVisible()
    await moveTo(helenPage, '/')
    await expect(helenPage.getByText(/^From \S+ your organization requires two-factor authentication\./)).toBeVisible()
    await amaraPage.getByRole('button', { name: 'Change date' }).click()
    const change = amaraPage.getByRole('dialog', { name: 'Change the date for two-factor authentication?' })
    await change.getByRole('radio', { name: 'Immediately' }).click()
    await change.getByRole('button', { name: 'Require it' }).click()
    for (const page of [helenPage, amaraPage])
      await expect(page.getByRole('heading', { name: 'Set up two-factor authentication' })).toBeVisible()
  })
})

test('a deleted member lands on the landing page at once, and other administrators see it', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  const [amaraPage, helenPage, danielPage] = [await openBrowser(), await openBrowser(), await openBrowser()]
  await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await openAdmin(amaraPage)
  await tab(amaraPage, 'Organization Overview').click()
  await amaraPage.getByLabel('Role', { exact: true }).selectOption('Admin')
  await amaraPage.getByRole('button', { name: 'Create invitation' }).click()
  const link = await amaraPage.getByLabel('Invitation link').inputValue()
  await amaraPage.getByRole('button', { name: 'Done' }).click()

  await signUpBy(danielPage, link, daniel)
  await openAdmin(danielPage)
  await tab(amaraPage, 'User Management').click()
  await expect(row(danielPage, helen)).toBeVisible()

  await row(amaraPage, helen).getByRole('button', { name: 'Delete Helen Whitford' }).click()
  const question = amaraPage.getByRole('alertdialog', { name: 'Delete Helen Whitford?' })
  await expect(question).toContainText('messages and files of Helen Whitford are destroyed')
  await question.getByRole('button', { name: 'Delete user' }).click()
  await expect(toast(amaraPage, 'User Deleted')).toBeVisible()
  await expect(row(amaraPage, daniel).getByRole('button', { name: 'Deactivate Daniel Reyes' })).toBeFocused()

  await expect(landing(helenPage)).toBeVisible()
  await expect(helenPage.getByText('An administrator deleted your account.')).toBeVisible()
  await expect(helenPage).toHaveURL('/')
  for (const page of [amaraPage, danielPage]) await expect(row(page, helen)).toHaveCount(0)

  await test.step('a revoked invitation passes the focus to the next one', async () => {
    await tab(amaraPage, 'Organization Overview').click()
    for (let made = 0; made < 2; made++) {
      await amaraPage.getByRole('button', { name: 'Create invitation' }).click()
      await amaraPage.getByRole('button', { name: 'Done' }).click()
    }
    const revoke = amaraPage.getByRole('table', { name: 'Invitations' }).getByRole('button', { name: /^Revoke/ })
    await expect(revoke).toHaveCount(2)
    await revoke.first().click()
    await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await expect(revoke).toHaveCount(1)
    await expect(revoke).toBeFocused()
  })

  await test.step('and does not come back without an invitation where the organization asks for one', async () => {
    expectComplaint(/403 \(Forbidden\) /)
    await tab(amaraPage, 'Organization Overview').click()
    await flip(amaraPage, 'Sign-up by invitation only', 'on')
    await openSignUp(helenPage)
    await fillSignUp(helenPage, helen)
    await expect(refusal(helenPage, 'Signup failed')).toBeVisible()
    await expect(helenPage.getByText('New members join this organization by invitation only.').first()).toBeVisible()
  })
})
