import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { limits } from '@privity/contract/limits'
import { toast } from '../../support/members/account.ts'
import { hashOfFile, writeBigFile } from '../../support/files/bigFile.ts'
import { conversation, openConversation } from '../../support/members/conversation.ts'
import { bytesOf, decide, download, fileRow, requestAccess, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { writePdf } from '../../support/files/pdf.ts'
import { amara, helen } from '../../support/members/people.ts'
import { camera, takePhoto } from '../../support/files/photo.ts'

const pdf = { name: 'custodian statement, signed.pdf', mimeType: 'application/pdf', buffer: writePdf('Signed') }

/** URLs of the files of the only connection, as this browser can request them. */
async function filePaths(page: Page): Promise<string[]> {
  const [{ id }] = (await (await page.request.get('/api/connections')).json()) as [{ id: string }]
  const messages = (await (await page.request.get(`/api/connections/${id}/messages`)).json()) as { filePath?: string }[]
  return messages.flatMap(({ filePath }) => filePath ?? [])
}

test('files arrive as they were sent, once approved, and at most three times', async ({
  pair: { amaraPage, helenPage },
}) => {
  await test.step('a PDF: asked for, approved, three downloads and no fourth', async () => {
    await upload(amaraPage, pdf)
    await expect(toast(amaraPage, 'File shared!')).toBeVisible()
    await expect(toast(amaraPage, `${pdf.name} uploaded successfully`)).toBeVisible()
    await expect(fileRow(amaraPage, helen, pdf.name).getByText('Ready to download')).toBeVisible()
    expect(await bytesOf(await download(amaraPage, helen, pdf.name))).toEqual(pdf.buffer)

    const [path] = await filePaths(helenPage)
    expect((await helenPage.request.get(String(path))).status()).toBe(403)
    await requestAccess(helenPage, amara, pdf.name)
    expect((await helenPage.request.get(String(path))).status()).toBe(403)
    await expect(amaraPage.getByText('1 request is waiting for your decision.')).toBeVisible()
    await decide(amaraPage, pdf.name, 'Approve')

    const row = fileRow(helenPage, amara, pdf.name)
    await expect(row.getByText('Download authorized')).toBeVisible()
    for (const left of [3, 2, 1]) {
      await expect(row.getByText(`${left} of 3 downloads left`)).toBeVisible()
      const downloaded = await download(helenPage, amara, pdf.name)
      expect(downloaded.name).toBe(pdf.name)
      expect(await bytesOf(downloaded)).toEqual(pdf.buffer)
    }
    await expect(row.getByRole('button', { name: 'Request Access' })).toBeVisible()
    await expect(row.getByRole('button', { name: 'Download', exact: true })).toBeHidden()
    expect((await helenPage.request.get(String(path))).status()).toBe(403)
  })

  await test.step('a denied request stays denied', async () => {
    const denied = { ...pdf, name: 'not for everyone.pdf' }
    await upload(amaraPage, denied)
    await requestAccess(helenPage, amara, denied.name)
    await decide(amaraPage, denied.name, 'Deny')
    const row = fileRow(helenPage, amara, denied.name)
    await expect(row.getByRole('button', { name: 'Access denied' })).toBeDisabled()
    await helenPage.reload()
    await openConversation(helenPage, amara)
    await expect(row.getByRole('button', { name: 'Access denied' })).toBeDisabled()
    const path = (await filePaths(helenPage)).at(-1)
    expect((await helenPage.request.get(String(path))).status()).toBe(403)
  })

  await test.step('a photograph arrives without its EXIF, or with it where the sender wants that', async () => {
    const buffer = await takePhoto(amaraPage)
    expect(buffer.includes(camera)).toBe(true)
    await upload(amaraPage, { name: 'scene.jpg', mimeType: 'image/jpeg', buffer })
    await requestAccess(helenPage, amara, 'scene.jpg')
    await decide(amaraPage, 'scene.jpg', 'Approve')
    const clean = await bytesOf(await download(helenPage, amara, 'scene.jpg'))
    expect(clean.includes(camera)).toBe(false)
    expect(clean.includes('Exif')).toBe(false)
    const size = await helenPage.evaluate(async (base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0)
      const { width, height } = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }))
      return { width, height }
    }, clean.toString('base64'))
    expect(size).toEqual({ width: 640, height: 480 })

    await amaraPage.getByRole('button', { name: 'Upload options' }).click()
    await amaraPage.getByText('Remove photo metadata (EXIF)').click()
    await amaraPage.keyboard.press('Escape')
    await upload(amaraPage, { name: 'evidence.jpg', mimeType: 'image/jpeg', buffer })
    await expect(fileRow(amaraPage, helen, 'evidence.jpg').getByText('Ready to download')).toBeVisible()
    expect(await bytesOf(await download(amaraPage, helen, 'evidence.jpg'))).toEqual(buffer)
  })

  await test.step('a file of no bytes, and one with an unusual name', async () => {
    const name = 'Ünïcode “名前” 100%.bin'
    const buffer = randomBytes(1_500_000)
    await upload(amaraPage, { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) })
    await upload(amaraPage, { name, mimeType: 'application/octet-stream', buffer })
    const nothing = await download(amaraPage, helen, 'nothing.txt')
    expect(nothing.name).toBe('nothing.txt')
    expect(await bytesOf(nothing)).toEqual(Buffer.alloc(0))
    expect(await bytesOf(await download(amaraPage, helen, name))).toEqual(buffer)
  })

  await test.step('a file dropped on the conversation is shared', async () => {
    const data = await amaraPage.evaluateHandle(() => {
      const transfer = new DataTransfer()
      transfer.items.add(new File(['dropped'], 'dropped.txt', { type: 'text/plain' }))
      return transfer
    })
    for (const type of ['dragenter', 'dragover', 'drop'])
      await conversation(amaraPage, helen).dispatchEvent(type, { dataTransfer: data })
    expect(await bytesOf(await download(amaraPage, helen, 'dropped.txt'))).toEqual(Buffer.from('dropped'))
  })

  await test.step('one byte more is refused before any upload', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'privity-big-'))
    const path = join(folder, 'too long.bin')
    await writeFile(path, '')
    await truncate(path, limits.fileBytes + 1)
    let asked = false
    amaraPage.on('request', (request) => {
      asked ||= request.url().endsWith('/api/objects/upload')
    })
    await upload(amaraPage, path)
    await expect(toast(amaraPage, 'Files can be up to 100 MB.')).toBeVisible()
    expect(asked).toBe(false)
    await rm(folder, { recursive: true })
  })
})

test.describe('100 MB', () => {
  test.describe.configure({ timeout: 240_000 })
  let folder: string
  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-big-'))
  })
  test.afterEach(() => rm(folder, { recursive: true, force: true }))

  test('a file of exactly the limit arrives byte for byte', async ({ pair: { amaraPage, helenPage } }) => {
    const path = join(folder, 'recording.bin')
    const hash = await writeBigFile(path, limits.fileBytes)
    await upload(amaraPage, path)
    await expect(fileRow(amaraPage, helen, 'recording.bin').getByText('Ready to download')).toBeVisible({
      timeout: 120_000,
    })
    await requestAccess(helenPage, amara, 'recording.bin')
    await decide(amaraPage, 'recording.bin', 'Approve')
    const downloaded = await download(helenPage, amara, 'recording.bin')
    expect(await hashOfFile(downloaded.path)).toBe(hash)
  })
})
