import type { Page } from '@playwright/test'
import { refusal, seeDashboard, toast } from '../../support/members/account.ts'
import { expectNothingFound, standard } from '../../support/screens/axe.ts'
import { connectionRow, openConversation, ownCode, sees, send } from '../../support/members/conversation.ts'
import { requestAccess, upload } from '../../support/files/files.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen, type Person } from '../../support/members/people.ts'
import { test as unconnected } from '../../support/servers/unconnected.ts'

const open = (page: Page) => moveTo(page, '/connection-management')
const rows = (page: Page) => page.getByRole('list', { name: 'Connections' }).getByRole('listitem')
const row = (page: Page, person: Person) => rows(page).filter({ hasText: fullName(person) })
const figure = (page: Page, label: string) =>
  page
    .getByRole('region', { name: 'Statistics' })
    .locator('dl > div')
    .filter({ has: page.getByText(label, { exact: true }) })
    .getByRole('definition')

async function choose(page: Page, person: Person, item: string): Promise<void> {
  await row(page, person)
    .getByRole('button', { name: `More about ${fullName(person)}` })
    .click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Enters a code in the form of this page. */
async function enter(page: Page, code: string): Promise<void> {
  await page.getByLabel('Connect to Someone').fill(code)
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
}

test('with a connection: the menu, the statistics, a new code, blocking, searching and removing', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  test.slow()
  expectComplaint(/40[49] \(.*\) .*\/api\/connections$/)
  let before = ''

  await test.step('the page is reached by the menu, and from it a conversation', async () => {
    await amaraPage.getByRole('button', { name: /^User menu/ }).click()
    await amaraPage.getByRole('menuitem', { name: 'Connection Management' }).click()
    await expect(amaraPage.getByRole('heading', { name: 'Connection Management' })).toBeVisible()
    await amaraPage.getByRole('button', { name: 'Open the conversation with Helen Whitford' }).click()
    await expect(amaraPage.getByRole('heading', { name: fullName(helen) })).toBeVisible()
  })

  await test.step('the statistics are real numbers and follow what happens', async () => {
    await send(amaraPage, helen, 'One')
    await sees(helenPage, amara, 'One')
    await upload(amaraPage, { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') })
    await requestAccess(helenPage, amara, 'a.txt')
    await amaraPage.getByRole('button', { name: 'Info' }).click()
    await amaraPage.getByRole('button', { name: 'Mark as verified' }).click()
    await expect(toast(amaraPage, 'Helen is verified')).toBeVisible()
    await open(amaraPage)
    await expect(figure(amaraPage, 'Connections')).toHaveText('1')
    await expect(figure(amaraPage, 'Verified')).toHaveText('1')
    await expect(figure(amaraPage, 'Unread messages')).toHaveText('0')
    await expect(figure(amaraPage, 'File requests waiting for you')).toHaveText('1')
    await expect(figure(amaraPage, 'Messages sent, last 24 hours')).toHaveText('2')
    await expect(figure(amaraPage, 'Messages received, last 24 hours')).toHaveText('0')
    await expect(row(amaraPage, helen)).toContainText('Verified')
    await send(helenPage, amara, 'Two')
    await expect(figure(amaraPage, 'Messages received, last 24 hours')).toHaveText('1')
    await expect(figure(amaraPage, 'Unread messages')).toHaveText('1')
    await moveTo(amaraPage, '/')
    await seeDashboard(amaraPage)
    await openConversation(amaraPage, helen)
  })

  await test.step('a new code is asked for first, and connections stay', async () => {
    await open(amaraPage)
    before = await ownCode(amaraPage)
    await amaraPage.getByRole('button', { name: 'Copy Code' }).click()
    await expect(toast(amaraPage, 'Connection code copied to clipboard')).toBeVisible()
    expect(await amaraPage.evaluate(() => navigator.clipboard.readText())).toBe(before)
    await amaraPage.getByRole('button', { name: 'Generate new code' }).click()
    const confirm = amaraPage.getByRole('alertdialog', { name: 'Generate a new connection code?' })
    await expect(confirm).toContainText(`${before} stops working at once`)
    await confirm.getByRole('button', { name: 'Generate new code' }).click()
    await expect(toast(amaraPage, 'New connection code generated!')).toBeVisible()
    const after = await ownCode(amaraPage)
    expect(after).not.toBe(before)
    await amaraPage.reload()
    await expect(row(amaraPage, helen)).toBeVisible()
    expect(await ownCode(amaraPage)).toBe(after)
    await expect(connectionRow(helenPage, amara)).toBeVisible()
  })

  await test.step('blocking: gone for both, no way back by code, nothing that says why, until unblocked', async () => {
    const code = await ownCode(amaraPage)
    const helensCode = await ownCode(helenPage)
    await open(amaraPage)
    await choose(amaraPage, helen, 'Block')
    const confirm = amaraPage.getByRole('alertdialog', { name: 'Block Helen Whitford?' })
    await expect(confirm).toContainText(
      'Helen is notified that the connection was removed, but not that you blocked them',
    )
    await confirm.getByRole('button', { name: 'Block' }).click()
    await expect(toast(amaraPage, 'Helen Whitford is blocked')).toBeVisible()
    await expect(toast(helenPage, 'Your connection with Amara Osei was removed')).toBeVisible()
    await expect(helenPage.getByText('No connections yet')).toBeVisible()
    await enter(helenPage, code)
    await expect(refusal(helenPage, 'No one has that code. Check it with the other person.')).toBeVisible()

    await amaraPage.reload()
    const blocked = amaraPage.getByRole('region', { name: 'Blocked people' })
    await expect(blocked.getByRole('listitem')).toContainText('Helen Whitford')
    await expect(amaraPage.getByText('No connections yet')).toBeVisible()
    await enter(amaraPage, helensCode)
    await expect(refusal(amaraPage, 'You have blocked this person.')).toBeVisible()
    await blocked.getByRole('button', { name: 'Unblock Helen Whitford' }).press('Enter')
    await expect(toast(amaraPage, 'Helen Whitford is unblocked')).toBeVisible()
    await expect(blocked.getByText('You have not blocked anyone')).toBeVisible()
    await expect(blocked.getByRole('heading', { name: 'Blocked people' })).toBeFocused()
    await amaraPage.reload()
    await expect(blocked.getByText('You have not blocked anyone')).toBeVisible()
    await enter(helenPage, code)
    await expect(toast(helenPage, 'Connection established successfully!')).toBeVisible()
    await expect(row(amaraPage, helen)).toBeVisible()
  })

  await test.step('searching by names and email, in any case', async () => {
    await open(amaraPage)
    const search = amaraPage.getByRole('searchbox', { name: 'Search connections' })
    for (const text of ['HELEN', 'whit', 'Helen.Whitford@Example', 'helen whitford', ' whitford ']) {
      await search.fill(text)
      await expect(row(amaraPage, helen), text).toBeVisible()
    }
    await search.fill('nobody')
    await expect(amaraPage.getByRole('heading', { name: 'No connection matches “nobody”' })).toBeVisible()
    await expect(rows(amaraPage)).toHaveCount(0)
    await search.fill('')
  })

  await test.step('a removal that fails says so and keeps the connection', async () => {
    expectComplaint(/500/)
    await open(amaraPage)
    await amaraPage.route('**/api/connections/*', (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 500 }) : route.fallback(),
    )
    await choose(amaraPage, helen, 'Remove connection')
    await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Remove connection' }).click()
    await expect(toast(amaraPage, 'Error')).toBeVisible()
    await expect(toast(amaraPage, 'Failed to remove connection')).toBeVisible()
    await expect(row(amaraPage, helen)).toBeVisible()
    await amaraPage.unroute('**/api/connections/*')
  })

  await test.step('removing asks first, is for both, and lasts', async () => {
    await open(amaraPage)
    await choose(amaraPage, helen, 'Remove connection')
    const confirm = amaraPage.getByRole('alertdialog', { name: 'Remove your connection with Helen Whitford?' })
    await confirm.getByRole('button', { name: 'Cancel' }).click()
    await expect(row(amaraPage, helen)).toBeVisible()
    await choose(amaraPage, helen, 'Remove connection')
    await confirm.getByRole('button', { name: 'Remove connection' }).click()
    await expect(toast(amaraPage, 'Connection has been successfully removed.')).toBeVisible()
    await expect(amaraPage.getByText('No connections yet')).toBeVisible()
    await expect(toast(helenPage, 'Your connection with Amara Osei was removed')).toBeVisible()
    await amaraPage.reload()
    await expect(amaraPage.getByText('No connections yet')).toBeVisible()
    await expect(helenPage.getByText('No connections yet')).toBeVisible()
  })

  await test.step('the old code has stopped working, the new one has not', async () => {
    const after = await ownCode(amaraPage)
    await enter(helenPage, before)
    await expect(refusal(helenPage, 'No one has that code.')).toBeVisible()
    await enter(helenPage, after)
    await expect(toast(helenPage, 'Connection established successfully!')).toBeVisible()
    await expect(row(amaraPage, helen)).toBeVisible()
  })
})

unconnected(
  'a code stays as it was typed, is sent trimmed, and its refusals are said',
  async ({ openBrowser, expectComplaint, enterAs }) => {
    expectComplaint(/40[049] \(.*\) .*\/api\/connections$/)
    const [page, helenPage] = [await openBrowser(), await openBrowser()]
    await Promise.all([enterAs(page, amara), enterAs(helenPage, helen)])
    const code = await ownCode(helenPage)
    const expectAccessible = (screen: string) => expectNothingFound(page, standard, screen)
    await open(page)
    await expect(page.getByText('No connections yet')).toBeVisible()
    const field = page.getByLabel('Connect to Someone')
    await enter(page, 'abc')
    await expect(field).toHaveAccessibleDescription(/^A code has 3 letters, 3 letters and 3 digits/)
    await expect(field).toHaveValue('abc')
    await expectAccessible('empty, with a code that is none')
    await enter(page, 'abc-def-234')
    await expect(refusal(page, 'Connection failed')).toBeVisible()
    await expect(refusal(page, 'No one has that code.')).toBeVisible()
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await field.fill(`  ${code.toLowerCase()}  `)
    await expect(field).toHaveValue(`  ${code.toLowerCase()}  `)
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    expect((await sent).postDataJSON()).toEqual({ connectionCode: code.toLowerCase() })
    await expect(toast(page, 'Connection created')).toBeVisible()
    await expect(toast(page, 'Successfully connected with the user!')).toBeVisible()
    await expect(row(page, helen)).toContainText('Active')
    await enter(page, code)
    await expect(refusal(page, 'You are already connected with this person.')).toBeVisible()
    await page.reload()
    await expect(row(page, helen)).toContainText('Not verified')
    await expectAccessible('with a connection')
    await page.setViewportSize({ width: 360, height: 740 })
    const overflow = () =>
      page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    expect(await overflow()).toBe(0)
    await choose(page, helen, 'Remove connection')
    await expectAccessible('asked before removing')
    expect(await overflow()).toBe(0)
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove and block' }).click()
    await expect(page.getByRole('button', { name: 'Unblock Helen Whitford' })).toBeVisible()
    await expectAccessible('with a blocked person')
    expect(await overflow()).toBe(0)
  },
)
