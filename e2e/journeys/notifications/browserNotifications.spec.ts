import type { Page } from '@playwright/test'
import { signIn, toast } from '../../support/members/account.ts'
import { launch } from '../../support/servers/browsers.ts'
import {
  connect,
  connectionRow,
  conversation,
  openConversation,
  ownCode,
  send,
} from '../../support/members/conversation.ts'
import {
  bell,
  gatherBrowserNotifications,
  list,
  openList,
  setPreferences,
  setVisible,
} from '../../support/members/notifications.ts'
import { amara, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

// The headless shell does not support notifications.
test.use({ serviceWorker: true, launchOptions: launch(undefined) })

const newOnes = (page: Page, count: number) =>
  expect(bell(page)).toHaveAccessibleName(count === 0 ? 'Notifications' : `Notifications, ${count} new`)

const shownNow = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    return (await registration?.getNotifications())?.map(({ title, body }) => `${title}: ${body}`)
  })

async function press(page: Page): Promise<void> {
  const [worker] = page.context().serviceWorkers()
  await worker?.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      NotificationEvent: new (type: string, init: { notification: Notification }) => Event
      dispatchEvent: (event: Event) => boolean
    }
    const [notification] = await scope.registration.getNotifications()
    if (notification) scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
  })
}

test('in the background the browser says that something is new, once for all tabs, never what', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]
  const shown = await gatherBrowserNotifications(page.context(), server.origin)
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await connect(helenPage, await ownCode(page))
  await newOnes(page, 1)
  await openConversation(helenPage, amara)
  const second = await page.context().newPage()
  await second.goto('/')
  await newOnes(second, 1)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))

  for (const tab of [page, second]) await setVisible(tab, false)
  const message = { title: 'Privity', body: 'New message' }
  await send(helenPage, amara, 'The harbour at nine')
  await expect.poll(() => shown).toEqual([message])
  await send(helenPage, amara, 'Bring the lantern')
  await expect.poll(() => shown).toEqual([message, message])

  await setPreferences(page, { pushNotifications: false })
  await send(helenPage, amara, 'Three')
  await expect(connectionRow(second, helen)).toContainText('3 unread')
  await setPreferences(page, { pushNotifications: true })
  // One visible tab suffices: it shows the message itself.
  await setVisible(second, true)
  await send(helenPage, amara, 'Four')
  await expect(toast(second, 'New message')).toBeVisible()
  await setVisible(second, false)
  await send(helenPage, amara, 'Five')
  await expect.poll(() => shown).toEqual([message, message, message])
  expect(JSON.stringify(shown)).not.toMatch(/harbour|lantern|Helen|Four/)
})

test('a press on a browser notification opens the conversation', async ({ openBrowser, server, enterAs }) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]
  await page.context().grantPermissions(['notifications'], { origin: server.origin })
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await connect(helenPage, await ownCode(page))
  await newOnes(page, 1)
  await openConversation(helenPage, amara)
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  await setVisible(page, false)
  await send(helenPage, amara, 'Are you there?')
  await expect.poll(() => shownNow(page)).toEqual(['Privity: New message'])
  await press(page)
  await expect(conversation(page, helen).getByText('Are you there?')).toBeVisible()
  await expect.poll(() => shownNow(page)).toEqual([])
})

test('a press on the browser notification of a new connection reads its entry in the bell', async ({
  openBrowser,
  server,
  enterAs,
}) => {
  const [page, helenPage] = [await openBrowser(), await openBrowser()]
  await page.context().grantPermissions(['notifications'], { origin: server.origin })
  await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true))
  const code = await ownCode(page)
  await setVisible(page, false)
  await connect(helenPage, code)
  await expect.poll(() => shownNow(page)).toEqual(['Privity: New notification'])
  await newOnes(page, 1)
  await press(page)
  await newOnes(page, 0)
})

test('the permission is asked only by a press, and a refusal of the browser is explained', async ({
  openBrowser,
  browser,
  server,
  enterAs,
}) => {
  const page = await openBrowser()
  await enterAs(page, amara)
  await openList(page)
  await expect(list(page).getByText('Blocked by the browser.')).toBeVisible()
  await expect(list(page).getByRole('button', { name: 'Turn on' })).toBeHidden()

  const fresh = await browser.newContext({ baseURL: server.origin })
  const other = await fresh.newPage()
  await other.addInitScript(() => {
    const asked = globalThis as unknown as { asked: number }
    asked.asked = 0
    Notification.requestPermission = () => {
      asked.asked += 1
      Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
      return Promise.resolve('granted' as const)
    }
  })
  await signIn(other, amara)
  await openList(other)
  const asked = () => other.evaluate(() => (globalThis as unknown as { asked: number }).asked)
  expect(await asked()).toBe(0)
  await list(other).getByRole('button', { name: 'Turn on' }).click()
  expect(await asked()).toBe(1)
  await expect(list(other).getByText('On in this browser.')).toBeVisible()
  await setPreferences(other, { pushNotifications: false })
  await expect(list(other).getByText('switched off in your settings')).toBeVisible()
  await fresh.close()
})
