import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { expectAccessible, overflow } from '../../support/screens/accessibility.ts'
import { conversation, sees, send } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, fullName, helen } from '../../support/members/people.ts'

const password = 'a founder of the journeys'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

test('a flood is found by a scan, and a reported message is read by the founder alone', async ({
  openBrowser,
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\/verify$/)
  const page = await openBrowser({ viewport: { width: 1280, height: 900 } })
  const section = page.getByRole('region', { name: 'Message Moderation' })
  const table = section.getByRole('table', { name: 'Flagged messages' })
  const threat = 'Pay by Friday, or everybody hears of it.'

  async function openFounder(browser?: Page): Promise<Page> {
    const opened = browser ?? (await openBrowser())
    await opened.goto('/founder')
    await opened.getByLabel('Password', { exact: true }).fill(password)
    await opened.getByRole('button', { name: 'Sign In' }).click()
    await expect(opened.getByRole('heading', { name: 'Message Moderation' })).toBeVisible()
    return opened
  }

  await test.step('the founder signs in, which makes the key that reports are sealed to', async () => {
    await openFounder(page)
    await expect(section.getByText('No flagged messages')).toBeVisible()
  })

  await test.step('Amara floods Helen', async () => {
    for (let i = 1; i < 22; i++) await send(amaraPage, helen, `Answer me ${i}`)
    await send(amaraPage, helen, threat)
    await sees(helenPage, amara, threat)
  })

  await test.step('Helen reports the last message, and is told what that gives to whom', async () => {
    const message = conversation(helenPage, amara).getByRole('article').filter({ hasText: threat })
    await message.hover()
    await message.getByRole('button', { name: 'Message options' }).click()
    await helenPage.getByRole('menuitem', { name: 'Report message' }).click()
    const dialog = helenPage.getByRole('dialog', { name: 'Report this message?' })
    await expect(dialog).toContainText('only the platform owner can read it')
    await expectAccessible(helenPage, 'the report of a message')
    await dialog.getByLabel('Reason (optional)').fill('They blackmail me.')
    await dialog.getByRole('button', { name: 'Report message' }).click()
    await expect(toast(helenPage, 'Message reported')).toBeVisible()
  })

  await test.step('a scan flags the flood, and a second one nothing more', async () => {
    await section.getByRole('button', { name: 'Scan Now' }).click()
    await expect(toast(page, 'Found 1 suspicious message')).toBeVisible()
    await expect(table.getByRole('row')).toHaveCount(3)
    await section.getByRole('button', { name: 'Scan Now' }).click()
    await expect(toast(page, 'Found 0 suspicious messages')).toBeVisible()
    await expect(table.getByRole('row')).toHaveCount(3)
    await expect(section.getByText('Total Flagged').locator('xpath=..')).toContainText('2')
    await expect(table).toContainText(fullName(amara))
    await expectAccessible(page, 'moderation in the console')
    await page.setViewportSize({ width: 360, height: 800 })
    expect(await overflow(page)).toBe(0)
    await page.setViewportSize({ width: 1280, height: 900 })
  })

  const full = page.getByRole('dialog', { name: 'Full Message Content' })
  await test.step('the report is verified and read in full, and what the scan has found stays encrypted', async () => {
    const reported = table.getByRole('row').filter({ hasText: 'Manual flag' })
    await expect(reported).toContainText(threat)
    await reported.getByRole('button', { name: /^View Full/ }).click()
    await expect(full.getByText('Verified', { exact: true })).toBeVisible()
    await expect(full).toContainText(threat)
    await expect(full).toContainText('They blackmail me.')
    await expect(full).toContainText(fullName(helen))
    await expectAccessible(page, 'a reported message in full')
    await page.keyboard.press('Escape')
    const flooded = table.getByRole('row').filter({ hasText: 'Rapid sending' })
    await flooded.getByRole('button', { name: /^View Full/ }).click()
    await expect(full).toContainText('end-to-end encrypted')
    await expect(full).not.toContainText('Answer me')
    await page.keyboard.press('Escape')
  })

  await test.step('several are selected, and those that were unflagged elsewhere meanwhile are named', async () => {
    const other = await openFounder()
    await section.getByRole('checkbox', { name: 'Select this page' }).check()
    await expect(section.getByText('2 selected')).toBeVisible()
    await expectAccessible(page, 'a selection of flagged messages')
    const reported = other.getByRole('table', { name: 'Flagged messages' }).getByRole('row')
    await reported
      .filter({ hasText: 'Manual flag' })
      .getByRole('button', { name: /^Unflag/ })
      .click()
    await other.getByRole('alertdialog').getByRole('button', { name: 'Unflag Message' }).click()
    await expect(toast(other, 'Message Unflagged')).toBeVisible()
    await section.getByRole('button', { name: 'Unflag selected' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Unflag 2 Messages' }).click()
    const partly = page.getByRole('dialog', { name: 'Not all unflagged' })
    await expect(partly).toContainText('Unflagged: 1. Not unflagged: 1.')
    await expect(partly.getByRole('listitem')).toContainText(`@${amara.username}`)
    await expectAccessible(page, 'what was not unflagged')
    await partly.getByRole('button', { name: 'Close' }).last().click()
    await expect(section.getByText('No flagged messages')).toBeVisible()
  })

  await test.step('unflagged, the flood is not found again', async () => {
    await section.getByRole('button', { name: 'Scan Now' }).click()
    await expect(toast(page, 'Found 0 suspicious messages')).toBeVisible()
  })
})
