import type { Page } from '@playwright/test'
import { bytesOf, decide, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { writePdf } from '../../support/files/pdf.ts'
import { expectTurnedRight, takePhoto } from '../../support/files/photo.ts'
import { overflow } from '../../support/screens/accessibility.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const pdf = { name: 'statement.pdf', mimeType: 'application/pdf', buffer: writePdf('Signed') }
const text = {
  name: 'notes.txt',
  mimeType: 'text/plain',
  buffer: Buffer.from('<img src="https://example.com/x.png"> & more'),
}

const view = (page: Page, name: string) =>
  fileRow(page, helen, name).getByRole('button', { name: 'View', exact: true }).click()

/** Whether anything dark was drawn on the page of a PDF. */
const isDrawn = (page: Page) =>
  page.locator('.viewer canvas').evaluate((canvas: HTMLCanvasElement) => {
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] }
    return data.some((value, index) => index % 4 === 0 && value < 100 && (data[index + 3] ?? 0) > 200)
  })

test('files open inside the product, counted, and saved only by Save', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
}) => {
  await test.step('a PDF of the contact counts as a download, and Save does not count again', async () => {
    await upload(amaraPage, pdf)
    await requestAccess(helenPage, amara, pdf.name)
    await decide(amaraPage, pdf.name, 'Approve')
    const row = fileRow(helenPage, amara, pdf.name)
    let downloads = 0
    helenPage.on('download', () => (downloads += 1))
    await row.getByRole('button', { name: 'View', exact: true }).click()
    const viewer = helenPage.getByRole('dialog', { name: pdf.name })
    await expect.poll(() => isDrawn(helenPage)).toBe(true)
    await expect(viewer.getByText('Signed')).toBeAttached()
    await expect(viewer.locator('.watermark')).toBeVisible()
    expect(downloads).toBe(0)
    const saved = helenPage.waitForEvent('download')
    await viewer.getByRole('button', { name: 'Save' }).click()
    const download = await saved
    expect(download.suggestedFilename()).toBe(pdf.name)
    expect(await bytesOf({ name: pdf.name, path: await download.path() })).toEqual(pdf.buffer)
    await helenPage.keyboard.press('Escape')
    await expect(viewer).toBeHidden()
    await expect(row.getByText('2 of 3 downloads left')).toBeVisible()
  })

  await test.step('on a phone the head of the viewer is low, its controls in one row of 44 px', async () => {
    const usual = amaraPage.viewportSize()
    await view(amaraPage, pdf.name)
    await amaraPage.setViewportSize({ width: 360, height: 740 })
    await expect.poll(async () => (await amaraPage.locator('.viewer-frame').boundingBox())?.y).toBeLessThanOrEqual(120)
    await expect(amaraPage.getByText('only if you press Save').last()).toBeInViewport()
    expect(await overflow(amaraPage)).toBeLessThanOrEqual(0)
    if (usual) await amaraPage.setViewportSize(usual)
    await amaraPage.keyboard.press('Escape')
  })

  await test.step('a text is shown as text', async () => {
    await upload(amaraPage, text)
    await view(amaraPage, text.name)
    const viewer = amaraPage.getByRole('dialog', { name: text.name })
    await expect(viewer.getByText(String(text.buffer))).toBeVisible()
    await expect(viewer.locator('img')).toHaveCount(0)
    await amaraPage.keyboard.press('Escape')
    await expect(fileRow(amaraPage, helen, text.name).getByRole('button', { name: 'View' })).toBeFocused()
  })

  await test.step('a photograph is zoomed with the keyboard', async () => {
    await upload(amaraPage, { name: 'scene.jpg', mimeType: 'image/jpeg', buffer: await takePhoto(amaraPage) })
    await view(amaraPage, 'scene.jpg')
    const image = amaraPage.getByRole('dialog', { name: 'scene.jpg' }).getByRole('img', { name: 'scene.jpg' })
    const width = async () => (await image.boundingBox())?.width ?? 0
    await expect(image).toBeVisible()
    const before = await width()
    await amaraPage.keyboard.press('+')
    await expect.poll(width).toBeCloseTo(before * 1.25, 0)
    await amaraPage.keyboard.press('0')
    await expect.poll(width).toBeCloseTo(before, 0)
    await amaraPage.keyboard.press('Escape')
  })

  await test.step('a photograph that was taken upright is shown upright, as its EXIF orientation says', async () => {
    const buffer = await takePhoto(amaraPage, 6)
    await upload(amaraPage, { name: 'upright.jpg', mimeType: 'image/jpeg', buffer })
    await view(amaraPage, 'upright.jpg')
    const image = amaraPage.getByRole('dialog', { name: 'upright.jpg' }).getByRole('img', { name: 'upright.jpg' })
    await expect(image).toBeVisible()
    const { width = 0, height = 0 } = (await image.boundingBox()) ?? {}
    expect(width / height).toBeCloseTo(480 / 640, 1)
    await expectTurnedRight(image)
    await amaraPage.keyboard.press('Escape')
  })

  await test.step('a PDF whose worker the server no longer has asks for a reload', async () => {
    expectComplaint(/404/)
    await amaraPage.route('**/assets/pdf.worker*', (route) => route.fulfill({ status: 404 }))
    await view(amaraPage, pdf.name)
    const viewer = amaraPage.getByRole('dialog', { name: pdf.name })
    await expect(viewer.getByRole('alert')).toHaveText('A part of this page could not be loaded. Reload the page.')
    await amaraPage.unroute('**/assets/pdf.worker*')
    await amaraPage.keyboard.press('Escape')
    await view(amaraPage, pdf.name)
    await expect.poll(() => isDrawn(amaraPage)).toBe(true)
    await amaraPage.keyboard.press('Escape')
  })

  await test.step('a PDF that is none says so, and can still be saved', async () => {
    await upload(amaraPage, { ...pdf, name: 'broken.pdf', buffer: Buffer.from('%PDF-1.4 nothing') })
    await view(amaraPage, 'broken.pdf')
    const viewer = amaraPage.getByRole('dialog', { name: 'broken.pdf' })
    await expect(viewer.getByRole('alert')).toContainText('This file does not open here.')
    await expect(viewer.getByRole('button', { name: 'Save' })).toBeEnabled()
  })
})
