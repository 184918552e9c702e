import type { Locator, Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { signIn, toast } from '../../support/members/account.ts'
import { openConversation, sees, send } from '../../support/members/conversation.ts'
import { amara, helen } from '../../support/members/people.ts'
import { openList, row } from '../../support/members/notifications.ts'
import { expect, test } from '../../support/members/pair.ts'
import { forgetAllBut } from '../../support/servers/browserStorage.ts'

const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
const beforeApproval = 'This is from before you first used this browser'
const unapproved = 'This browser is not approved: it opens nothing from before you signed in here.'

const openBrowsers = (page: Page) => page.goto('/account-settings#your-browsers')

const rows = (page: Page) => page.getByRole('list', { name: 'Your browsers' }).getByRole('listitem')

async function switchOn(page: Page): Promise<void> {
  await openBrowsers(page)
  await page.getByRole('switch', { name: 'Only approved browsers' }).click()
  await expectAccessible(page, 'the question about the mode')
  await button(page.getByRole('alertdialog'), 'Switch on').click()
  await expect(toast(page, 'Only approved browsers')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Only approved browsers' })).toBeChecked()
}

/** The six digits that a page shows. */
async function codeOf(page: Page): Promise<string> {
  const code = page.getByRole('dialog').getByText(/^\d{3} \d{3}$/)
  await expect(code).toBeVisible()
  return (await code.textContent()) ?? ''
}

test('a new browser opens what was before once another one has approved it by equal digits', async ({
  openBrowser,
  enterAs,
}) => {
  test.slow()
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser()]
  await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await openConversation(helenPage, amara)
  await send(helenPage, amara, 'From before')
  await switchOn(amaraPage)

  const added = await openBrowser()
  await signIn(added, amara)
  await expect(added.getByText(unapproved)).toBeVisible()
  await openConversation(added, helen)
  await expect(added.getByText(beforeApproval)).toBeVisible()
  await added.goto('/')
  await added.getByRole('link', { name: 'Approve it' }).click()
  await button(added, 'Approve').click()
  await expect(added.getByText('Waiting for the other browser...')).toBeVisible()

  await expect(rows(amaraPage).nth(1)).toContainText('Not approved')
  await rows(amaraPage).nth(1).getByText('Compare code').click()
  const code = await codeOf(amaraPage)
  expect(await codeOf(added)).toBe(code)
  await expectAccessible(amaraPage, 'the digits in the approving browser')
  await expectAccessible(added, 'the digits in the new browser')
  expect(await overflow(added)).toBe(0)
  await button(amaraPage, 'Yes, approve').click()
  await expect(toast(amaraPage, 'Browser approved')).toBeVisible()
  await expect(toast(added, 'This browser is approved')).toBeVisible()
  await expect(rows(amaraPage).nth(1)).not.toContainText('Not approved')
  await added.goto('/')
  await expect(added.getByText(unapproved)).toBeHidden()
  await openConversation(added, helen)
  await sees(added, helen, 'From before')
})

test('the recovery key approves a browser, a refused one stays unapproved, a removed one is out', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  expectComplaint(/WebSocket/)
  test.slow()
  const amaraPage = await openBrowser()
  const recoveryKey = await enterAs(amaraPage, amara)
  await switchOn(amaraPage)
  const added = await openBrowser()
  await signIn(added, amara)
  await added.getByRole('link', { name: 'Approve it' }).click()
  await button(added, 'Approve').click()
  await rows(amaraPage).nth(1).getByText('Compare code').click()
  await codeOf(amaraPage)
  await button(amaraPage, 'No').click()
  await expect(toast(amaraPage, 'Not approved')).toBeVisible()
  await expect(added.getByText('This comparison has ended.')).toBeVisible()

  await button(added, 'Use account recovery key').click()
  await added
    .getByRole('textbox', { name: 'Account recovery key' })
    .fill(recoveryKey.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')))
  await expect(added.getByText('Group 1 is incorrect.')).toBeVisible()
  await added.getByRole('textbox', { name: 'Account recovery key' }).fill(recoveryKey)
  await expect(added.getByText('All 13 groups are correct.')).toBeVisible()
  await expectAccessible(added, 'the recovery key in the approval')
  await button(added.getByRole('dialog'), 'Approve').click()
  await expect(toast(added, 'This browser is approved')).toBeVisible()
  await expect(rows(amaraPage).nth(1)).not.toContainText('Not approved')
  const count = await rows(amaraPage).count()

  await rows(amaraPage)
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  await button(amaraPage.getByRole('alertdialog'), 'Remove').click()
  await expect(toast(amaraPage, 'Browser removed')).toBeVisible()
  await expect(rows(amaraPage)).toHaveCount(count - 1)
  await expect(added.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(added.getByRole('main').getByRole('alert')).toHaveText(
    'Another browser removed this one, or one that had used the same session. Sign in again to continue.',
  )
  await amaraPage.getByRole('switch', { name: 'Only approved browsers' }).click()
  await button(amaraPage.getByRole('alertdialog'), 'Switch off').click()
  await expect(toast(amaraPage, 'Every browser is allowed')).toBeVisible()
})

test('a browser without its data is told of, and removing the one before signs out here too', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\//)
  expectComplaint(/WebSocket/)
  const page = await openBrowser()
  await enterAs(page, amara)
  await openBrowsers(page)
  await expect(rows(page).first()).toContainText('This browser')
  const count = await rows(page).count()
  await forgetAllBut(page, 'nothing')
  await page.reload()
  await page.getByLabel('Password', { exact: true }).fill(amara.password)
  await button(page, 'Unlock').click()
  await openBrowsers(page)
  await expect(rows(page)).toHaveCount(count + 1)
  await openList(page)
  await row(page, 'Another browser uses one of your sessions').click()
  await expect(page).toHaveURL(/#your-browsers$/)
  await rows(page)
    .nth(1)
    .getByRole('button', { name: /^Remove/ })
    .click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('It has used the same session as this browser: you are signed out here as well.')
  await expectAccessible(page, 'the question about a browser of the same session')
  await button(question, 'Remove').click()
  await expect(toast(page, 'You are signed out')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('main').getByRole('alert')).toHaveText(
    'You removed a browser that had used the same session as this one. Sign in again to continue.',
  )
})
