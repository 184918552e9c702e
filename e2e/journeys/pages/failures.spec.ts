import type { Page } from '@playwright/test'
import { fillSignIn, fillSignUp, openSignUp, refusal } from '../../support/members/account.ts'
import { tab } from '../../support/members/administration.ts'
import { openConversation, ownCode, send } from '../../support/members/conversation.ts'
import { fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import { test as empty } from '../../support/servers/test.ts'

/** For errors for which the specification has only a title, and the server sends no message. */
const unavailable = 'The server is not available right now. Try again in a moment.'

interface Failing {
  method: string
  path: string
  /** Status of the response; default 500. */
  status?: number
}

/** Expects this notice of a failure, verbatim, with the alert role, so that screen readers announce it at once. */
async function expectFailure(page: Page, title: string, text: string): Promise<void> {
  const notice = page.locator('.toast-region [role=alert]')
  await expect(notice.locator('.toast-title')).toHaveText(title)
  await expect(notice.locator('p')).toHaveText(text)
}

/** Runs `act` while this call fails without a message from the server. */
async function whileFailing(page: Page, { method, path, status = 500 }: Failing, act: () => Promise<unknown>) {
  await page.route(path, (route) =>
    route.request().method() === method ? route.fulfill({ status, body: '' }) : route.fallback(),
  )
  await act()
  return {
    async says(title: string, text: string) {
      await expectFailure(page, title, text)
      await page.unroute(path)
      await page.locator('.toast-region').getByRole('button', { name: 'Dismiss' }).click()
    },
    /** The form shows the error itself, and no toast appears. */
    async saysInForm(words: string) {
      await expect(refusal(page, words)).toBeVisible()
      await expect(page.locator('.toast')).toHaveCount(0)
      await page.unroute(path)
    },
  }
}

test('a menu whose code the server no longer has asks for a reload, and opens once it is there', async ({
  openBrowser,
  enterAs,
  expectComplaint,
}) => {
  expectComplaint(/404|Failed to fetch dynamically imported module/)
  const page = await openBrowser()
  const buttons = { UserMenu: /^User menu/, NotificationPanel: /^Notifications/ }
  for (const name of Object.keys(buttons))
    await page.route(`**/assets/${name}-*.js`, (route) => route.fulfill({ status: 404 }))
  await enterAs(page, amara)
  for (const [name, label] of Object.entries(buttons)) {
    const button = page.getByRole('button', { name: label })
    await button.press('Enter')
    const notice = page.locator('.toast-region [role=alert]')
    await expect(notice).toContainText('A part of this page could not be loaded. Reload the page.')
    await expect(button).not.toHaveAttribute('aria-busy', 'true')
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await page.unroute(`**/assets/${name}-*.js`)
    await button.press('Enter')
    await expect(page.getByRole('menu').or(page.getByRole('dialog', { name: 'Notifications' }))).toBeVisible()
    await page.keyboard.press('Escape')
  }

  await test.step('a page whose code the server never answers says so after a while, and a reload brings it', async () => {
    let requests = 0
    await page.route('**/assets/HelpSupport-*.js', (route) => (requests++ === 0 ? undefined : route.fallback()))
    await page.clock.install()
    await page.getByRole('button', { name: /^User menu/ }).click()
    await page.getByRole('menuitem', { name: 'Help & Support' }).click()
    await expect(page.locator('.starting')).toBeAttached()
    await page.clock.fastForward(10_000)
    await expect(page.getByRole('status').getByText('Still loading')).toBeVisible()
    await page.getByRole('button', { name: 'Reload' }).click()
    await expect(page.getByRole('heading', { name: 'Help & Support' })).toBeVisible()
  })
})

test('a conversation stays if the code of a part that opens in it cannot be loaded', async ({
  amaraPage,
  expectComplaint,
}) => {
  expectComplaint(/404|Failed to fetch dynamically imported module/)
  const parts = { SafetySheet: 'Info', FindBar: 'Find in conversation' }
  const notice = amaraPage.locator('.toast-region [role=alert]')
  for (const [name, label] of Object.entries(parts)) {
    const code = `**/assets/${name}-*.js`
    await amaraPage.route(code, (route) => route.fulfill({ status: 404 }))
    const button = amaraPage.getByRole('button', { name: label })
    await button.press('Enter')
    await expect(notice).toContainText('A part of this page could not be loaded. Reload the page.')
    await expect(button).toBeFocused()
    await expect(button).not.toHaveAttribute('aria-busy', 'true')
    await expect(amaraPage.locator('textarea')).toBeEditable()
    await notice.getByRole('button', { name: 'Dismiss' }).click()
    await amaraPage.unroute(code)
  }
  await amaraPage.reload()
  await openConversation(amaraPage, helen)
  await amaraPage.getByRole('button', { name: parts.FindBar }).click()
  await expect(amaraPage.getByRole('searchbox')).toBeVisible()
  await amaraPage.getByRole('button', { name: parts.SafetySheet }).click()
  await expect(amaraPage.getByRole('dialog', { name: 'Safety number' })).toBeVisible()
})

const file = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('Agreed.') }

test('what fails says so in the words of the specification, and can be tried again', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  test.slow()
  expectComplaint(/status of (400|500)|CallError|ERR_FAILED/)

  await test.step('codes and connections', async () => {
    const connecting = { method: 'POST', path: '**/api/connections' }
    const code = await ownCode(helenPage)
    await (
      await whileFailing(amaraPage, connecting, async () => {
        await amaraPage.getByLabel('Connect to Someone').fill(code)
        await amaraPage.getByRole('button', { name: 'Connect', exact: true }).click()
      })
    ).saysInForm(`Failed to create connection. ${unavailable}`)
    await expect(amaraPage.getByLabel('Connect to Someone')).toHaveValue(code)
    await moveTo(amaraPage, '/connection-management')
    await (
      await whileFailing(amaraPage, connecting, async () => {
        await amaraPage.getByLabel('Connect to Someone').fill(code)
        await amaraPage.getByRole('button', { name: 'Connect', exact: true }).click()
      })
    ).saysInForm('Connection failed. Failed to create connection')
    const before = await ownCode(amaraPage)
    await (
      await whileFailing(amaraPage, { method: 'POST', path: '**/api/connection-code/generate' }, async () => {
        await amaraPage.getByRole('button', { name: 'Generate new code' }).click()
        await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Generate new code' }).click()
      })
    ).says('Failed to generate connection code', unavailable)
    expect(await ownCode(amaraPage)).toBe(before)
    await moveTo(amaraPage, '/')
    await openConversation(amaraPage, helen)
  })

  await test.step('messages and files', async () => {
    const sending = { method: 'POST', path: '**/api/messages', status: 400 }
    await whileFailing(amaraPage, sending, () => send(amaraPage, helen, 'Not yet'))
    await expect(amaraPage.locator('.toast-region [role=alert] .toast-title')).toHaveText('Failed to send message')
    await amaraPage.unroute(sending.path)
    await amaraPage.getByRole('log').getByRole('button', { name: 'Try again' }).click()
    await expect(helenPage.getByText('Not yet', { exact: true })).toBeVisible()

    await upload(amaraPage, file)
    const received = fileRow(helenPage, amara, file.name)
    await (
      await whileFailing(helenPage, { method: 'POST', path: '**/api/file-authorizations/request' }, () =>
        received.getByRole('button', { name: 'Request Access' }).click(),
      )
    ).says('Request Failed', 'Failed to request file authorization')
    await requestAccess(helenPage, amara, file.name)
    await amaraPage.getByRole('button', { name: 'Review' }).first().click()
    const requests = amaraPage.getByRole('dialog')
    await whileFailing(amaraPage, { method: 'PATCH', path: '**/api/file-authorizations/*' }, () =>
      requests.getByRole('button', { name: `Approve ${file.name}` }).click(),
    )
    await expectFailure(amaraPage, 'Authorization Failed', 'Failed to update file authorization')
    await amaraPage.unroute('**/api/file-authorizations/*')
    await requests.getByRole('button', { name: `Approve ${file.name}` }).click()
    await expect(requests.getByText('can now download')).toBeVisible()
    await amaraPage.keyboard.press('Escape')

    await helenPage.context().route('**/objects/*', (route) => route.abort())
    await received.getByRole('button', { name: 'Download', exact: true }).click()
    await expectFailure(helenPage, 'Download Failed', 'Unable to download the file')
    await helenPage.context().unroute('**/objects/*')
  })

  await test.step('an administrator’s changes', async () => {
    await amaraPage.getByRole('link', { name: 'Admin', exact: true }).click()
    await expect(tab(amaraPage, 'User Management')).toBeVisible()
    const row = amaraPage.getByRole('row', { name: fullName(helen) })
    await (
      await whileFailing(amaraPage, { method: 'PATCH', path: '**/api/users/*/role' }, async () => {
        await row.getByRole('combobox').selectOption('Admin')
        await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Change role' }).click()
      })
    ).says('Role Change Failed', 'Failed to change user role')
    await expect(row.getByRole('combobox')).toHaveValue('user')
    await (
      await whileFailing(amaraPage, { method: 'PATCH', path: '**/api/users/*/status' }, async () => {
        await row.getByRole('button', { name: /^Deactivate/ }).click()
        await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Deactivate' }).click()
      })
    ).says('Status Change Failed', 'Failed to change user status')
    await (
      await whileFailing(amaraPage, { method: 'DELETE', path: '**/api/users/*' }, async () => {
        await row.getByRole('button', { name: /^Delete/ }).click()
        await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Delete user' }).click()
      })
    ).says('Delete Failed', 'Failed to delete user')
    await expect(row).toBeVisible()
  })
})

empty(
  'a server that says nothing: signing in and up fail in the words of the specification',
  async ({ openBrowser, expectComplaint }) => {
    expectComplaint(/status of 500/)
    const page = await openBrowser()
    await whileFailing(page, { method: 'POST', path: '**/api/login' }, () => fillSignIn(page, amara))
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Login failed. login failed')
    await expect(page.getByLabel('Username')).toHaveValue(amara.username)
    await whileFailing(page, { method: 'POST', path: '**/api/register' }, async () => {
      await openSignUp(page)
      await fillSignUp(page, amara)
    })
    await expect(page.getByRole('main').getByRole('alert')).toHaveText('Signup failed. signup failed')
    for (const [label, value] of [
      ['First name', amara.firstName],
      ['Last name', amara.lastName],
      ['Email', amara.email],
      ['Username', amara.username],
    ] as const)
      await expect(page.getByLabel(label, { exact: true })).toHaveValue(value)
    await expect(page.getByLabel('Password', { exact: true })).toHaveValue(amara.password)
  },
)
