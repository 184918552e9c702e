import type { Locator } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { openConversation } from '../../support/members/conversation.ts'
import { decide, download, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const file = { name: 'minutes.txt', mimeType: 'text/plain', buffer: Buffer.from('Agreed.') }

test('each time the owner thinks again about a file, the other sees it live', async ({
  pair: { amaraPage, helenPage },
}) => {
  await upload(amaraPage, file)
  await requestAccess(helenPage, amara, file.name, 'dblclick')
  await decide(amaraPage, file.name, 'Deny', 'dblclick')
  await expect(toast(helenPage, 'Amara Osei denied your request')).toBeVisible()
  await expect(toast(helenPage, `You cannot download ${file.name}.`)).toBeVisible()
  const [own, received] = [fileRow(amaraPage, helen, file.name), fileRow(helenPage, amara, file.name)]
  await expect(received.getByRole('button', { name: 'Access denied' })).toBeDisabled()
  await expect(own.getByText('You have not approved Helen’s access')).toBeVisible()
  const groundOf = (button: Locator) => button.evaluate((element) => getComputedStyle(element).backgroundColor)
  expect(await groundOf(own.getByRole('button', { name: 'Download', exact: true })), 'a quiet button').toBe(
    await groundOf(own.getByRole('button', { name: 'Approve', exact: true })),
  )

  await amaraPage.reload()
  await openConversation(amaraPage, helen)
  await own.getByRole('button', { name: 'Approve', exact: true }).click()
  await expect(toast(amaraPage, 'File Access Authorized')).toBeVisible()
  await expect(toast(helenPage, 'Amara Osei approved your download')).toBeVisible()
  await expect(own.getByText('Helen has 3 of 3 downloads left')).toBeVisible()

  for (const left of [3, 2, 1]) {
    await expect(received.getByText(`${left} of 3 downloads left`)).toBeVisible()
    await download(helenPage, amara, file.name)
  }
  await expect(received.getByText('No downloads left')).toBeVisible()
  const request = received.getByRole('button', { name: 'Request Access' })
  await expect(request).toBeEnabled()
  const { width = 0 } = (await request.boundingBox()) ?? {}
  // The whole button can be pressed: the button that reports a message is beside it, not over it.
  await request.click({ trial: true, position: { x: width - 4, y: 4 } })
  await helenPage.reload()
  await openConversation(helenPage, amara)
  await expect(received.getByText('No downloads left')).toBeVisible()
  await expect(own.getByText('Helen has no downloads left')).toBeVisible()

  await own.getByRole('button', { name: 'Approve again' }).click()
  await expect(received.getByText('3 of 3 downloads left')).toBeVisible()
  await own.getByRole('button', { name: 'Revoke' }).click()
  await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
  await expect(toast(amaraPage, 'Access revoked')).toBeVisible()
  await expect(toast(helenPage, 'Amara Osei revoked the approval')).toBeVisible()
  await expect(received.getByRole('button', { name: 'Access denied' })).toBeDisabled()

  await test.step('a notice on a phone leaves the header of the conversation free', async () => {
    await amaraPage.setViewportSize({ width: 360, height: 740 })
    await upload(helenPage, { ...file, name: 'answer.txt' })
    await requestAccess(amaraPage, helen, 'answer.txt')
    const notice = amaraPage.getByRole('region', { name: 'Notices' })
    await expect(notice.getByText('Authorization Requested')).toBeVisible()
    // While the notice is still shown: a click fails if the notice covers the button.
    await amaraPage.getByRole('button', { name: 'Info' }).click({ timeout: 2_000 })
    const sheet = amaraPage.getByRole('dialog', { name: 'Safety number' })
    await sheet.getByRole('button', { name: 'Close' }).click({ timeout: 2_000 })
    await expect(notice.getByText('Authorization Requested')).toBeVisible()
    await amaraPage.getByRole('button', { name: 'Back to connections' }).click({ timeout: 2_000 })
    await expect(amaraPage.getByRole('heading', { name: 'Your connection code, Connect' })).toBeVisible()
  })
})
