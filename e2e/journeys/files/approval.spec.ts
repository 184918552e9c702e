import { toast } from '../../support/members/account.ts'
import { download, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('Agreed.') })

test('a file is approved as it is sent, and several requests with one press', async ({
  pair: { amaraPage, helenPage },
}) => {
  await test.step('approved at sending: the other downloads without a request, until it is revoked', async () => {
    await amaraPage.getByRole('button', { name: 'Upload options' }).click()
    await amaraPage.getByRole('menuitemcheckbox', { name: 'Approve for Helen at once (3 downloads)' }).click()
    await amaraPage.keyboard.press('Escape')
    await expect(amaraPage.getByRole('button', { name: 'Files are approved for Helen at once.' })).toBeVisible()
    await upload(amaraPage, file('minutes.txt'))
    const [own, received] = [fileRow(amaraPage, helen, 'minutes.txt'), fileRow(helenPage, amara, 'minutes.txt')]
    await expect(received.getByText('3 of 3 downloads left')).toBeVisible()
    await download(helenPage, amara, 'minutes.txt')
    await expect(own.getByText('Helen has 2 of 3 downloads left')).toBeVisible()
    await own.getByRole('button', { name: 'Revoke' }).click()
    await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
    await expect(received.getByRole('button', { name: 'Access denied' })).toBeDisabled()
  })

  await test.step('the choice ends with the page; the default in Settings stays', async () => {
    await amaraPage.goto('/settings')
    await amaraPage.getByRole('switch', { name: 'Approve at sending' }).click()
    await amaraPage.getByRole('button', { name: 'Save Changes' }).click()
    await expect(toast(amaraPage, 'Settings saved')).toBeVisible()
    await amaraPage.goto('/')
    await amaraPage.getByRole('button', { name: /Helen/ }).first().click()
    await upload(amaraPage, file('agenda.txt'))
    await expect(fileRow(helenPage, amara, 'agenda.txt').getByText('3 of 3 downloads left')).toBeVisible()
  })

  await test.step('one request is denied, and three of one person are approved together', async () => {
    for (const name of ['denied.txt', 'one.txt', 'two.txt', 'three.txt']) {
      await upload(helenPage, file(name))
      await requestAccess(amaraPage, helen, name)
    }
    await helenPage.getByRole('region', { name: 'File authorization' }).getByRole('button', { name: 'Review' }).click()
    const dialog = helenPage.getByRole('dialog', { name: 'File authorization requests' })
    await dialog.getByRole('button', { name: 'Deny denied.txt' }).press('Enter')
    await expect(dialog.getByText('Amara Osei cannot download denied.txt.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Deny one.txt' })).toBeFocused()
    await dialog.getByRole('button', { name: 'Approve all 3 requests of Amara Osei' }).press('Enter')
    await expect(dialog.getByText('can now download')).toHaveCount(3)
    await expect(dialog.getByRole('heading')).toBeFocused()
    await expect(fileRow(amaraPage, helen, 'three.txt').getByText('3 of 3 downloads left')).toBeVisible()
  })
})
