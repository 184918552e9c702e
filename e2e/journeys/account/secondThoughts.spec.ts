import type { Page } from '@playwright/test'
import { fillSignIn, refusal, seeDashboard, toast } from '../../support/members/account.ts'
import { connect, ownCode } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'
import {
  codeFor,
  confirmWith,
  enableApp,
  openSection,
  section,
  seeSecondStep,
} from '../../support/members/secondFactor.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const helenName = fullName(helen)

test('somebody removed is blocked afterwards, and an authenticator app is replaced in one step', async ({
  openBrowser,
  pair: { amaraPage: page, helenPage },
  expectComplaint,
}) => {
  test.slow()
  expectComplaint(/(401 \(Unauthorized\)|404 \(Not Found\)) .*\/api\/(login|second-factor|connections)/)
  await helenPage.goto('/')
  await page.goto('/')
  const amaraCode = await ownCode(page)

  await test.step('blocking after removing', async () => {
    await moveTo(page, '/connection-management')
    await page.getByRole('button', { name: `More about ${helenName}` }).click()
    await page.getByRole('menuitem', { name: 'Remove connection' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove connection' }).click()
    await expect(toast(page, 'Connection removed')).toBeVisible()
    const ended = page.getByRole('list', { name: 'Recently ended' }).getByRole('listitem')
    await expect(ended).toHaveText([new RegExp(helenName)])
    await page.getByRole('button', { name: `Block ${helenName}` }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Block' }).click()
    await expect(toast(page, `${helenName} is blocked`)).toBeVisible()
    await page.reload()
    const blocked = page.getByRole('list', { name: 'Blocked people' }).getByRole('listitem')
    await expect(blocked).toHaveText([new RegExp(helenName)])
    await expect(ended).toHaveCount(0)
    await connect(helenPage, amaraCode)
    await expect(refusal(helenPage, 'Failed to create connection')).toBeVisible()
  })

  const { recoveryCodes } = await enableApp(page, amara)
  const other = await openBrowser()
  await test.step('a form that is sent with mistakes gives the focus to the first', async () => {
    await other.goto('/auth')
    await other.getByRole('button', { name: 'Sign In' }).click()
    await expect(other.getByLabel('Username')).toBeFocused()
    await expect(other.getByLabel('Username')).toHaveAccessibleDescription('Enter your username.')
  })

  await test.step('replacing the app, which another browser hears of', async () => {
    await fillSignIn(other, amara)
    await seeSecondStep(other)
    await other.getByRole('button', { name: 'Use a backup code' }).click()
    await other.getByLabel('Backup code').fill(recoveryCodes[0] ?? '')
    await other.getByRole('button', { name: 'Confirm' }).click()
    await seeDashboard(other)

    await openSection(page)
    await section(page).getByRole('button', { name: 'Replace the authenticator app' }).click()
    await dialog(page).getByRole('button', { name: 'Use a backup code' }).click()
    await dialog(page)
      .getByLabel('Backup code')
      .fill(recoveryCodes[1] ?? '')
    await confirmWith(page, amara, 'Continue')
    const key = await dialog(page).getByRole('group', { name: 'Key for your authenticator app' }).textContent()
    await dialog(page)
      .getByLabel('Code from your authenticator app')
      .fill(codeFor(key ?? ''))
    await dialog(page).getByRole('button', { name: 'Replace' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(toast(page, 'Setting updated')).toBeVisible()
    await expect(toast(other, 'Your authenticator app was replaced')).toBeVisible()
    await expect(section(page).getByText('8 of 10 left')).toBeVisible()

    const fresh = await openBrowser()
    await fillSignIn(fresh, amara)
    await fresh.getByLabel('Code from your authenticator app').fill(codeFor(key ?? '', 1))
    await fresh.getByRole('button', { name: 'Confirm' }).click()
    await seeDashboard(fresh)
  })
})
