import {
  confirmSaved,
  fillSignUp,
  readRecoveryKey,
  seeDashboard,
  signIn,
  signOut,
  toast,
} from '../../support/members/account.ts'
import { expectAccessibleOnPhone as expectAccessible } from '../../support/screens/accessibility.ts'
import { ownCode } from '../../support/members/conversation.ts'
import { amara } from '../../support/members/people.ts'
import { printed } from '../../support/screens/print.ts'
import { expect, test } from '../../support/servers/test.ts'

test('a visitor signs up, saves the recovery key, and comes back with the password', async ({ openBrowser }) => {
  const page = await openBrowser()
  await test.step('the landing page leads to the form, where a weak password is refused in the browser', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started' }).first().click()
    await expect(page).toHaveURL(/\/auth$/)
    await fillSignUp(page, { ...amara, password: 'amara.osei1' })
    await expect(page.getByText('Choose a stronger password')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Create an account' })).toBeVisible()
  })

  await test.step('the recovery key can be copied, downloaded and printed', async () => {
    await fillSignUp(page, amara)
    await expect(toast(page, 'Account created successfully!')).toBeVisible()
    await expect(toast(page, `Welcome to Privity, ${amara.username}!`)).toBeVisible()
    const key = await readRecoveryKey(page)
    expect(key).toMatch(/^(\w{5}-){12}\w{5}$/)

    await expectAccessible(page, 'recovery key')
    await page.getByRole('button', { name: 'Copy' }).click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key)

    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const stream = await (await download).createReadStream()
    let text = ''
    for await (const part of stream) text += String(part)
    expect(text).toContain(key)

    expect(await printed(page)).toContain(key)
  })

  await test.step('a wrong group is refused; the key can be shown again', async () => {
    const group = page.getByLabel('Group 3 of your account recovery key')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await expect(page.getByRole('list', { name: 'Account recovery key' })).toBeHidden()
    await expectAccessible(page, 'a group of the recovery key')
    await group.fill('00000')
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(group).toHaveAccessibleDescription(/That is not group 3/)
    await page.getByRole('button', { name: 'Show the key again' }).click()
  })

  await test.step('once a group is typed, the dashboard opens, and a reload does not ask again', async () => {
    await confirmSaved(page, await readRecoveryKey(page))
    await seeDashboard(page)
    expect(await ownCode(page)).toMatch(/^[A-HJ-NP-Z]{3}-[A-HJ-NP-Z]{3}-[2-9]{3}$/)

    await page.reload()
    await seeDashboard(page)
  })

  await test.step('signing out and in again, with the spec’s notices', async () => {
    const code = await ownCode(page)
    await signOut(page)
    await page.goto('/settings')
    await expect(page).toHaveURL(/\/$/)

    await signIn(page, amara)
    await expect(toast(page, 'Login successful!')).toBeVisible()
    await expect(toast(page, `Welcome back, ${amara.username}!`)).toBeVisible()
    expect(await ownCode(page)).toBe(code)
  })

  await test.step('signing out in one tab signs out the other', async () => {
    const other = await page.context().newPage()
    await other.goto('/')
    await seeDashboard(other)
    await signOut(page)
    await expect(other.getByRole('heading', { name: 'Your connection code' })).toBeHidden()
  })
})
