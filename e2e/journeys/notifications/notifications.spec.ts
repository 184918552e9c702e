import type { Page } from '@playwright/test'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { seeDashboard, signIn, toast } from '../../support/members/account.ts'
import {
  connect,
  connectionRow,
  conversation,
  openConversation,
  ownCode,
  send,
} from '../../support/members/conversation.ts'
import { decide, requestAccess, upload } from '../../support/files/files.ts'
import { bell, countNotes, list, openList, row, setPreferences } from '../../support/members/notifications.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const newOnes = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(count === 0 ? 'Notifications' : `Notifications, ${count} new`)

const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') }

test('two people: events come live, lead to their place, and stay after a reload', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]

  await test.step('a list that cannot be loaded says so, and can be asked for again', async () => {
    expectComplaint(/503|CallError/)
    const failing = { error: 'Not now.', code: 'UNAVAILABLE', message: 'Not now.' }
    await page.route('**/api/notifications?*', (route) => route.fulfill({ status: 503, json: failing }))
    await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
    await openList(page)
    await expect(list(page).getByText('Notifications could not be loaded.')).toBeVisible()
    await expectAccessible(page, 'notifications that could not be loaded')
    await page.unroute('**/api/notifications?*')
    await list(page).getByRole('button', { name: 'Try again' }).click()
    await expect(list(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(list(page)).toBeHidden()
    await newOnes(page, 0)
  })

  await test.step('a new connection comes live, in a list that is accessible, on a phone too', async () => {
    await connect(helenPage, await ownCode(page))
    await expect(toast(page, 'Helen Whitford connected with you')).toBeVisible()
    await newOnes(page, 1)
    await newOnes(helenPage, 0)
    await openList(page)
    await expectAccessible(page, 'notifications')
    await list(page).getByRole('button', { name: 'Clear all' }).click()
    await expectAccessible(page, 'clearing notifications')
    await page.keyboard.press('Escape')
    const usual = page.viewportSize()
    await page.setViewportSize({ width: 360, height: 740 })
    await openList(page)
    await expect(row(page, 'Helen Whitford connected with you')).toBeVisible()
    await expectAccessible(page, 'notifications on a phone')
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await page.keyboard.press('Escape')
    if (usual) await page.setViewportSize(usual)
  })

  await test.step('each leads to its place', async () => {
    await openList(page)
    await row(page, 'Helen Whitford connected with you').getByRole('button').first().click()
    await expect(conversation(page, helen)).toBeVisible()
    await newOnes(page, 0)

    await openConversation(helenPage, amara)
    await upload(page, plan)
    await requestAccess(helenPage, amara, 'plan.txt')
    await newOnes(page, 1)
    await openList(page)
    await row(page, 'Helen Whitford requests plan.txt').getByRole('button').first().click()
    const requests = page.getByRole('dialog', { name: 'File authorization requests' })
    await expect(requests).toBeVisible()
    await requests.getByRole('button', { name: 'Close' }).last().click()
    await expect(requests).toBeHidden()
  })

  await test.step('they stay after a reload until they are marked as read', async () => {
    await decide(page, 'plan.txt', 'Approve')
    await newOnes(helenPage, 1)
    await helenPage.reload()
    await seeDashboard(helenPage)
    await newOnes(helenPage, 1)
    await openList(helenPage)
    await expect(row(helenPage, 'Amara Osei approved your request for')).toBeVisible()
    await list(helenPage).getByRole('button', { name: 'Mark all as read' }).click()
    await newOnes(helenPage, 0)
  })
})

test('a sign-in elsewhere is told, lists are in step over tabs, and clearing asks first', async ({
  openBrowser,
  enterAs,
}) => {
  const [page, helenPage, elsewhere] = [await openBrowser(), await openBrowser(), await openBrowser()]
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await connect(helenPage, await ownCode(page))
  await newOnes(page, 1)
  await signIn(elsewhere, amara)
  await expect(toast(page, 'New sign-in')).toBeVisible()
  await newOnes(page, 2)
  // The browser that signed in is not notified.
  await newOnes(elsewhere, 1)

  const second = await page.context().newPage()
  await second.goto('/')
  await newOnes(second, 2)
  await openList(second)
  await row(second, 'Helen Whitford connected')
    .getByRole('button', { name: /^Remove/ })
    .press('Enter')
  await newOnes(page, 1)
  await expect(row(second, 'New sign-in').getByRole('button').first()).toBeFocused()

  await test.step('a sign-in leads to the signed-in browsers themselves, at any width', async () => {
    const usual = page.viewportSize()
    const heading = page.getByRole('heading', { name: 'Signed-in browsers' })
    for (const width of [1440, 360]) {
      await page.setViewportSize({ width, height: 700 })
      await page.goto('/')
      await seeDashboard(page)
      await openList(page)
      await row(page, 'New sign-in').getByRole('button').first().click()
      await expect(page).toHaveURL(/\/account-settings#/)
      await expect(heading).toBeFocused()
      await expect(heading).toBeInViewport()
    }
    await page.reload()
    await expect(heading).toBeFocused()
    if (usual) await page.setViewportSize(usual)
    await page.goto('/')
    await seeDashboard(page)
  })

  await openList(page)
  await expect(list(page).getByRole('listitem')).toHaveCount(1)
  await list(page).getByRole('button', { name: 'Clear all' }).click()
  await expect(list(page).getByRole('button', { name: 'Cancel' })).toBeFocused()
  await list(page).getByRole('button', { name: 'Cancel' }).click()
  await expect(list(page).getByRole('listitem')).toHaveCount(1)
  await list(page).getByRole('button', { name: 'Clear all' }).click()
  await list(page).getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(list(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
  for (const each of [page, second, elsewhere]) await newOnes(each, 0)
  await page.reload()
  await seeDashboard(page)
  await openList(page)
  await expect(list(page).getByRole('heading', { name: 'No notifications' })).toBeVisible()
})

test('notices and tones in the page follow the settings, and leave out what is on the screen', async ({
  openBrowser,
  enterAs,
}) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]
  const notes = await countNotes(page)
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await setPreferences(page, { connectionNotifications: false })
  await connect(helenPage, await ownCode(page))
  await newOnes(page, 1)
  expect(await notes()).toBe(0)
  await expect(toast(page, 'connected with you')).toBeHidden()

  await openConversation(helenPage, amara)
  await send(helenPage, amara, 'One')
  await expect(toast(page, 'New message')).toBeVisible()
  await expect(toast(page, 'From Helen Whitford')).toBeVisible()
  await expect.poll(notes).toBe(2)
  await setPreferences(page, { soundEnabled: false })
  await expect(toast(page, 'New message')).toBeHidden()
  await send(helenPage, amara, 'Two')
  await expect(toast(page, 'New message')).toBeVisible()
  expect(await notes()).toBe(2)
  await setPreferences(page, { messageNotifications: false })
  await expect(toast(page, 'New message')).toBeHidden()
  await send(helenPage, amara, 'Three')
  await expect(connectionRow(page, helen)).toContainText('3 unread')
  await expect(toast(page, 'New message')).toBeHidden()
  await setPreferences(page, { messageNotifications: true, soundEnabled: true })
  await openConversation(page, helen)
  await send(helenPage, amara, 'Four')
  await expect(conversation(page, helen).getByText('Four', { exact: true })).toBeVisible()
  expect(await notes()).toBe(2)
  await expect(toast(page, 'New message')).toBeHidden()
})
