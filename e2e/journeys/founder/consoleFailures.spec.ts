import type { Page } from '@playwright/test'
import { fillSignIn, guess, refusal, toast } from '../../support/members/account.ts'
import { conversation, openConversation, sees, send } from '../../support/members/conversation.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/test.ts'

const password = 'a founder of the journeys'
/** No server listens on this port. */
const noMailServer = 'smtp://127.0.0.1:9'
test.use({ serverEnv: { FOUNDER_PASSWORD: password, SMTP_URL: noMailServer }, prepared: 'connected' })

const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

async function openConsole(page: Page): Promise<void> {
  await page.goto('/founder')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()
}

/** Presses a button of the console, and then the one of its confirmation dialog. */
async function press(page: Page, button: string, confirm?: string): Promise<void> {
  await page.getByRole('button', { name: button, exact: true }).first().click()
  if (confirm) await page.getByRole('alertdialog').getByRole('button', { name: confirm }).click()
}

async function says(page: Page, title: string, description: string): Promise<void> {
  // Both at once: the page may change half a second later.
  await Promise.all([expect(toast(page, title).first()).toBeVisible(), expect(toast(page, description)).toBeVisible()])
}

test('every failure of the founder’s console is said, by the server or by the specification', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/(401|404|409|500|502|503|423) .*\/api\/(founder\/|login)/)
  expectComplaint(/CallError|Failed to fetch|could not be reached|ERR_FAILED/)
  const [founder, second, amaraPage, helenPage] = [
    await openBrowser({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' }),
    await openBrowser({ reducedMotion: 'reduce' }),
    await openBrowser(),
    await openBrowser(),
  ]

  /** The next responses to this call are failures without a message. */
  const json = { error: '', code: 'INTERNAL', message: '' }
  const silence = (call: string, times = 1) =>
    founder.route(`**/api/founder/${call}`, (route) => route.fulfill({ status: 500, json }), { times })

  await test.step('a sign-in that fails in silence', async () => {
    await founder.goto('/founder')
    await silence('login')
    await founder.getByLabel('Password', { exact: true }).fill('whatever it is')
    await founder.keyboard.press('Enter')
    await says(founder, 'Authentication Failed', 'Login failed')
    await expect(founder.getByRole('main').getByText('Access Denied')).toBeVisible()
    await expect(founder.getByText('Founder login failed')).toBeVisible()
  })

  await test.step('a check that fails shows nothing of the console, and can be asked again', async () => {
    await openConsole(founder)
    // Opening the report keys asks too, and may still be under way.
    await silence('verify', 5)
    await founder.reload()
    await expect(founder.getByText('Failed to verify founder authentication')).toBeVisible()
    await expect(founder.getByRole('heading', { name: 'User Management' })).toHaveCount(0)
    await founder.unroute('**/api/founder/verify')
    await founder.getByRole('button', { name: 'Try again' }).click()
    await expect(founder.getByRole('heading', { name: 'User Management' })).toBeVisible()
    const visitor = await openBrowser()
    const answer = await visitor.request.get('/api/founder/verify')
    expect(await answer.json()).toMatchObject({ error: 'Not authenticated as founder' })
  })

  await test.step('a message that another window has unflagged, and one in silence', async () => {
    await enterAs(amaraPage, amara)
    await enterAs(helenPage, helen)
    await openConversation(amaraPage, helen)
    await openConversation(helenPage, amara)
    for (const text of ['the first of two', 'the second of two']) {
      await send(amaraPage, helen, text)
      await sees(helenPage, amara, text)
      const row = conversation(helenPage, amara).getByRole('article').filter({ hasText: text })
      await row.hover()
      await row.getByRole('button', { name: 'Message options' }).click()
      await helenPage.getByRole('menuitem', { name: 'Report message' }).click()
      await helenPage.getByRole('dialog').getByRole('button', { name: 'Report message' }).click()
      await expect(helenPage.getByRole('dialog')).toHaveCount(0)
    }
    await amaraPage.close()
    await helenPage.close()
    await founder.reload()
    await openConsole(second)
    const flagged = section(founder, 'Message Moderation').getByRole('table').getByRole('row')
    await expect(flagged).toHaveCount(3)
    const unflag = `Unflag the message of ${amara.username}`
    await press(second, unflag, 'Unflag Message')
    await expect(toast(second, 'Message Unflagged')).toBeVisible()
    await press(founder, unflag, 'Unflag Message')
    await says(founder, 'Unflag Failed', 'no longer flagged')
    await expect(flagged).toHaveCount(2)
    await silence('flag-message/*')
    await press(founder, unflag, 'Unflag Message')
    await says(founder, 'Unflag Failed', 'Failed to unflag message')
    await silence('scan-messages')
    await press(founder, 'Scan Now')
    await says(founder, 'Scan Failed', 'Failed to scan messages')
  })

  await test.step('an account that may not be suspended or deleted, or is gone, or in silence', async () => {
    await press(founder, `Suspend ${amara.username}`, 'Suspend User')
    await says(founder, 'Suspension Failed', 'This is the last Super Admin')
    await press(founder, `Delete ${amara.username}`, 'Delete Permanently')
    await says(founder, 'Deletion Failed', 'This is the last Super Admin')
    const of = (act: string) => `${act} ${helen.username}`
    await silence('users/*/suspend')
    await press(founder, of('Suspend'), 'Suspend User')
    await says(founder, 'Suspension Failed', 'Failed to suspend user')
    await silence('users/*')
    await press(founder, of('Delete'), 'Delete Permanently')
    await says(founder, 'Deletion Failed', 'Failed to delete user')
    await press(founder, of('Suspend'), 'Suspend User')
    await expect(toast(founder, 'User Suspended')).toBeVisible()
    await silence('users/*/unsuspend')
    await press(founder, of('Unsuspend'), 'Unsuspend User')
    await says(founder, 'Unsuspension Failed', 'Failed to unsuspend user')
  })

  await test.step('a lock, and a suspension, of somebody whom another window has deleted', async () => {
    const stranger = await openBrowser()
    await stranger.goto('/auth')
    await guess(stranger, helen, 5)
    await fillSignIn(stranger, helen)
    await expect(refusal(stranger, 'This account is locked')).toBeVisible()
    await founder.reload()
    await expect(section(founder, 'Locked Accounts').getByRole('row', { name: helen.username })).toBeVisible()
    await silence('unlock-account/*')
    await press(founder, `Unlock ${helen.username}`, 'Unlock Account')
    await says(founder, 'Unlock Failed', 'Failed to unlock account')
    await founder.getByRole('button', { name: `Unlock ${helen.username}` }).click()
    await second.reload()
    await press(second, `Delete ${helen.username}`, 'Delete Permanently')
    await expect(toast(second, 'User Deleted')).toBeVisible()
    await founder.getByRole('alertdialog').getByRole('button', { name: 'Unlock Account' }).click()
    await says(founder, 'Unlock Failed', 'no longer exists')
    await expect(section(founder, 'Locked Accounts').getByText('No locked accounts')).toBeVisible()
    await press(founder, `Unsuspend ${helen.username}`, 'Unsuspend User')
    await says(founder, 'Unsuspension Failed', 'no longer exists')
    await expect(founder.getByRole('button', { name: `Unsuspend ${helen.username}` })).toHaveCount(0)
  })

  await test.step('a test alert to a mail server that is not there, settings and an export in silence', async () => {
    const alerts = section(founder, 'Alert Settings')
    await alerts.getByRole('switch', { name: 'Email alerts' }).check()
    await alerts.getByLabel('Email address').fill('security@example.com')
    await silence('alert-settings')
    await press(founder, 'Save settings')
    await says(founder, 'Update Failed', 'Failed to update alert settings')
    await press(founder, 'Save settings')
    await expect(toast(founder, 'Settings Updated')).toBeVisible()
    await press(founder, 'Send test alert')
    await says(founder, 'Test Failed', 'Failed to send test alert. Email:')
    await expect(alerts.getByRole('listitem').first()).toContainText('Email: Failed')
    await silence('test-alert')
    await press(founder, 'Send test alert')
    await says(founder, 'Test Failed', 'Failed to send test alert')
    await silence('audit-logs/export**')
    await press(founder, 'Download CSV')
    await says(founder, 'Export Failed', 'Failed to export audit logs')
  })

  await test.step('a failed logout leaves the founder in the console, an ended session leads to the login', async () => {
    await silence('logout')
    await press(founder, 'Logout')
    await says(founder, 'Logout Error', 'Failed to end founder session')
    await expect(founder).toHaveURL(/\/founder\/dashboard/)
    // Nothing polls before the button is pressed.
    await founder.route('**/api/founder/*', (route) =>
      route.request().method() === 'GET' ? route.abort() : route.continue(),
    )
    await founder.context().clearCookies()
    await press(founder, 'Scan Now')
    await says(founder, 'Unauthorized', 'You are logged out. Logging in again...')
    await expect(founder).toHaveURL(/\/founder$/)
  })
})
