import type { Page } from '@playwright/test'
import { signIn, toast } from '../../support/members/account.ts'
import { openConversation, send } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { stopClock } from '../../support/screens/clock.ts'
import { coveredByToast } from '../../support/screens/overlap.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { phone } from '../../support/screens/touch.ts'

const windows = [
  { width: 320, height: 568 },
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]

const expectNothingCovered = async (page: Page, screen: string) =>
  expect.poll(() => coveredByToast(page), `${screen} at ${page.viewportSize()?.width}`).toEqual([])

test('a toast covers nothing that is needed meanwhile, and goes when its page is left', async ({
  pair: { amaraPage: page, helenPage },
}) => {
  await stopClock(page)

  await test.step('it covers no header of a conversation or its safety number', async () => {
    for (const size of windows) {
      await page.setViewportSize(size)
      await page.getByRole('button', { name: 'Voice call' }).click()
      await expect(toast(page, 'calls are not available yet')).toBeVisible()
      await expectNothingCovered(page, 'conversation')
    }
    await page.locator('#chat-info').click()
    for (const size of windows.toReversed()) {
      await page.setViewportSize(size)
      await page.getByRole('button', { name: 'Copy', exact: true }).click()
      await expect(toast(page, 'Safety number copied')).toBeVisible()
      await expectNothingCovered(page, 'safety number')
      await page.clock.runFor(2_500)
    }
    await page.keyboard.press('Escape')
  })

  await test.step('it goes when its conversation or page is left', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    const calls = toast(page, 'calls are not available yet')
    await page.getByRole('button', { name: 'Voice call' }).click()
    await expect(calls).toBeVisible()
    await page.getByRole('button', { name: 'Back to connections' }).click()
    await expect(calls).toHaveCount(0)
    await openConversation(page, helen)
    await page.getByRole('button', { name: 'Voice call' }).click()
    await expect(calls).toBeVisible()
    await moveTo(page, '/about')
    await expect(calls).toHaveCount(0)
  })

  await test.step('it covers neither the code card nor a heading or an open menu', async () => {
    await moveTo(page, '/')
    // Folded on a phone once there is a connection.
    await page.getByRole('heading', { name: 'Your connection code, Connect' }).click()
    for (const size of windows) {
      await page.setViewportSize(size)
      await page
        .getByRole('region', { name: 'Your connection code' })
        .getByRole('button', { name: 'Copy Code' })
        .click()
      await expect(toast(page, 'Connection code copied to clipboard')).toBeVisible()
      await expectNothingCovered(page, 'dashboard')
      await page.getByRole('button', { name: /^User menu/ }).click()
      await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
      await expectNothingCovered(page, 'user menu')
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: /^Notifications/ }).click()
      await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
      await expectNothingCovered(page, 'notifications')
      await page.keyboard.press('Escape')
      // "Copied!" changes back to "Copy Code".
      await page.clock.runFor(2_500)
    }
  })

  await test.step('what it announces is in the list of notifications: it goes when the bell is opened', async () => {
    await page.setViewportSize({ width: 360, height: 740 })
    await send(helenPage, amara, 'The harbour at nine')
    const announced = toast(page, 'New message')
    await expect(announced).toBeVisible()
    await page.getByRole('button', { name: /^Notifications/ }).click()
    await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
    await expect(announced).toHaveCount(0)
    await page.keyboard.press('Escape')
  })

  await test.step('it covers no heading of a member’s page', async () => {
    await moveTo(page, '/privacy-security')
    await expect(page.getByRole('switch', { name: 'Read receipts' })).toBeEnabled()
    for (const size of windows) {
      await page.setViewportSize(size)
      await page.getByRole('switch', { name: 'Read receipts' }).click()
      await expect(toast(page, 'Setting updated')).toBeVisible()
      await expectNothingCovered(page, 'privacy')
      await page.clock.runFor(6_000)
    }
  })
})

test('a toast after signing in covers no connection on a phone', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.setViewportSize({ width: 360, height: 740 })
  await signIn(page, amara)
  const row = page.getByRole('button', { name: /^Helen Whitford/ })
  await expect(row).toBeVisible()
  await expect(toast(page, 'Login successful!')).toBeVisible()
  // Playwright clicks an element's middle, and refuses if another element is there.
  await row.click({ trial: true, timeout: 1_000 })
  await expectNothingCovered(page, 'dashboard')
})

test('on touch the line of a toast’s time lies at its lower edge', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser(phone)
  await enterAs(page, amara)
  await openConversation(page, helen)
  await page.getByRole('button', { name: 'Video call and voice call' }).tap()
  const distances = await page.locator('.toast').evaluate((shown) => {
    const [toast, line] = [shown, shown.querySelector('.toast-life')].map((each) => each?.getBoundingClientRect())
    return toast && line && [line.left - toast.left, toast.right - line.right, toast.bottom - line.bottom]
  })
  // The border of the toast is 1 px wide.
  expect(distances?.map(Math.round)).toEqual([1, 1, 1])
})
