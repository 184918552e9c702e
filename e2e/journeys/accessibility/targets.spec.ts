import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { openConversation, sees, send } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { memberPages } from '../../support/members/pages.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { smallTargets } from '../../support/screens/targets.ts'
import { phone } from '../../support/screens/touch.ts'

const pages = [...memberPages, '/terms', '/nowhere']

const expectTargets = async (page: Page, screen: string) => expect.soft(await smallTargets(page), screen).toEqual([])

test('every target on a visitor’s screens measures 44 px on a phone', async ({ openBrowser }) => {
  const page = await openBrowser(phone)
  for (const path of ['/', '/auth', '/terms']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectTargets(page, path)
  }
  await page.goto('/auth')
  await page.getByRole('button', { name: 'Create an account' }).tap()
  await expectTargets(page, 'sign-up')
  await page.goto('/auth')
  await page.getByRole('button', { name: /Forgot/ }).tap()
  await expectTargets(page, 'recovery')
})

test('every target of a conversation measures 44 px on a tablet', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser({ ...phone, viewport: { width: 768, height: 1024 } })
  await enterAs(page, amara)
  await openConversation(page, helen)
  await expect(page.getByRole('button', { name: 'Not verified' })).toBeVisible()
  await page.getByRole('button', { name: 'Voice call' }).tap()
  await expect(toast(page, 'calls are not available yet')).toBeVisible()
  await expectTargets(page, 'conversation')

  await page.getByRole('button', { name: 'Find in conversation' }).tap()
  await page.getByRole('searchbox').fill('a')
  await page.getByRole('button', { name: 'Close search' }).tap()
  await expect(page.getByRole('button', { name: 'Find in conversation' })).toBeFocused()
  // A tooltip would stay over the header until the next touch.
  await expect(page.getByRole('tooltip')).toHaveCount(0)
})

test('every target of a member’s menus, conversation and pages measures 44 px on a phone', async ({
  openBrowser,
  enterAs,
  helenPage,
}) => {
  const page = await openBrowser(phone)
  await enterAs(page, amara)
  await expectTargets(page, 'list')
  await page.getByRole('button', { name: /^User menu/ }).tap()
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible()
  await expectTargets(page, 'user menu')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).tap()
  await expectTargets(page, 'notifications')
  await page.keyboard.press('Escape')
  await openConversation(page, helen)
  await send(helenPage, amara, 'The witness comes on Friday')
  await sees(page, helen, 'The witness comes on Friday')
  await send(page, helen, 'Thank you')
  await expectTargets(page, 'conversation')
  await page.getByRole('button', { name: 'Message options' }).first().focus()
  await page.keyboard.press('Enter')
  await expectTargets(page, 'menu of a message')
  await page.getByRole('menuitem', { name: 'Report message' }).tap()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectTargets(page, 'report')
  await page.keyboard.press('Escape')
  await page.locator('#chat-info').tap()
  await expect(page.getByRole('list', { name: 'Safety number' })).toBeVisible()
  await expectTargets(page, 'safety number')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  for (const path of pages) {
    await moveTo(page, path)
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible()
    await expectTargets(page, path)
  }
})
