import type { Page } from '@playwright/test'
import { guess, toast } from '../../support/members/account.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const password = 'a founder of the journeys'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

/** Holds every call of the founder that matches, until the returned function releases them. */
async function hold(page: Page, calls: RegExp): Promise<() => void> {
  const { promise: gone, resolve: letGo } = Promise.withResolvers<void>()
  // After the release, later calls pass, too.
  await page.route(calls, async (route) => {
    await gone
    await route.fallback()
  })
  return letGo
}

const card = (page: Page, label: string) =>
  page.getByRole('region', { name: 'Users', exact: true }).getByText(label, { exact: true }).locator('xpath=../dd')

test('while the founder’s console waits it says for what, and nothing is done twice', async ({
  openBrowser,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/(login|founder\/verify)$/)
  const page = await openBrowser({ viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce' })
  const stranger = await openBrowser()
  await stranger.goto('/auth')
  await guess(stranger, helen, 5)
  await page.goto('/founder')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'User Management' })).toBeVisible()

  await test.step('the gate, the lists and what is not known yet', async () => {
    const check = await hold(page, /\/api\/founder\/verify/)
    const lists = await hold(page, /\/api\/founder\/(?!verify)/)
    await page.reload()
    await expect(page.getByText('Loading founder dashboard...')).toBeVisible()
    check()
    await expect(page.getByText('System Health: GOOD')).toBeVisible()
    await expect(page.getByRole('definition').filter({ hasText: 'LOW' })).toBeVisible()
    await expect(page.getByText('Loading locked accounts...')).toBeVisible()
    await expect(page.getByText('Loading flagged messages...')).toBeVisible()
    for (const none of ['All Clear', 'No locked accounts', 'No flagged messages', 'No users found.'])
      await expect(page.getByText(none)).toHaveCount(0)
    lists()
    await expect(page.getByRole('row', { name: helen.username }).first()).toBeVisible()
    await expect(page.getByText('No flagged messages')).toBeVisible()
  })

  await test.step('a scan, and an export, which is one file at a time', async () => {
    const scan = await hold(page, /scan-messages/)
    await page.getByRole('button', { name: 'Scan Now' }).click()
    await expect(page.getByRole('button', { name: 'Scanning...' })).toBeVisible()
    scan()
    await expect(toast(page, 'Found 0 suspicious messages')).toBeVisible()
    const file = await hold(page, /audit-logs\/export/)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download CSV' }).click()
    await expect(page.getByRole('button', { name: 'Exporting...' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Download JSON' })).toBeDisabled()
    file()
    await download
    await expect(page.getByRole('button', { name: 'Download JSON' })).toBeEnabled()
  })

  const question = page.getByRole('alertdialog')
  await test.step('an unlock, and the cards that count who is suspended', async () => {
    const unlock = await hold(page, /unlock-account/)
    await page.getByRole('button', { name: `Unlock ${helen.username}` }).click()
    await question.getByRole('button', { name: 'Unlock Account' }).click()
    await expect(question.getByRole('button', { name: 'Processing...' })).toBeVisible()
    unlock()
    await expect(toast(page, 'Account Unlocked')).toBeVisible()
    await expect(card(page, 'Total Users')).toHaveText('2')
    await expect(card(page, 'Active Users')).toHaveText('2')
    await expect(card(page, 'Suspended Users')).toHaveText('0')
    await expect(card(page, 'Admins')).toHaveText('1')
    const suspend = await hold(page, /\/suspend$/)
    await page.getByRole('button', { name: `Suspend ${helen.username}`, exact: true }).click()
    await question.getByRole('button', { name: 'Suspend User' }).click()
    await expect(question.getByRole('button', { name: 'Processing...' })).toBeVisible()
    suspend()
    await expect(card(page, 'Suspended Users')).toHaveText('1')
    await expect(card(page, 'Active Users')).toHaveText('1')
  })

  await test.step('a deletion that is asked for twice happens once', async () => {
    const remove = await hold(page, /\/api\/founder\/users\/[^/?]+$/)
    let asked = 0
    page.on('request', (request) => {
      if (request.method() === 'DELETE') asked += 1
    })
    await page.getByRole('button', { name: `Delete ${helen.username}` }).click()
    const confirm = question.getByRole('button', { name: 'Delete Permanently' })
    await confirm.dblclick()
    await expect(question.getByRole('button', { name: 'Processing...' })).toBeVisible()
    await page.keyboard.press('Enter')
    remove()
    await expect(toast(page, 'User Deleted')).toBeVisible()
    await expect(card(page, 'Total Users')).toHaveText('1')
    await expect(page.getByRole('button', { name: `Delete ${amara.username}` })).toBeVisible()
    expect(asked).toBe(1)
  })

  await test.step('a double click makes one organization, and a name that turns text around is refused', async () => {
    const list = page.getByRole('region', { name: 'Organizations', exact: true })
    const before = await list.getByRole('table').getByRole('row').count()
    const name = list.getByLabel('Name', { exact: true })
    await name.fill('Chambers of \u202ewaL')
    await list.getByLabel('Type', { exact: true }).fill('Legal')
    await list.getByRole('button', { name: 'Create organization' }).click()
    await expect(name).toHaveAccessibleDescription(
      'Use one line, without text direction characters or an email header at the beginning.',
    )
    await name.fill('Chambers of Law')
    await list.getByRole('button', { name: 'Create organization' }).dblclick()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.reload()
    await expect(list.getByRole('row', { name: 'Chambers of Law' })).toHaveCount(1)
    expect(await list.getByRole('table').getByRole('row').count()).toBe(before + 1)
  })
})
