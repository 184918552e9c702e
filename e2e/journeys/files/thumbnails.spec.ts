import { decide, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { expectTurnedRight, takePhoto } from '../../support/files/photo.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const name = 'upright.jpg'

test('a photograph has a thumbnail, for its recipient while the file is approved', async ({
  pair: { amaraPage, helenPage },
}) => {
  const own = fileRow(amaraPage, helen, name)
  const received = fileRow(helenPage, amara, name)
  const thumbnailOf = (row: typeof own) => row.getByRole('img', { name: `Thumbnail of ${name}` })

  await test.step('its sender sees it at once, turned as the EXIF orientation says', async () => {
    const sending = Promise.withResolvers<void>()
    await amaraPage.route('**/api/files', async (route) => {
      await sending.promise
      await route.continue()
    })
    await upload(amaraPage, { name, mimeType: 'image/jpeg', buffer: await takePhoto(amaraPage, 6) })
    await expect(own.getByRole('button', { name: 'Cancel upload' })).toBeVisible()
    const [room, row] = [own.locator('.file-pic'), own.locator('.file')]
    const before = [await room.boundingBox(), await row.boundingBox()]
    sending.resolve()
    await expect(thumbnailOf(own)).toBeVisible()
    const after = [await room.boundingBox(), await row.boundingBox()]
    const placeOf = (boxes: typeof after) => boxes.map((box) => [box?.x, box?.width])
    expect(placeOf(after), 'the place of the thumbnail and of the row while uploading').toEqual(placeOf(before))
    const size = await thumbnailOf(own).evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])
    expect(size).toEqual([72, 96])
    await expectTurnedRight(thumbnailOf(own))
  })

  await test.step('its recipient does not before the approval, and then without a counted download', async () => {
    await expect(received.getByText('Access not requested')).toBeVisible()
    await expect(thumbnailOf(received)).toHaveCount(0)
    const before = await received.locator('.file-pic').boundingBox()
    await requestAccess(helenPage, amara, name)
    await expect(thumbnailOf(received)).toHaveCount(0)
    await decide(amaraPage, name, 'Approve')
    await expect(thumbnailOf(received)).toBeVisible()
    await expectTurnedRight(thumbnailOf(received))
    await expect(received.getByText('3 of 3 downloads left')).toBeVisible()
    const after = await received.locator('.file-pic').boundingBox()
    expect([after?.width, after?.height]).toEqual([before?.width, before?.height])
  })

  await test.step('it is gone once the approval is revoked', async () => {
    await own.getByRole('button', { name: 'Revoke' }).click()
    await amaraPage.getByRole('alertdialog').getByRole('button', { name: 'Revoke access' }).click()
    await expect(received.getByRole('button', { name: 'Access denied' })).toBeVisible()
    await expect(thumbnailOf(received)).toHaveCount(0)
    await expect(thumbnailOf(own)).toBeVisible()
  })

  await test.step('a picture that no browser can decode is sent without one', async () => {
    await upload(amaraPage, { name: 'cut.png', mimeType: 'image/png', buffer: Buffer.from('no picture at all') })
    await expect(fileRow(amaraPage, helen, 'cut.png').getByText('Ready to download')).toBeVisible()
    await expect(fileRow(helenPage, amara, 'cut.png').getByRole('button', { name: 'Request Access' })).toBeVisible()
    await expect(fileRow(amaraPage, helen, 'cut.png').getByRole('img')).toHaveCount(0)
  })
})
