import { toast } from '../../support/members/account.ts'
import {
  composer,
  connectionRow,
  conversation,
  message,
  openConversation,
  send,
} from '../../support/members/conversation.ts'
import { requestAccess, upload } from '../../support/files/files.ts'
import { exchangeKeys } from '../../support/members/newIdentity.ts'
import { bell, list, openList, row } from '../../support/members/notifications.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

test('nothing is sent to a contact whose key changed until the new key is accepted', async ({
  pair: { amaraPage, helenPage },
  server,
}) => {
  await send(amaraPage, helen, 'Under the first key')
  await expect(message(helenPage, amara, 'Under the first key')).toBeVisible()
  await helenPage.close()
  await exchangeKeys(server, helen)
  // Twice: the notification is sent only once.
  for (const _ of [1, 2]) {
    await amaraPage.reload()
    await expect(connectionRow(amaraPage, helen)).toContainText('Key changed')
    await expect(bell(amaraPage)).toHaveAccessibleName('Notifications, 1 new')
  }
  await openList(amaraPage)
  await expect(list(amaraPage).getByRole('listitem')).toHaveCount(1)
  await row(amaraPage, 'The key of Helen Whitford has changed').getByRole('button').first().click()
  await expect(amaraPage.getByRole('dialog', { name: 'Safety number' })).toBeVisible()
  await expect(bell(amaraPage)).toHaveAccessibleName('Notifications')
  await amaraPage.getByRole('dialog', { name: 'Safety number' }).getByRole('button', { name: 'Close' }).click()
  await openConversation(amaraPage, helen)
  const warning = amaraPage.getByRole('alert').filter({ hasText: "Helen's key has changed." })
  await expect(warning).toContainText('Sending is stopped until you review it.')
  await composer(amaraPage, helen).fill('Kept back')
  await expect(amaraPage.getByRole('button', { name: 'Send', exact: true })).toBeDisabled()
  await composer(amaraPage, helen).press('Enter')
  await expect(amaraPage.getByRole('button', { name: 'UPLOAD FILE' })).toBeDisabled()
  await expect(message(amaraPage, helen, 'Kept back')).toHaveCount(0)

  await warning.getByRole('button', { name: 'Review' }).click()
  const sheet = amaraPage.getByRole('dialog', { name: 'Safety number' })
  await expect(sheet).toContainText('Not confirmed by the former key.')
  await expect(sheet.getByRole('listitem').last()).toHaveText(/matches on both screens, accept the new key\.$/)
  await sheet.getByRole('button', { name: 'Accept the new key' }).click()
  const confirm = amaraPage.getByRole('alertdialog', { name: "Accept Helen's new key?" })
  await confirm.getByRole('button', { name: 'Accept new key' }).click()
  await expect(toast(amaraPage, 'New key accepted')).toBeVisible()
  await expect(sheet.getByText('Not verified').first()).toBeVisible()
  await sheet.getByRole('button', { name: 'Close' }).click()
  await expect(warning).toBeHidden()
  await expect(composer(amaraPage, helen)).toHaveValue('Kept back')
  await composer(amaraPage, helen).press('Enter')
  await expect(message(amaraPage, helen, 'Kept back')).toBeVisible()
  await expect(conversation(amaraPage, helen).getByText('Sent', { exact: true })).toBeVisible()
})

test('approving a file under a changed key leads to the review of the key', async ({
  pair: { amaraPage, helenPage },
  server,
}) => {
  await upload(amaraPage, { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('Agreed.') })
  await requestAccess(helenPage, amara, 'minutes.txt')
  await helenPage.close()
  await exchangeKeys(server, helen)
  await amaraPage.goto('/about')
  await amaraPage.goto('/')
  await expect(connectionRow(amaraPage, helen)).toContainText('Key changed')
  await amaraPage.getByRole('region', { name: 'File authorization' }).getByRole('button', { name: 'Review' }).click()
  const requests = amaraPage.getByRole('dialog', { name: 'File authorization requests' })
  await expect(requests.getByText('Their key has changed. Review it before you approve.')).toBeVisible()
  await expect(requests.getByRole('button', { name: /^Approve/ })).toBeDisabled()
  await requests.getByRole('button', { name: 'Review key' }).click()
  await expect(requests).toBeHidden()
  await expect(amaraPage.getByRole('dialog', { name: 'Safety number' })).toBeVisible()
})
