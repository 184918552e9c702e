import { seeDashboard, signIn, signOut, toast } from '../support/account.ts'
import { openConversation, sees, send } from '../support/conversation.ts'
import { amara, helen } from '../support/people.ts'
import { expect, test } from '../support/pair.ts'

test('the recovery key sets a new password and opens the last 24 hours', async ({ openBrowser, enterAs }) => {
  const [amaraPage, helenPage] = [await openBrowser(), await openBrowser()]
  const [recoveryKey] = await Promise.all([enterAs(amaraPage, amara), enterAs(helenPage, helen)])
  await openConversation(helenPage, amara)
  await send(helenPage, amara, 'Do not forget this')

  const second = await openBrowser()
  await second.goto('/auth')
  await second.getByRole('button', { name: 'Forgot password?' }).click()
  await second.getByLabel('Username').fill(amara.username)
  await second.getByLabel('Recovery key').fill(recoveryKey.toLowerCase())
  await second.getByLabel('New password', { exact: true }).fill('an entirely new lantern 58')
  await second.getByLabel('Confirm new password').fill('an entirely new lantern 58')
  await second.getByRole('button', { name: 'Set new password' }).click()
  await expect(toast(second, 'Password updated')).toBeVisible()
  await seeDashboard(second)
  await openConversation(second, helen)
  await sees(second, helen, 'Do not forget this')

  await expect(amaraPage.getByRole('heading', { name: 'Your connection code' })).toBeHidden()
  await signOut(second)
  await signIn(second, { username: amara.username, password: 'an entirely new lantern 58' })
})

test('a browser that has lost its keys is unlocked by the password', async ({ openBrowser, enterAs, server }) => {
  const page = await openBrowser()
  await enterAs(page, amara)
  const tools = await page.context().newCDPSession(page)
  await page.goto('about:blank')
  await tools.send('Storage.clearDataForOrigin', { origin: server.origin, storageTypes: 'indexeddb' })

  await page.goto('/')
  await expect(page.getByRole('heading', { name: 'Unlock' })).toBeVisible()
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await expect(page.getByLabel('Password', { exact: true })).toHaveAccessibleDescription(/.+/)
  await page.getByLabel('Password', { exact: true }).fill(amara.password)
  await page.getByRole('button', { name: 'Unlock', exact: true }).click()
  await seeDashboard(page)
})
