import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { fillSignIn, seeDashboard, toast } from '../../support/members/account.ts'
import { connectionRow, conversation, openConversation, sees, send } from '../../support/members/conversation.ts'
import { requestAccess, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { unzip } from '../../support/files/zip.ts'

/** Opens the page from the user menu, without reloading the application. */
async function openPrivacy(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^User menu/ }).click()
  await page.getByRole('menuitem', { name: 'Privacy & Security' }).click()
  await expect(page.getByRole('heading', { name: 'Privacy & Security' })).toBeVisible()
}

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

const setting = (page: Page, name: string) => page.getByRole('switch', { name })

async function turn(page: Page, name: string, on: boolean): Promise<void> {
  await setting(page, name).click()
  await expect(setting(page, name)).toBeChecked({ checked: on })
  await expect(toast(page, 'Setting updated')).toBeVisible()
}

async function backTo(page: Page, other: typeof helen): Promise<void> {
  await page.getByRole('link', { name: 'Privity' }).click()
  await openConversation(page, other)
}

const mark = (page: Page, other: typeof helen, word: 'Read' | 'Delivered' | 'Delivered, confirmed') =>
  conversation(page, other).getByText(word, { exact: true })

test('receipts, online status and profile switched off by one are withheld from both', async ({
  pair: { amaraPage, helenPage },
}) => {
  await test.step('read receipts switched off by one are withheld from both, and not made up for later', async () => {
    await send(amaraPage, helen, 'First')
    await sees(helenPage, amara, 'First')
    await expect(mark(amaraPage, helen, 'Read')).toBeVisible()

    await openPrivacy(helenPage)
    await turn(helenPage, 'Read receipts', false)
    await expect(mark(amaraPage, helen, 'Delivered')).toBeVisible()
    await expect(mark(amaraPage, helen, 'Read')).toBeHidden()

    await helenPage.reload()
    await expect(setting(helenPage, 'Read receipts')).not.toBeChecked()
    await backTo(helenPage, amara)
    await send(amaraPage, helen, 'Second')
    await sees(helenPage, amara, 'Second')
    await send(helenPage, amara, 'Third')
    await sees(amaraPage, helen, 'Third')
    await expect(mark(helenPage, amara, 'Delivered')).toBeVisible()
    await expect(mark(helenPage, amara, 'Read')).toBeHidden()

    await openPrivacy(helenPage)
    await turn(helenPage, 'Read receipts', true)
    await amaraPage.reload()
    await openConversation(amaraPage, helen)
    await expect(mark(amaraPage, helen, 'Delivered, confirmed').last()).toBeVisible()
    await backTo(helenPage, amara)
    await send(amaraPage, helen, 'Fourth')
    await sees(helenPage, amara, 'Fourth')
    await expect(mark(amaraPage, helen, 'Read').last()).toBeVisible()
  })

  await test.step('online status switched off by one is withheld from both at once', async () => {
    const online = (page: Page) => page.getByText('Online', { exact: true })
    await expect(online(amaraPage)).toBeVisible()
    await expect(online(helenPage)).toBeVisible()
    await openPrivacy(helenPage)
    await turn(helenPage, 'Online status', false)
    await expect(online(amaraPage)).toBeHidden()
    await helenPage.reload()
    await expect(setting(helenPage, 'Online status')).not.toBeChecked()
    await backTo(helenPage, amara)
    await expect(online(helenPage)).toBeHidden()
    await openPrivacy(helenPage)
    await turn(helenPage, 'Online status', true)
    await expect(online(amaraPage)).toBeVisible()
  })

  await test.step('profile visibility switched off leaves the name, also in what is open already', async () => {
    await backTo(helenPage, amara)
    await upload(amaraPage, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') })
    await requestAccess(helenPage, amara, 'notes.txt')
    await amaraPage.getByRole('region', { name: 'File authorization' }).getByRole('button', { name: 'Review' }).click()
    const request = amaraPage.getByRole('dialog').getByRole('article')
    await expect(request).toContainText(helen.email)
    await openPrivacy(helenPage)
    await turn(helenPage, 'Profile visibility', false)
    await expect(request).not.toContainText(helen.email)
    await expect(request).toContainText(fullName(helen))
    await amaraPage.reload()
    await expect(connectionRow(amaraPage, helen)).toBeVisible()
    const answer = await amaraPage.request.get('/api/connections')
    expect(await answer.text()).not.toContain(helen.email)
  })
})

test('the page says what is secure, leads to what changes it, and exports after the password', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
  openBrowser,
}) => {
  await test.step('the page is accessible', async () => {
    await openPrivacy(amaraPage)
    await expect(amaraPage.getByRole('list', { name: 'Security status' })).toBeVisible()
    await expectAccessible(amaraPage, 'Privacy & Security')
    await setting(amaraPage, 'Data downloads').click()
    await expect(amaraPage.getByRole('dialog')).toBeVisible()
    await expectAccessible(amaraPage, 'asking for the password')
    await amaraPage.keyboard.press('Escape')
    await amaraPage.setViewportSize({ width: 360, height: 740 })
    await expect(amaraPage.getByRole('dialog')).toBeHidden()
    expect(await overflow(amaraPage)).toBe(0)
    await expectAccessible(amaraPage, 'Privacy & Security at 360 pixels')
    await amaraPage.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step('message encryption is on and cannot be changed', async () => {
    await openPrivacy(amaraPage)
    await expect(setting(amaraPage, 'Message encryption')).toBeChecked()
    await expect(setting(amaraPage, 'Message encryption')).toBeDisabled()
  })

  await test.step('a switch that the server refuses goes back, and says so', async () => {
    expectComplaint(/503 \(Service Unavailable\) .*\/api\/preferences$/)
    await openPrivacy(amaraPage)
    await amaraPage.route('/api/preferences', (route) =>
      route.request().method() === 'PATCH' ? route.fulfill({ status: 503, body: '' }) : route.continue(),
    )
    await setting(amaraPage, 'Login notifications').click()
    await expect(toast(amaraPage, 'Setting not updated')).toBeVisible()
    await expect(setting(amaraPage, 'Login notifications')).toBeChecked()
    await amaraPage.unroute('/api/preferences')
  })

  await test.step('the security status leads to what changes it, and follows', async () => {
    await openPrivacy(amaraPage)
    const status = amaraPage.getByRole('list', { name: 'Security status' })
    const item = (name: string) => status.getByRole('listitem').filter({ hasText: name })
    await expect(item('Signed-in browsers')).toContainText('Only this browser is signed in.')
    await expect(item('Session timeout')).toContainText('Good')
    await item('Two-factor authentication').getByRole('link', { name: 'Set up' }).click()
    await expect(setting(amaraPage, 'Two-factor authentication')).toBeInViewport()
    await turn(amaraPage, 'Session timeout', false)
    await expect(item('Session timeout')).toContainText('Needs attention')
    await item('Session timeout').getByRole('link', { name: 'Go to the setting' }).click()
    await expect(setting(amaraPage, 'Session timeout')).toBeInViewport()

    const other = await openBrowser()
    await fillSignIn(other, amara)
    await seeDashboard(other)
    await expect(item('Signed-in browsers')).toContainText('1 other session')
    await item('Signed-in browsers').getByRole('link', { name: 'Manage sessions' }).click()
    await expect(amaraPage.getByRole('heading', { name: 'Account Settings' })).toBeVisible()
  })

  await test.step('data are exported only after the password, and the ZIP holds them', async () => {
    expectComplaint(/403 \(Forbidden\) .*\/api\/account\/data-downloads$/)
    await backTo(amaraPage, helen)
    await send(amaraPage, helen, 'The hearing is at 9')
    await sees(helenPage, amara, 'The hearing is at 9')
    await send(helenPage, amara, 'I shall be there')
    await sees(amaraPage, helen, 'I shall be there')
    await openPrivacy(amaraPage)
    const button = amaraPage.getByRole('button', { name: 'Export data' })
    await expect(button).toBeDisabled()

    await setting(amaraPage, 'Data downloads').click()
    await expect(amaraPage.getByRole('switch', { name: 'Data downloads', includeHidden: true })).not.toBeChecked()
    const dialog = amaraPage.getByRole('dialog', { name: 'Switch on data downloads' })
    const password = dialog.getByLabel('Password', { exact: true })
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await expect(password).toHaveAccessibleDescription('Enter your password')
    await password.fill('not this one')
    await dialog.getByRole('button', { name: 'Switch on' }).click()
    await expect(password).toHaveAccessibleDescription('Incorrect password.')
    await expect(password).toHaveValue('not this one')
    await password.fill(amara.password)
    await password.press('Enter')
    await expect(toast(amaraPage, 'Setting updated')).toBeVisible()
    await expect(dialog).toBeHidden()

    await amaraPage.reload()
    await expect(setting(amaraPage, 'Data downloads')).toBeChecked()
    const download = amaraPage.waitForEvent('download')
    await button.click()
    const file = await download
    await expect(toast(amaraPage, 'Data export requested')).toBeVisible()
    expect(file.suggestedFilename()).toMatch(/^privity-export-amara\.osei-\d{4}-\d\d-\d\d\.zip$/)
    await expect(amaraPage.getByText(/^Saved as privity-export-.*: 1 conversation, 2 messages\.$/)).toBeVisible()

    const files = unzip(await readFile(await file.path()))
    const names = [...files.keys()]
    expect(names).toEqual(expect.arrayContaining(['README.txt', 'profile.json', 'connections.json', 'files.json']))
    expect(files.get('README.txt')).toContain('1 conversation, 2 messages')
    const messages = files.get(names.find((name) => name.endsWith('/messages.json')) ?? '') ?? ''
    expect((JSON.parse(messages) as { text: string }[]).map(({ text }) => text)).toEqual([
      'The hearing is at 9',
      'I shall be there',
    ])
    const page = files.get(names.find((name) => name.endsWith('/messages.html')) ?? '') ?? ''
    expect(page).toContain('I shall be there')

    await turn(amaraPage, 'Data downloads', false)
    await expect(button).toBeDisabled()
    const refused = await amaraPage.request.post('/api/account/exports', {
      headers: { origin: new URL(amaraPage.url()).origin },
    })
    expect(refused.status()).toBe(403)
  })

  await test.step('an export can be cancelled', async () => {
    await openPrivacy(amaraPage)
    await setting(amaraPage, 'Data downloads').click()
    await amaraPage.getByRole('dialog').getByLabel('Password', { exact: true }).fill(amara.password)
    await amaraPage.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click()
    await expect(setting(amaraPage, 'Data downloads')).toBeChecked()
    await amaraPage.route(/\/api\/connections\/.*\/messages/, () => {})
    await amaraPage.getByRole('button', { name: 'Export data' }).click()
    await expect(amaraPage.getByRole('progressbar', { name: 'Data export' })).toBeVisible()
    await amaraPage.getByRole('button', { name: 'Cancel' }).click()
    await amaraPage.unroute(/\/api\/connections\/.*\/messages/)
    await expect(amaraPage.getByText('Cancelled. Nothing was saved.')).toBeVisible()
  })
})
