import type { CDPSession, Page } from '@playwright/test'
import { expectAccessible } from '../../support/screens/accessibility.ts'
import { fillSignIn, seeDashboard, signIn, signOut, toast } from '../../support/members/account.ts'
import { amara, helen } from '../../support/members/people.ts'
import {
  beginApp,
  codeFor,
  confirmWith,
  enableApp,
  openSection,
  section,
  seeSecondStep,
  takeRecoveryCodes,
  toggle,
} from '../../support/members/secondFactor.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

const appCode = (page: Page) => page.getByLabel('Code from your authenticator app')
const mistaken = { ...helen, password: 'not the password' }
const dialog = (page: Page) => page.getByRole('dialog')
const refusals = /(401 \(Unauthorized\)|403 \(Forbidden\)) .*\/api\/(login|second-factor|recovery\/password)/

test('an authenticator app guards the sign-in from its QR code until it is switched off', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  test.slow()
  expectComplaint(refusals)
  const page = await openBrowser()
  await enterAs(page, amara)
  await openSection(page)
  await expect(toggle(page)).not.toBeChecked()

  await toggle(page).click()
  await confirmWith(page, { ...amara, password: 'not the password' }, 'Continue')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('Incorrect password.')
  await page.keyboard.press('Escape')
  const key = await beginApp(page, amara)
  await expect(dialog(page).getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const wrong = codeFor(key, 20)
  await appCode(page).fill(wrong)
  await dialog(page).getByRole('button', { name: 'Switch on' }).click()
  await expect(appCode(page)).toHaveAccessibleDescription(/That code is incorrect/)
  await expect(appCode(page)).toHaveValue(wrong)
  await expect(appCode(page)).toBeFocused()
  await appCode(page).fill(codeFor(key))
  await dialog(page).getByRole('button', { name: 'Switch on' }).click()
  // The open dialog hides the notices from role queries.
  await expect(page.getByText('Two-factor authentication is on.')).toBeVisible()
  await dialog(page).getByRole('button', { name: 'Copy', exact: true }).click()
  const copied = (await page.evaluate(() => navigator.clipboard.readText())).split('\n')
  const download = page.waitForEvent('download')
  await dialog(page).getByRole('button', { name: 'Download' }).click()
  let file = ''
  for await (const part of await (await download).createReadStream()) file += String(part)
  const codes = await takeRecoveryCodes(page)
  expect(codes).toHaveLength(10)
  expect(copied).toEqual(codes)
  for (const code of codes) expect(file).toContain(code)

  await page.reload()
  await expect(toggle(page)).toBeChecked()
  await expect(section(page).getByText('10 of 10 left')).toBeVisible()

  await signOut(page)
  await fillSignIn(page, amara)
  await seeSecondStep(page)
  await expect(appCode(page)).toBeFocused()
  await expect(appCode(page)).toHaveAttribute('autocomplete', 'one-time-code')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(appCode(page)).toHaveAccessibleDescription('Enter the 6-digit code from your authenticator app.')
  await appCode(page).fill(codeFor(key, 20))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(appCode(page)).toHaveAccessibleDescription(/That code is incorrect/)
  await expect(appCode(page)).toBeFocused()
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await expect(page.getByLabel('Username')).toHaveValue(amara.username)
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue(amara.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await appCode(page).fill(codeFor(key, 1))
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(page, 'Login successful!')).toBeVisible()
  await seeDashboard(page)

  await signOut(page)
  await fillSignIn(page, amara)
  await page.getByRole('button', { name: 'Use a backup code' }).click()
  await page.getByLabel('Backup code').fill((codes[0] as string).toLowerCase())
  await page.getByRole('button', { name: 'Confirm' }).click()
  await seeDashboard(page)

  await openSection(page)
  await expect(section(page).getByText('9 of 10 left')).toBeVisible()
  await toggle(page).click()
  await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
  await dialog(page)
    .getByLabel('Backup code')
    .fill(codes[0] as string)
  await confirmWith(page, amara, 'Switch off')
  await expect(dialog(page).getByLabel('Backup code')).toHaveAccessibleDescription(/That code is incorrect/)
  await expect(dialog(page).getByLabel('Backup code')).toBeFocused()
  await dialog(page)
    .getByLabel('Backup code')
    .fill(codes[1] as string)
  await dialog(page).getByRole('button', { name: 'Switch off' }).click()
  await expect(toggle(page)).not.toBeChecked()
  await signOut(page)
  await signIn(page, amara)
})

async function addAuthenticator(page: Page): Promise<CDPSession> {
  const tools = await page.context().newCDPSession(page)
  await tools.send('WebAuthn.enable')
  await tools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return tools
}

test('passkeys are added with names, sign in, confirm a change, and are removed', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  test.slow()
  expectComplaint(refusals)
  const page = await openBrowser()
  await enterAs(page, amara)
  await addAuthenticator(page)
  await openSection(page)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await confirmWith(page, amara, 'Continue')
  await dialog(page).getByLabel('Name').fill('Amara’s laptop')
  await dialog(page).getByRole('button', { name: 'Create passkey' }).click()
  const codes = await takeRecoveryCodes(page)
  const list = section(page).getByRole('list', { name: 'Your passkeys' })
  await expect(list.getByRole('listitem')).toContainText(['Amara’s laptop'])
  await expect(list).toContainText('not used yet')

  await signOut(page)
  await fillSignIn(page, amara)
  await seeSecondStep(page)
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await seeDashboard(page)

  await openSection(page)
  await expect(list).toContainText('last used')
  await section(page).getByRole('button', { name: 'New codes' }).click()
  await confirmWith(page, amara, 'Create new codes')
  const renewed = await takeRecoveryCodes(page)
  expect(renewed).not.toContain(codes[0])
  await section(page).getByRole('button', { name: 'Remove Amara’s laptop' }).click()
  await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
  await dialog(page)
    .getByLabel('Backup code')
    .fill(renewed[0] as string)
  await confirmWith(page, amara, 'Remove')
  await expect(toggle(page)).not.toBeChecked()
  await expect(list).toBeHidden()
})

test('at a bare IP address the page says that passkeys need a name', async ({ openBrowser, server }) => {
  const page = await openBrowser({ baseURL: server.origin.replace('localhost', '127.0.0.1') })
  await signIn(page, amara)
  await openSection(page)
  await expect(section(page).getByText('Passkeys need a domain name')).toBeVisible()
  await expect(section(page).getByRole('button', { name: 'Add a passkey' })).toBeHidden()
})

test('a new password by the recovery key is followed by the second factor', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(refusals)
  const [page, other] = [await openBrowser(), await openBrowser()]
  const recoveryKey = await enterAs(page, amara)
  const { recoveryCodes } = await enableApp(page, amara)
  await other.goto('/auth')
  await other.getByRole('button', { name: 'Forgot password?' }).click()
  await other.getByLabel('Username').fill(amara.username)
  await other.getByLabel('Account recovery key').fill(recoveryKey)
  await other.getByLabel('New password', { exact: true }).fill('an entirely new lantern 58')
  await other.getByLabel('Confirm new password').fill('an entirely new lantern 58')
  await other.getByRole('button', { name: 'Set new password' }).click()
  await seeSecondStep(other)
  await other.getByRole('button', { name: 'Use a backup code' }).click()
  await other.getByLabel('Backup code').fill(recoveryCodes[0] as string)
  await other.getByRole('button', { name: 'Confirm' }).click()
  await expect(toast(other, 'Password updated')).toBeVisible()
  await seeDashboard(other)
})

test('every state is accessible', async ({ openBrowser, expectComplaint, enterAs }) => {
  test.slow()
  expectComplaint(refusals)
  const page = await openBrowser({ viewport: { width: 360, height: 740 } })
  const check = async (state: string) => {
    await expectAccessible(page, state)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect.soft(overflow, `${state} scrolls sideways`).toBeLessThanOrEqual(0)
  }
  await fillSignIn(page, mistaken)
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible()
  await check('sign-in refused')
  await enterAs(page, amara)
  await addAuthenticator(page)
  await openSection(page)
  await check('off')
  await toggle(page).click()
  await dialog(page).getByRole('button', { name: 'Continue' }).click()
  await check('password missing')
  await page.keyboard.press('Escape')
  const key = await beginApp(page, amara)
  await dialog(page).getByRole('button', { name: 'Switch on' }).click()
  await check('QR code, code missing')
  await appCode(page).fill(codeFor(key))
  await dialog(page).getByRole('button', { name: 'Switch on' }).click()
  await expect(dialog(page).getByRole('list', { name: 'Backup codes' })).toBeVisible()
  await check('recovery codes')
  const codes = await takeRecoveryCodes(page)
  await section(page).getByRole('button', { name: 'Add a passkey' }).click()
  await check('confirm with an app')
  await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
  await dialog(page)
    .getByLabel('Backup code')
    .fill(codes[0] as string)
  await confirmWith(page, amara, 'Continue')
  await dialog(page).getByRole('button', { name: 'Create passkey' }).click()
  await expect(section(page).getByRole('list', { name: 'Your passkeys' })).toBeVisible()
  await check('on')
  await signOut(page)
  await fillSignIn(page, amara)
  await seeSecondStep(page)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await check('second step, code missing')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await check('second step, passkey')
})
