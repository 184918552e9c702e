import type { Locator, Page } from '@playwright/test'
import { findFaults, standard } from '../../support/screens/axe.ts'
import { expectAccessibleOnPhone as expectAccessible } from '../../support/screens/accessibility.ts'
import { readRecoveryKey, seeDashboard, toast } from '../../support/members/account.ts'
import { composer, connect, connectionRow, conversation, ownCode, sees } from '../../support/members/conversation.ts'
import { decide, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/test.ts'
import { test as unconnected } from '../../support/servers/unconnected.ts'

test('what is looked for is found: faults that are planted in a page without any', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.setContent('<html lang="en"><title>Planted</title><main><h1>Planted</h1></main></html>')
  expect(await findFaults(page, standard)).toEqual([])
  await page.evaluate(() => {
    const text = document.createElement('p')
    text.textContent = 'Hardly to be read'
    text.style.cssText = 'color: #777; background: #888'
    const target = () => {
      const button = document.createElement('button')
      button.textContent = 'x'
      button.style.cssText = 'inline-size: 5px; block-size: 5px; padding: 0'
      return button
    }
    document.querySelector('main')?.append(new Image(), text, target(), target())
  })
  const found = (await findFaults(page, standard)).map((fault) => fault.split(':')[0])
  expect(found.toSorted()).toEqual(['color-contrast', 'image-alt', 'target-size'])
})

test('the pages for visitors are accessible', async ({ openBrowser }) => {
  const page = await openBrowser()
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Sign Up Free' })).toBeVisible()
  await expectAccessible(page, 'landing')
  await page.goto('/auth')
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
  await expectAccessible(page, 'sign-in')
  await page.getByRole('button', { name: 'Create an account' }).click()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText('Enter your first name')).toBeVisible()
  await expectAccessible(page, 'sign-up with errors')
})

unconnected('the dashboard and its states are accessible', async ({ openBrowser, enterAs }) => {
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser()]
  await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await expectAccessible(amaraPage, 'empty dashboard')
  await test.step('pairing by code appears at once on both sides', async () => {
    await expect(helenPage.getByText('No connections yet')).toBeVisible()
    await connect(amaraPage, (await ownCode(helenPage)).toLowerCase(), 'dblclick')
    await expect(toast(amaraPage, 'Connection established successfully!')).toBeVisible()
    await expect(connectionRow(amaraPage, helen)).toContainText('Connected')
    await expect(connectionRow(helenPage, amara)).toBeVisible()
    await expect(amaraPage.getByRole('heading', { name: fullName(helen) })).toBeVisible()
    await expect(helenPage.getByText('Select a Connection')).toBeVisible()
    await expect(helenPage.getByRole('banner').getByText('Connected', { exact: true })).toBeVisible()
  })
  await connectionRow(helenPage, amara).click()
  await composer(amaraPage, helen).fill(`Good morning ${'w'.repeat(300)}`)
  await composer(amaraPage, helen).press('Enter')
  await upload(amaraPage, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
  await expect(fileRow(amaraPage, helen, 'notes.txt').getByText('Ready to download')).toBeVisible()
  await requestAccess(helenPage, amara, 'notes.txt')
  await expectAccessible(helenPage, 'conversation with a pending file')
  await amaraPage.getByRole('button', { name: 'Review' }).first().click()
  await expect(amaraPage.getByRole('dialog')).toBeVisible()
  await expectAccessible(amaraPage, 'file authorization requests')
  await amaraPage.keyboard.press('Escape')
  await decide(amaraPage, 'notes.txt', 'Approve')
  await expect(fileRow(helenPage, amara, 'notes.txt').getByText('Download authorized')).toBeVisible()
  await expectAccessible(helenPage, 'authorized file')
  await helenPage.getByRole('button', { name: 'Info' }).click()
  await expect(helenPage.getByRole('list', { name: 'Safety number' })).toBeVisible()
  await expectAccessible(helenPage, 'safety number')
  await helenPage.goto('/nowhere')
  await expect(helenPage.getByRole('heading', { name: 'Page Not Found' })).toBeVisible()
  await expectAccessible(helenPage, '404')
})

/** Presses Tab until the target has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const focused = () => target.evaluate((element) => element === document.activeElement)
  for (let presses = 0; presses < 80; presses++) {
    if (await focused()) return
    await page.keyboard.press('Tab')
  }
  throw new Error('The keyboard does not reach it.')
}

unconnected(
  'a keyboard alone suffices from signing up to downloading an approved file',
  async ({ openBrowser, enterAs }) => {
    const [page, helenPage] = [await openBrowser(), await openBrowser()]
    await enterAs(helenPage, helen)
    const third = { ...amara, firstName: 'Third', username: 'third', email: 'third@example.com' }
    const code = await ownCode(helenPage)

    await page.goto('/')
    await tabTo(page, page.getByRole('link', { name: 'Get Started' }).first())
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
    for (const [label, value] of [
      ['First name', third.firstName],
      ['Last name', third.lastName],
      ['Email', third.email],
      ['Username', third.username],
      ['Password', third.password],
    ] as const) {
      await tabTo(page, page.getByLabel(label, { exact: true }))
      await page.keyboard.type(value)
    }
    await page.keyboard.press('Enter')
    const [, , thirdGroup = ''] = (await readRecoveryKey(page)).split('-')
    await tabTo(page, page.getByRole('button', { name: 'I have saved it' }))
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Group 3 of your account recovery key')).toBeFocused()
    await page.keyboard.type(thirdGroup)
    await tabTo(page, page.getByRole('button', { name: 'Continue' }))
    await page.keyboard.press('Enter')
    await seeDashboard(page)

    await tabTo(page, page.getByLabel('Connect to Someone'))
    await page.keyboard.type(code)
    await page.keyboard.press('Enter')
    await expect(connectionRow(page, helen)).toBeVisible()
    await tabTo(page, connectionRow(page, helen))
    await page.keyboard.press('Enter')
    await expect(conversation(page, helen)).toBeVisible()
    await tabTo(page, composer(page, helen))
    await page.keyboard.type('Without a mouse')
    await page.keyboard.press('Enter')
    await sees(page, helen, 'Without a mouse')
    await connectionRow(helenPage, third).click()
    await sees(helenPage, third, 'Without a mouse')

    // The focused button disappears; the focus moves on to its place.
    await upload(helenPage, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    const file = fileRow(page, helen, 'notes.txt')
    await tabTo(page, file.getByRole('button', { name: 'Request Access' }))
    await page.keyboard.press('Enter')
    await expect(file.getByRole('button', { name: 'Request sent' })).toBeVisible()
    await expect(file.getByRole('group', { name: 'notes.txt' })).toBeFocused()

    const requests = helenPage.getByRole('region', { name: 'File authorization' })
    await tabTo(helenPage, requests.getByRole('button', { name: 'Review' }))
    await helenPage.keyboard.press('Enter')
    await tabTo(helenPage, helenPage.getByRole('dialog').getByRole('button', { name: 'Approve notes.txt' }))
    await helenPage.keyboard.press('Enter')
    await expect(helenPage.getByRole('dialog').getByText('can now download')).toBeVisible()
    await helenPage.keyboard.press('Escape')
    await expect(requests).toBeFocused()

    await tabTo(page, file.getByRole('button', { name: 'Download', exact: true }))
    const downloaded = page.waitForEvent('download')
    await page.keyboard.press('Enter')
    await downloaded
    await expect(file.getByText('2 of 3 downloads left')).toBeVisible()
    await expect(file.getByRole('group', { name: 'notes.txt' })).toBeFocused()
  },
)
