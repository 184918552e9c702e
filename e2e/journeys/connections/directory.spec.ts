import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { flip, tab } from '../../support/members/administration.ts'
import { sees, send } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { expectAccessibleOnPhone } from '../../support/screens/accessibility.ts'
import { smallTargets } from '../../support/screens/targets.ts'
import { phone } from '../../support/screens/touch.ts'
import type { Journey } from '../../support/servers/test.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const directory = (page: Page) => page.getByRole('region', { name: 'Find a colleague' })
const list = (page: Page, name: string) => directory(page).getByRole('list', { name })

async function search(page: Page, name: string): Promise<void> {
  await directory(page).getByLabel('Name of a colleague').fill(name)
  await directory(page).getByLabel('Name of a colleague').press('Enter')
}

/** Amara, an administrator, and Helen with the directory switched on; Helen on a phone. */
async function openDirectory({ openBrowser, enterAs }: Pick<Journey, 'openBrowser' | 'enterAs'>) {
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser(phone)]
  await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await expect(helenPage.getByText('No connections yet')).toBeVisible()
  const link = helenPage.getByRole('link', { name: 'Find a colleague' })
  await expect(link).toHaveCount(0)
  await moveTo(amaraPage, '/admin')
  await tab(amaraPage, 'Organization Overview').click()
  await flip(amaraPage, 'Directory of members', 'on')
  await link.tap()
  await expect(directory(helenPage)).toBeVisible()
  return { amaraPage, helenPage }
}

test('two members find each other by name, connect by a request, and write', async ({ openBrowser, enterAs }) => {
  const { amaraPage, helenPage } = await openDirectory({ openBrowser, enterAs })

  await test.step('a search that finds nobody, one that is too short, and one that finds Amara', async () => {
    await search(helenPage, 'Nobody')
    await expect(directory(helenPage).getByText('No colleague matches “Nobody”')).toBeVisible()
    await search(helenPage, 'o')
    await expect(directory(helenPage).getByLabel('Name of a colleague')).toHaveAccessibleDescription(/at least 2/)
    await search(helenPage, 'ösei')
    await expect(list(helenPage, 'Colleagues found').getByRole('listitem')).toHaveText([/Amara Osei/])
    await expect(directory(helenPage)).not.toContainText(amara.email)
  })

  await test.step('the request is told at once, and its sender sees that it waits', async () => {
    await helenPage.getByRole('button', { name: 'Ask Amara Osei to connect' }).tap()
    await expect(toast(helenPage, 'Request sent to Amara Osei')).toBeVisible()
    await expect(list(helenPage, 'Your requests')).toContainText(fullName(amara))
    await expect(list(helenPage, 'Colleagues found')).toContainText('Asked, no answer yet')
    await expect(toast(amaraPage, 'Helen Whitford asks to connect with you')).toBeVisible()
    await amaraPage.getByRole('button', { name: /^Notifications/ }).click()
    await amaraPage.getByRole('button', { name: /^New. Helen Whitford asks/ }).click()
    await expect(directory(amaraPage).getByRole('heading', { name: 'Find a colleague' })).toBeFocused()
    await expect(list(amaraPage, 'Requests to you')).toContainText(fullName(helen))
  })

  await test.step('the screens are accessible, and their targets measure 44 px', async () => {
    await expectAccessibleOnPhone(amaraPage, 'a request to oneself')
    await expectAccessibleOnPhone(helenPage, 'found colleagues and a sent request')
    // The toast covers what is scrolled under it to be measured.
    await expect(toast(helenPage, 'Request sent to Amara Osei')).toBeHidden()
    expect.soft(await smallTargets(helenPage)).toEqual([])
  })

  await test.step('accepting connects both, and they write', async () => {
    // The list is loaded without the request before the call is answered.
    await amaraPage.route('**/api/connection-requests/*/accept', async (route) => {
      const refreshed = amaraPage.waitForResponse((response) => response.url().endsWith('/api/connection-requests'))
      const response = await route.fetch()
      await refreshed
      await route.fulfill({ response })
    })
    await amaraPage.getByRole('button', { name: 'Accept the request of Helen Whitford' }).press('Enter')
    await expect(toast(amaraPage, 'You are connected with Helen Whitford')).toBeVisible()
    const open = amaraPage.getByRole('button', { name: 'Open the conversation with Helen Whitford' })
    await expect(list(amaraPage, 'Requests to you').getByRole('button')).toHaveCount(1)
    await expect(list(amaraPage, 'Requests to you').locator(open)).toBeFocused()
    await expect(list(helenPage, 'Colleagues found')).toContainText('Connected')
    await expect(list(helenPage, 'Your requests')).toHaveCount(0)
    await amaraPage.keyboard.press('Enter')
    await send(amaraPage, helen, 'Found you')
    await list(helenPage, 'Colleagues found')
      .getByRole('button', { name: /^Open the conversation/ })
      .tap()
    await sees(helenPage, amara, 'Found you')
  })
})

test('a member blocks a colleague from the request, and its sender sees no difference', async ({
  openBrowser,
  enterAs,
}) => {
  const { amaraPage, helenPage } = await openDirectory({ openBrowser, enterAs })
  await moveTo(amaraPage, '/connection-management')
  await search(amaraPage, 'Helen')
  await amaraPage.getByRole('button', { name: 'Ask Helen Whitford to connect' }).click()
  await helenPage.getByRole('button', { name: 'Block Amara Osei' }).press('Enter')
  const question = helenPage.getByRole('alertdialog', { name: 'Block Amara Osei?' })
  await expectAccessibleOnPhone(helenPage, 'the question before blocking')
  await question.getByRole('button', { name: 'Block' }).press('Enter')
  await expect(toast(helenPage, 'Amara Osei is blocked')).toBeVisible()
  await expect(list(helenPage, 'Requests to you')).toHaveCount(0)
  await expect(directory(helenPage).getByRole('heading', { name: 'Find a colleague' })).toBeFocused()
  await expect(helenPage.getByRole('list', { name: 'Blocked people' })).toContainText(fullName(amara))
  await expect(list(amaraPage, 'Your requests')).toContainText(fullName(helen))
})

test('the directory says that it searches, that a search failed, and why requests are missing', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  const { helenPage } = await openDirectory({ openBrowser, enterAs })
  expectComplaint(/500 \(Internal Server Error\)|CallError: 500/)
  const fail = { status: 500, json: { code: 'INTERNAL', message: 'failed' } }
  const answers = Promise.withResolvers<void>()
  await helenPage.route('**/api/directory?*', async (route) => {
    await answers.promise
    await route.fulfill(fail)
  })
  await search(helenPage, 'Amara')
  await expect(directory(helenPage).getByRole('button', { name: 'Searching...' })).toHaveAttribute('aria-busy', 'true')
  answers.resolve()
  const alert = directory(helenPage).getByRole('alert')
  await expect(alert).toContainText('The search did not work.')
  await expectAccessibleOnPhone(helenPage, 'a search that failed')
  await helenPage.unroute('**/api/directory?*')
  await alert.getByRole('button', { name: 'Try again' }).tap()
  await expect(list(helenPage, 'Colleagues found')).toContainText(fullName(amara))
  await expect(alert).toHaveCount(0)

  await helenPage.route('**/api/connection-requests', (route) => route.fulfill(fail))
  await moveTo(helenPage, '/about')
  await moveTo(helenPage, '/connection-management')
  await expect(directory(helenPage).getByText('Requests could not be loaded.')).toBeVisible()
  await helenPage.unroute('**/api/connection-requests')
  await directory(helenPage).getByRole('button', { name: 'Try again' }).tap()
  await expect(directory(helenPage).getByText('Requests could not be loaded.')).toHaveCount(0)
})

test('a declined request looks unanswered to its sender, who can withdraw it', async ({ openBrowser, enterAs }) => {
  const { amaraPage, helenPage } = await openDirectory({ openBrowser, enterAs })
  await search(helenPage, 'Amara')
  await helenPage.getByRole('button', { name: 'Ask Amara Osei to connect' }).tap()
  await moveTo(amaraPage, '/connection-management')
  await amaraPage.getByRole('button', { name: 'Decline the request of Helen Whitford' }).press('Enter')
  await expect(toast(amaraPage, 'Request declined')).toBeVisible()
  await expect(list(amaraPage, 'Requests to you')).toHaveCount(0)
  await expect(directory(amaraPage).getByRole('heading', { name: 'Find a colleague' })).toBeFocused()
  await expect(list(helenPage, 'Your requests')).toContainText(fullName(amara))
  await helenPage.getByRole('button', { name: 'Withdraw your request to Amara Osei' }).tap()
  await expect(toast(helenPage, 'Request withdrawn')).toBeVisible()
  await expect(list(helenPage, 'Your requests')).toHaveCount(0)
  await expect(helenPage.getByRole('button', { name: 'Ask Amara Osei to connect' })).toBeVisible()
})
