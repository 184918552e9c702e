import type { Page } from '@playwright/test'
import { tab } from '../../support/members/administration.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const rows = (page: Page) => page.getByRole('tabpanel').locator('tbody > tr')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search users' })

/** Makes `count` changes, each with an entry in the audit log. */
const makeEntries = (page: Page, count: number) =>
  page.evaluate(async (many) => {
    const headers = { 'content-type': 'application/json' }
    for (let made = 0; made < many; made++) {
      const body = JSON.stringify({ watermark: made % 2 === 1 })
      const { status } = await fetch('/api/organizations/policy', { method: 'PATCH', headers, body })
      if (status !== 200) throw new Error(`The policy was answered with ${status}.`)
    }
  }, count)

test('the tables of an administrator: empty, sorted, searched, paged and by keyboard', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  const page = await openBrowser()
  await enterAs(page, amara)

  await test.step('an empty organization says so, and one that loads or has failed is not called empty', async () => {
    expectComplaint(/503/)
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/api/organizations/users?**', async (route) => {
      await held
      await route.fulfill({ json: { users: [], next: null, total: 0, more: false } })
    })
    await page.route('**/api/audit-logs?**', (route) => route.fulfill({ json: [] }))
    await moveTo(page, '/admin')
    await expect(page.locator('.skel').first()).toBeVisible()
    release()
    await expect(page.getByText('No users found in your organization', { exact: true })).toBeVisible()
    await tab(page, 'Audit Logs').click()
    await expect(page.getByText('No audit logs found', { exact: true })).toBeVisible()
    await tab(page, 'Organization Overview').click()
    await expect(page.getByText('No recent activity', { exact: true })).toBeVisible()

    await page.unroute('**/api/audit-logs?**')
    await page.route('**/api/audit-logs?**', (route) => route.fulfill({ status: 503, body: '' }))
    await tab(page, 'Audit Logs').click()
    await expect(page.getByRole('alert').getByText('could not be loaded')).toBeVisible()
    await page.unroute('**/api/audit-logs?**')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(rows(page).filter({ hasText: 'Account created' }).first()).toBeVisible()
    await page.unroute('**/api/organizations/users?**')
  })

  await test.step('the server sorts, and a reload finds the order again', async () => {
    await page.goto('/admin')
    await expect(rows(page)).toHaveText([new RegExp(fullName(amara)), new RegExp(fullName(helen))])
    const name = page.getByRole('columnheader', { name: 'Name' })
    await expect(name).toHaveAttribute('aria-sort', 'ascending')
    await name.getByRole('button').click()
    await expect(name).toHaveAttribute('aria-sort', 'descending')
    await expect(rows(page)).toHaveText([new RegExp(fullName(helen)), new RegExp(fullName(amara))])
    await page.reload()
    await expect(rows(page)).toHaveText([new RegExp(fullName(helen)), new RegExp(fullName(amara))])
  })

  await test.step('the server searches, and a reload finds the result again', async () => {
    for (const text of ['whit', 'HELEN.WHIT', 'helen']) {
      await search(page).fill(text)
      await expect(page).toHaveURL((url) => url.searchParams.get('q') === text)
      await expect(rows(page)).toHaveText([new RegExp(fullName(helen))])
    }
    await page.reload()
    await expect(search(page)).toHaveValue('helen')
    await expect(rows(page)).toHaveText([new RegExp(fullName(helen))])
    await search(page).fill('nobody of that name')
    await expect(page.getByRole('heading', { name: 'No user matches “nobody of that name”' })).toBeVisible()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await expect(rows(page)).toHaveCount(2)
  })

  await test.step('the log has pages', async () => {
    await makeEntries(page, 55)
    await tab(page, 'Audit Logs').click()
    await expect(rows(page)).toHaveCount(50)
    await expect(rows(page).first()).toContainText('Policy changed')
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await expect(pages.getByRole('button', { name: 'Previous' })).toBeDisabled()
    await pages.getByRole('button', { name: 'Next' }).click()
    await expect(pages.getByText('Page 2')).toBeVisible()
    await expect(rows(page).last()).toContainText('Account created')
    const older = await rows(page).count()
    expect(older).toBeGreaterThan(5)
    expect(older).toBeLessThan(50)
    await pages.getByRole('button', { name: 'Previous' }).click()
    await expect(rows(page)).toHaveCount(50)
  })

  await test.step('a tab that is pressed has no ring of the keyboard, and one that is reached by keys has', async () => {
    const ringed = (name: string) => tab(page, name).evaluate((button) => button.matches(':focus-visible'))
    for (const name of ['Organization Overview', 'Audit Logs']) {
      await tab(page, name).click()
      await expect(tab(page, name)).toBeFocused()
      expect(await ringed(name), name).toBe(false)
    }
    await tab(page, 'User Management').click({ button: 'right' })
    await expect(tab(page, 'Audit Logs')).toHaveAttribute('aria-selected', 'true')
    await page.keyboard.press('Escape')
    await tab(page, 'Audit Logs').click()
    await page.keyboard.press('ArrowRight')
    await expect(tab(page, 'Organization Overview')).toBeFocused()
    expect(await ringed('Organization Overview')).toBe(true)
  })
})
