import { seeDashboard, signIn } from '../../support/members/account.ts'
import { bell, openList, row } from '../../support/members/notifications.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

test('a sign-in leads to the signed-in browsers themselves, at any width', async ({ openBrowser, enterAs }) => {
  const [page, elsewhere] = [await openBrowser(), await openBrowser()]
  await enterAs(page, amara)
  await signIn(elsewhere, amara)
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 700 })
    await page.goto('/')
    await seeDashboard(page)
    await openList(page)
    await row(page, 'New sign-in').getByRole('button').first().click()
    await expect(page).toHaveURL(/\/account-settings#/)
    const heading = page.getByRole('heading', { name: 'Signed-in browsers' })
    await expect(heading).toBeFocused()
    await expect(heading).toBeInViewport()
  }
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Signed-in browsers' })).toBeFocused()
})
