import { signIn, toast } from '../../support/members/account.ts'
import { composer, message, openConversation, send } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test('a fresh browser asks before it first writes to a contact, and once', async ({ helenPage, openBrowser }) => {
  const fresh = await openBrowser()
  await signIn(fresh, amara)
  await openConversation(fresh, helen)
  const question = fresh.getByRole('alert').filter({ hasText: 'This browser meets Helen for the first time.' })
  await composer(fresh, helen).fill('Kept back')
  await expect(fresh.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await question.getByRole('button', { name: 'Compare' }).click()
  await fresh.getByRole('dialog', { name: 'Safety number' }).getByRole('button', { name: 'Close' }).click()
  await question.getByRole('button', { name: 'Continue' }).click()
  await expect(toast(fresh, 'You can write to Helen')).toBeVisible()
  await expect(question).toBeHidden()
  await composer(fresh, helen).press('Enter')
  await expect(message(helenPage, amara, 'Kept back')).toBeVisible()
  await fresh.reload()
  await openConversation(fresh, helen)
  await send(fresh, helen, 'Not asked again')
  await expect(message(helenPage, amara, 'Not asked again')).toBeVisible()
})

test('a changed name of a verified contact is asked about before anything is sent', async ({
  pair: { amaraPage, helenPage },
}) => {
  await amaraPage.getByRole('button', { name: 'Info' }).click()
  const sheet = amaraPage.getByRole('dialog', { name: 'Safety number' })
  await sheet.getByRole('button', { name: 'Mark as verified' }).click()
  await expect(toast(amaraPage, 'Helen is verified')).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()

  await moveTo(helenPage, '/account-settings')
  const profile = helenPage.getByRole('region', { name: 'Profile' })
  await profile.getByRole('button', { name: 'Edit' }).click()
  await profile.getByLabel('Last name').fill('Whitford-Lane')
  await profile.getByRole('button', { name: 'Save changes' }).click()

  const question = amaraPage.getByRole('alert').filter({ hasText: 'Helen Whitford is now called Helen Whitford-Lane.' })
  await expect(question).toContainText('Is this still the person whom you verified?')
  await expect(amaraPage.getByRole('button', { name: 'UPLOAD FILE' })).toBeDisabled()
  await question.getByRole('button', { name: 'Keep verified' }).click()
  await expect(toast(amaraPage, 'Helen stays verified')).toBeVisible()
  await expect(question).toBeHidden()
  await expect(amaraPage.getByRole('main').getByRole('button', { name: 'Verified', exact: true })).toBeVisible()

  await profile.getByRole('button', { name: 'Edit' }).click()
  await profile.getByLabel('Last name').fill('Lane')
  await profile.getByRole('button', { name: 'Save changes' }).click()
  const again = amaraPage.getByRole('alert').filter({ hasText: 'Helen Whitford-Lane is now called Helen Lane.' })
  await again.getByRole('button', { name: 'Verify again' }).click()
  await expect(sheet.getByText('Not verified').first()).toBeVisible()
  await expect(again).toBeHidden()
})
