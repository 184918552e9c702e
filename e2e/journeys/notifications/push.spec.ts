import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { connect, openConversation, ownCode, send } from '../../support/members/conversation.ts'
import { bell } from '../../support/members/notifications.ts'
import { amara, helen } from '../../support/members/people.ts'
import {
  fakePushService,
  losePushSubscription,
  openDevTools,
  pushHost,
  shownNotifications,
} from '../../support/members/push.ts'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { launch } from '../../support/servers/browsers.ts'
import { stored } from '../../support/servers/database.ts'
import type { RunningServer } from '../../support/servers/server.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

// The headless shell does not support notifications.
test.use({ serviceWorker: true, launchOptions: launch(undefined), serverEnv: { PUSH_HOSTS: pushHost } })

const pushSwitch = (page: Page) => page.getByRole('switch', { name: 'Notify when Privity is closed' })
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Notify this browser when Privity is closed?' })

interface StoredPush {
  due_at: number | null
}
const pushes = (server: RunningServer) => stored<StoredPush>(server, 'select due_at from push_subscriptions')

async function switchOn(page: Page): Promise<void> {
  await page.goto('/settings')
  await pushSwitch(page).click()
  await question(page).getByRole('button', { name: 'Switch On' }).click()
  await expect(toast(page, 'Push notifications are on in this browser')).toBeVisible()
  await expect(pushSwitch(page)).toBeChecked()
}

test('with all pages closed a message leads to a push, and the browser shows it without content', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]
  const context = page.context()
  await fakePushService(context, server.origin)
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await connect(helenPage, await ownCode(page))
  await expect(bell(page)).toHaveAccessibleName('Notifications, 1 new')

  await test.step('it is off at first, and a dialog says what the push service learns', async () => {
    await page.goto('/settings')
    await expect(pushSwitch(page)).toBeEnabled()
    await expect(pushSwitch(page)).not.toBeChecked()
    await expectAccessible(page, 'settings with push notifications')
    await pushSwitch(page).click()
    await expect(question(page)).toContainText('learns that something has arrived')
    await expectAccessible(page, 'what a push service learns')
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(pushSwitch(page)).not.toBeChecked()
    expect(await pushes(server)).toEqual([])
    await switchOn(page)
    expect(await pushes(server)).toEqual([{ due_at: null }])
  })

  await test.step('a message while a page is visible leads to none', async () => {
    await openConversation(helenPage, amara)
    await send(helenPage, amara, 'Are you there?')
    await expect(toast(page, 'New message')).toBeVisible()
    expect(await pushes(server)).toEqual([{ due_at: null }])
  })

  await test.step('with all pages closed it does', async () => {
    const tools = await openDevTools(context, server.origin)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
    await page.close()
    await send(helenPage, amara, 'The harbour at nine')
    await expect.poll(async () => (await pushes(server))[0]?.due_at).toBeGreaterThan(0)
    const notification = { title: 'Privity', body: 'New message', navigate: `${server.origin}/` }
    await tools.deliverPush(JSON.stringify({ web_push: 8030, notification }))
    await expect.poll(() => shownNotifications(context)).toEqual(['Privity: New message'])
    await tools.deliverPush(JSON.stringify({ web_push: 8030, notification }))
    await expect.poll(() => shownNotifications(context)).toEqual(['Privity: New message'])
  })

  await test.step('opening the application closes it, and nothing waits any more', async () => {
    const reopened = await context.newPage()
    await reopened.goto('/')
    await expect(bell(reopened)).toBeVisible()
    await expect.poll(async () => (await pushes(server))[0]?.due_at).toBeNull()
  })
})

test('a browser that lost its subscription subscribes again; one without permission says so', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const page = await openBrowser()
  const context = page.context()
  await fakePushService(context, server.origin)
  await enterAs(page, amara)
  await switchOn(page)

  await losePushSubscription(page)
  await page.reload()
  await expect(pushSwitch(page)).toBeChecked()

  await context.clearPermissions()
  await page.reload()
  await expect(toast(page, 'Push notifications have stopped')).toBeVisible()
  await expect(pushSwitch(page)).not.toBeChecked()
  await expect(page.getByText(/Blocked by the browser|the browser ended the notifications/)).toBeVisible()

  await context.grantPermissions(['notifications'], { origin: server.origin })
  await page.reload()
  await expect(pushSwitch(page)).toBeChecked()
  await pushSwitch(page).click()
  await expect(toast(page, 'Push notifications are off in this browser')).toBeVisible()
  await expect(pushSwitch(page)).not.toBeChecked()
  expect(await pushes(server)).toEqual([])
})

test.describe('after a message expired unread', () => {
  test.use({ serverEnv: { PUSH_HOSTS: pushHost, MESSAGE_RETENTION: '3s' } })

  test('it is offered once', async ({ openBrowser, server, enterAs }) => {
    const [page, helenPage] = [await openBrowser(), await openBrowser()]
    await fakePushService(page.context(), server.origin)
    await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
    await connect(helenPage, await ownCode(page))
    await page.goto('/settings')
    await openConversation(helenPage, amara)
    await send(helenPage, amara, 'Are you there?')
    // Once the message has expired.
    await expect(async () => {
      await page.reload()
      await expect(question(page)).toBeVisible({ timeout: 4_000 })
    }).toPass()
    await expect(question(page)).toContainText('A message disappeared before you read it.')
    await question(page).getByRole('button', { name: 'Cancel' }).click()
    await expect(question(page)).toBeHidden()
    await page.reload()
    await expect(pushSwitch(page)).toBeEnabled()
    await expect(question(page)).toBeHidden()
  })
})
