import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { openConversation } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const panel = (page: Page) => page.getByRole('dialog', { name: 'Safety number' })

async function openSafetyNumber(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Info' }).click()
  const groups = panel(page).getByRole('list', { name: 'Safety number' }).getByRole('listitem')
  await expect(groups).toHaveCount(12)
  return (await groups.allInnerTexts()).map((group) => group.replace(/\D/g, '').slice(0, 5)).join(' ')
}

test('both see the same safety number, and marking it as verified lasts', async ({
  pair: { amaraPage, helenPage },
}) => {
  const [amaraSees, helenSees] = [await openSafetyNumber(amaraPage), await openSafetyNumber(helenPage)]
  expect(amaraSees).toMatch(/^(\d{5} ){11}\d{5}$/)
  expect(amaraSees).toBe(helenSees)

  await expect(panel(amaraPage).getByText('Not verified').first()).toBeVisible()
  await panel(amaraPage).getByRole('button', { name: 'Mark as verified' }).click()
  await expect(toast(amaraPage, 'Helen is verified')).toBeVisible()
  await expect(panel(amaraPage).getByRole('button', { name: 'Clear verification' })).toBeVisible()
  await expect(amaraPage.getByRole('main').getByRole('button', { name: 'Verified', exact: true })).toBeVisible()

  await amaraPage.reload()
  await openConversation(amaraPage, helen)
  expect(await openSafetyNumber(amaraPage)).toBe(amaraSees)
  await expect(panel(amaraPage).getByRole('button', { name: 'Mark as verified' })).toBeHidden()

  await expect(panel(helenPage).getByRole('button', { name: 'Mark as verified' })).toBeVisible()
  await helenPage.reload()
  await openConversation(helenPage, amara)
})
