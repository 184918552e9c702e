import type { Page } from '@playwright/test'
import { toast } from '../../support/members/account.ts'
import { composer, conversation } from '../../support/members/conversation.ts'
import { limits } from '@privity/contract/limits'
import { stored } from '../../support/servers/database.ts'
import { bytesOf, download, fileRow, upload } from '../../support/files/files.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const file = { name: 'report.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(300_000, 'privity') }

/** Holds this browser's uploads: `begun` resolves at the first one, `decide` lets them through or aborts them. */
async function holdUploads(page: Page) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: decided, resolve: decide } = Promise.withResolvers<'continue' | 'abort'>()
  await page.route('**/api/objects/uploads/*', async (route) => {
    begin()
    const decision = await decided
    await (decision === 'abort' ? route.abort() : route.continue()).catch(() => {})
  })
  return { begun, decide }
}

const uploading = (page: Page, name: string) =>
  conversation(page, helen).getByRole('article', { name: `Uploading ${name}` })

test('uploads: pasted, cancelled, refused and sent again, begun without a connection', async ({
  pair: { amaraPage, helenPage },
  expectComplaint,
  server,
}) => {
  await test.step('a pasted file is shared', async () => {
    await composer(amaraPage, helen).focus()
    await composer(amaraPage, helen).evaluate((field) => {
      const clipboardData = new DataTransfer()
      clipboardData.items.add(new File(['pasted'], 'pasted.txt', { type: 'text/plain' }))
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    })
    await expect(fileRow(helenPage, amara, 'pasted.txt')).toBeVisible()
    expect(await bytesOf(await download(amaraPage, helen, 'pasted.txt'))).toEqual(Buffer.from('pasted'))
  })

  await test.step('an upload that is cancelled sends nothing', async () => {
    expectComplaint(/ERR_FAILED/)
    const { begun, decide } = await holdUploads(amaraPage)
    await upload(amaraPage, file)
    await begun
    await uploading(amaraPage, file.name).getByRole('button', { name: 'Cancel upload' }).click()
    await expect(uploading(amaraPage, file.name)).toBeHidden()
    decide('abort')
    await amaraPage.unroute('**/api/objects/uploads/*')
    await upload(amaraPage, { ...file, name: 'instead.bin' })
    await expect(fileRow(helenPage, amara, 'instead.bin')).toBeVisible()
    await expect(fileRow(helenPage, amara, file.name)).toHaveCount(0)
    await expect(conversation(amaraPage, helen).getByRole('article')).toHaveCount(2)
  })

  await test.step('an upload that the server refuses stays, and Retry sends it', async () => {
    expectComplaint(/403/)
    await amaraPage.route('**/api/objects/uploads/*', (route) => route.fulfill({ status: 403 }))
    await upload(amaraPage, file)
    const row = uploading(amaraPage, file.name)
    await expect(row.getByText('Upload failed')).toBeVisible()
    await expect(toast(amaraPage, 'Upload failed')).toBeVisible()
    await amaraPage.unroute('**/api/objects/uploads/*')
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(fileRow(helenPage, amara, file.name)).toBeVisible()
    expect(await bytesOf(await download(amaraPage, helen, file.name))).toEqual(file.buffer)
  })

  await test.step('an upload that a server answers with 503 goes on by itself', async () => {
    expectComplaint(/503/)
    await amaraPage.route('**/api/objects/uploads/*', (route) => route.fulfill({ status: 503 }))
    await upload(amaraPage, { ...file, name: 'again.bin' })
    await expect(uploading(amaraPage, 'again.bin').getByText('Upload interrupted')).toBeVisible()
    await amaraPage.unroute('**/api/objects/uploads/*')
    await expect(fileRow(helenPage, amara, 'again.bin')).toBeVisible()
  })

  await test.step('an upload whose worker the server no longer has asks for a reload', async () => {
    expectComplaint(/404/)
    await amaraPage.route('**/assets/fileWorker*', (route) => route.fulfill({ status: 404 }))
    await upload(amaraPage, { ...file, name: 'no worker.bin' })
    const row = uploading(amaraPage, 'no worker.bin')
    await expect(row.getByText('A part of this page could not be loaded. Reload the page.')).toBeVisible()
    await amaraPage.unroute('**/assets/fileWorker*')
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(fileRow(helenPage, amara, 'no worker.bin')).toBeVisible()
  })

  await test.step('an account whose files take up all its room is told so where the upload stands', async () => {
    expectComplaint(/409 \(Conflict\) .*\/api\/objects\/uploads/)
    const full = `insert into files (id, owner_id, size, created_at, message_id, expires_at)
      select 'all its room', id, ?, ?, 'sent', ? from users where username = ?`
    await stored(server, full, limits.accountFileBytes, Date.now(), Date.now() + 3_600_000, amara.username)
    await upload(amaraPage, { ...file, name: 'no room.bin' })
    const row = uploading(amaraPage, 'no room.bin')
    await expect(row.getByText('Your storage is full.')).toBeVisible()
    await stored(server, "delete from files where message_id = 'sent'")
    await row.getByRole('button', { name: 'Retry' }).click()
    await expect(fileRow(helenPage, amara, 'no room.bin')).toBeVisible()
  })

  await test.step('an upload begun without a connection goes on by itself when it is back', async () => {
    expectComplaint(
      /ERR_INTERNET_DISCONNECTED|The server cannot be reached|Failed to fetch dynamically imported module|Unable to preload CSS/,
    )
    await amaraPage.context().setOffline(true)
    await upload(amaraPage, { ...file, name: 'later.bin' })
    const row = uploading(amaraPage, 'later.bin')
    await expect(row.getByText('Upload interrupted')).toBeVisible()
    await expect(row.getByText('The upload restarts automatically once the server can be reached.')).toBeVisible()
    await amaraPage.context().setOffline(false)
    await expect(fileRow(helenPage, amara, 'later.bin')).toBeVisible({ timeout: 30_000 })
    await expect(fileRow(amaraPage, helen, 'later.bin').getByText('Ready to download')).toBeVisible()
  })
})

test('downloads: cancelled, broken off, and started again', async ({ amaraPage, expectComplaint }) => {
  await test.step('a download survives a double click; one that is cancelled saves nothing and starts again', async () => {
    expectComplaint(/ERR_FAILED|ERR_ABORTED/)
    await upload(amaraPage, file)
    const row = fileRow(amaraPage, helen, file.name)
    await expect(row.getByText('Ready to download')).toBeVisible()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>()
    const saved: string[] = []
    amaraPage.on('download', (one) => saved.push(one.suggestedFilename()))
    await amaraPage.context().route('**/objects/*', async (route) => {
      begin()
      await cancelled
      await route.continue().catch(() => {})
    })
    await row.getByRole('button', { name: 'Download', exact: true }).click()
    await begun
    const cross = row.getByRole('button', { name: 'Cancel download' })
    await cross.dispatchEvent('click', { detail: 2 })
    await cross.click()
    await expect(row.getByRole('button', { name: 'Download', exact: true })).toBeVisible()
    await expect(toast(amaraPage, 'Unable to download the file')).toHaveCount(0)
    cancel()
    await amaraPage.context().unroute('**/objects/*')
    expect(await bytesOf(await download(amaraPage, helen, file.name))).toEqual(file.buffer)
    expect(saved).toEqual([file.name])
  })

  await test.step('a download that breaks off says so and can be started again', async () => {
    const row = fileRow(amaraPage, helen, file.name)
    await expect(row.getByText('Ready to download')).toBeVisible()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    await amaraPage.context().route('**/objects/*', async (route) => {
      begin()
      await route.abort().catch(() => {})
    })
    await row.getByRole('button', { name: 'Download', exact: true }).click()
    await begun
    await expect(toast(amaraPage, 'Unable to download the file')).toBeVisible()
    await amaraPage.context().unroute('**/objects/*')
    expect(await bytesOf(await download(amaraPage, helen, file.name))).toEqual(file.buffer)
  })
})
