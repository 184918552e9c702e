import type { Locator, Page } from '@playwright/test'
import { tab } from '../support/administration.ts'
import { conversation, send } from '../support/conversation.ts'
import { requestAccess, upload } from '../support/files.ts'
import { moveTo } from '../support/moving.ts'
import { openList } from '../support/notifications.ts'
import { expect, test } from '../support/pair.ts'
import { amara, fullName, helen } from '../support/people.ts'
import { expectReflow, zoomed } from '../support/reflow.ts'
import { beginApp, codeFor, openSection } from '../support/secondFactor.ts'

const dialog = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog'))
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()

/** All that can be pressed in it or typed into is within the width, and can be reached by scrolling up and down. */
async function expectWithin(page: Page, opened: Locator, what: string): Promise<void> {
  await expect(opened).toBeVisible()
  await expectReflow(page, what)
  for (const control of await opened.locator('button, input, textarea, select, a, [role^=menuitem]').all()) {
    if (!(await control.isVisible())) continue
    await control.scrollIntoViewIfNeeded()
    await expect.soft(control, what).toBeInViewport({ ratio: 0.9 })
    const { x = -1, width = 0 } = (await control.boundingBox()) ?? {}
    expect.soft(x, what).toBeGreaterThanOrEqual(0)
    expect.soft(x + width, what).toBeLessThanOrEqual(zoomed.width)
  }
}

async function check(page: Page, what: string, open: () => Promise<unknown>): Promise<void> {
  await open()
  await expectWithin(page, dialog(page), what)
  await page.keyboard.press('Escape')
  await expect(dialog(page)).toHaveCount(0)
}

test('at 400 % every menu and dialog of a member fits the width, and all of it can be reached', async ({
  pair: { amaraPage: page, helenPage },
}) => {
  test.slow()
  await send(helenPage, amara, 'Good morning')
  await upload(page, { name: 'a very long name of minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
  await requestAccess(helenPage, amara, 'a very long name of minutes.txt')
  await page.setViewportSize(zoomed)

  await test.step('the conversation', async () => {
    await conversation(page, helen).getByText('Good morning').click()
    await check(page, 'report', () => press(page, 'Report message'))
    await press(page, 'Upload options')
    await expectWithin(page, page.getByRole('menu'), 'upload options')
    await page.keyboard.press('Escape')
    await press(page, 'Info')
    await check(page, 'safety number', () => expect(page.getByRole('list', { name: 'Safety number' })).toBeVisible())
    await press(page, 'Back to connections')
    await check(page, 'requests', () => press(page, 'Review'))
    await press(page, /^User menu/)
    await expectWithin(page, page.getByRole('menu'), 'user menu')
    await page.keyboard.press('Escape')
    await check(page, 'notifications', () => openList(page))
  })

  await test.step('connections', async () => {
    await moveTo(page, '/connection-management')
    await check(page, 'new code', () => press(page, 'Generate New Code'))
    for (const item of ['Remove connection', 'Block']) {
      await press(page, `More about ${fullName(helen)}`)
      await expectWithin(page, page.getByRole('menu'), 'menu of a connection')
      await check(page, item, () => page.getByRole('menuitem', { name: item }).click())
    }
  })

  await test.step('the account', async () => {
    await moveTo(page, '/account-settings')
    await check(page, 'deletion', () => press(page, 'Delete Account'))
    await press(page, 'New Key')
    await expectWithin(page, dialog(page), 'password for a new key')
    await dialog(page).getByLabel('Password', { exact: true }).fill(amara.password)
    await dialog(page).getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('list', { name: 'Recovery key' })).toBeVisible()
    await check(page, 'recovery key', () => expect(page.getByLabel('I have saved it')).toBeVisible())
  })

  await test.step('privacy, and the second factor', async () => {
    await moveTo(page, '/privacy-security')
    await check(page, 'data downloads', () => page.getByRole('switch', { name: 'Data downloads' }).click())
    await openSection(page)
    const key = await beginApp(page, amara)
    await expectWithin(page, dialog(page), 'QR code')
    await dialog(page).getByLabel('Code from your authenticator app').fill(codeFor(key))
    await dialog(page).getByRole('button', { name: 'Switch on' }).click()
    await expect(page.getByRole('list', { name: 'Recovery codes' })).toBeVisible()
    await expectWithin(page, dialog(page), 'recovery codes')
  })
})

test('at 400 % every dialog of an administrator fits the width, and all of it can be reached', async ({
  amaraPage: page,
}) => {
  test.slow()
  await moveTo(page, '/admin')
  await page.setViewportSize(zoomed)
  const row = page.getByRole('row', { name: fullName(helen) })

  await test.step('users', async () => {
    await check(page, 'role', () => row.getByRole('combobox').selectOption('Admin'))
    for (const change of ['Deactivate', 'Delete'])
      await check(page, change, () => press(page, `${change} ${fullName(helen)}`))
  })

  await test.step('the audit log', async () => {
    await tab(page, 'Audit Logs').click()
    await page.getByRole('combobox', { name: 'Person' }).fill(helen.firstName)
    const found = page.getByRole('option', { name: fullName(helen) })
    await expect(found).toBeVisible()
    await found.scrollIntoViewIfNeeded()
    await expect(found).toBeInViewport({ ratio: 0.9 })
    await expectReflow(page, 'people found')
    await page.keyboard.press('Escape')
    await press(page, 'Export')
    await expectWithin(page, page.getByRole('menu'), 'forms of the export')
    await page.keyboard.press('Escape')
  })

  await test.step('the organization', async () => {
    await tab(page, 'Organization Overview').click()
    await check(page, 'name and type', () => press(page, 'Edit name and type'))
    await check(page, 'two-factor', () => page.getByRole('switch', { name: 'Require two-factor sign-in' }).click())
    await page.getByLabel('Domain to allow').fill('elsewhere.example')
    await check(page, 'domain', () => press(page, 'Add'))
    await check(page, 'invitation', () => press(page, 'Create invitation'))
    await check(page, 'revoking', () => press(page, /^Revoke the invitation/))
  })
})
