import { copyFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import type { FileStatus } from '@privity/contract/files'
import { createFileKey, fileBinding, newId } from '@privity/e2ee'
import { encryptFile } from '@privity/e2ee/fileEncryption'
import { downloadAndDecrypt, encryptBlob } from '../../src/index.ts'
import { createStage } from '../support/stage.ts'
import { approve, bytesOf, download, ended, type FileMessage, share, shared } from '../support/fileSharing.ts'

test('a cancelled download saves nothing and does not count', async () => {
  await using stage = await createStage()
  const { anna, ben, message } = await shared(stage)
  await approve(anna, ben, message)
  const saved: string[] = []
  ben.network.tampersBytes = (bytes) => {
    ben.client.files.cancel(id)
    return bytes
  }
  const id = ben.client.files.download(message, async (name) => void saved.push(name))
  expect((await ended(ben, id)).phase).toBe('cancelled')
  expect(saved).toEqual([])
})

test('a file that was altered, cut off, reordered or exchanged is not saved', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  await approve(anna, ben, message)
  const segment = 1024 * 1024
  const flipped = (at: number) => (bytes: Uint8Array<ArrayBuffer>) => {
    bytes[at] = (bytes[at] as number) ^ 1
    return bytes
  }
  const attacks = [
    flipped(5),
    flipped(segment + 10),
    flipped(2_500_000),
    (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, 2 * segment),
    (bytes: Uint8Array<ArrayBuffer>) => bytes.slice(0, -1),
    (bytes: Uint8Array<ArrayBuffer>) => Uint8Array.from([...bytes.slice(0, segment), ...bytes.slice(2 * segment)]),
    () => new Uint8Array(0),
  ]
  // The owner's own download is verified alike, and is not counted.
  const [own] = await anna.client.messages.list(connectionId)
  for (const attack of attacks) {
    anna.network.tampersBytes = attack
    const { transfer, saved } = await download(anna, own as FileMessage)
    expect(transfer).toMatchObject({ phase: 'failed', error: expect.stringMatching(/Nothing was saved/) })
    expect(saved).toEqual([])
  }
  ben.network.tampersBytes = flipped(segment + 10)
  expect((await download(ben, message)).saved).toEqual([])
})

test('another file of the same sender in its place is not saved', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  const other = await share(anna, ben, connectionId, new File([bytesOf(2_500_000).fill(7)], 'other.pdf'))
  const path = ({ filePath }: FileMessage) => `${stage.server.dataDir}/${filePath}`
  await copyFile(path(other), path(message))
  await approve(anna, ben, message)
  const { transfer, saved } = await download(ben, message)
  expect(transfer).toMatchObject({ phase: 'failed', error: expect.stringMatching(/Nothing was saved/) })
  expect(saved).toEqual([])
})

test('a grant that was exchanged for that of another file opens nothing', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId, message } = await shared(stage)
  const other = await share(anna, ben, connectionId, new File([bytesOf(100)], 'other.pdf'))
  await approve(anna, ben, message)
  await approve(anna, ben, other)
  const { grant } = await ben.client.files.status(other.filePath)
  ben.network.tampers = (request, answer) =>
    request.includes('/check/') ? { ...(answer as FileStatus), grant } : answer
  const { transfer, saved } = await download(ben, message)
  expect(transfer.phase).toBe('failed')
  expect(saved).toEqual([])
})

test('approval waits for a changed key to be accepted', async () => {
  await using stage = await createStage()
  const { anna, ben, message } = await shared(stage)
  await ben.client.files.request(message)
  const [request] = await anna.client.files.pending()
  const mallory = await stage.signUp('mallory')
  await stage.server.core.db.write((tx) =>
    tx.run('update users set identity_key = (select identity_key from users where id = ?) where id = ?', [
      mallory.user.id,
      ben.user.id,
    ]),
  )
  await anna.client.trust.state(request?.connectionId ?? '')
  const deciding = anna.client.files.decide(request as NonNullable<typeof request>, true)
  await expect(deciding).rejects.toMatchObject({ code: 'KEY_CHANGED' })
  expect(await anna.client.files.pending()).toHaveLength(1)
})

test('a name that could mislead or leave its folder is made harmless', async () => {
  await using stage = await createStage()
  const names: [string, string][] = [
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
    ['..', 'file'],
    [`${'n'.repeat(300)}.docx`, `${'n'.repeat(250)}.docx`],
  ]
  const { anna, ben, connectionId } = await stage.pair()
  for (const [given, kept] of names) {
    const message = await share(anna, ben, connectionId, new File(['x'], given))
    expect(message.body).toMatchObject({ name: kept })
  }
})

test('other bytes under the same key and binding are not the file that was sent', async () => {
  const fileKey = createFileKey()
  const aad = fileBinding({ userId: newId(1), messageId: newId(2) })
  const { signal } = new AbortController()
  const seal = (text: string) => encryptBlob({ file: new Blob([text]), fileKey, aad }, () => {}, signal)
  const [sent, other] = [await seal('The contract'), await seal('The contraxt')]
  const open = (ciphertext: Blob, size: number) => {
    const job = {
      url: 'http://privity.test/objects/1',
      fileKey,
      aad,
      bodyHash: sent.bodyHash,
      size,
      type: 'text/plain',
    }
    return downloadAndDecrypt(
      job,
      () => {},
      signal,
      async () => new Response(ciphertext),
    )
  }
  expect(await (await open(sent.ciphertext, 12)).text()).toBe('The contract')
  await expect(open(other.ciphertext, 12)).rejects.toMatchObject({ code: 'HASH_MISMATCH' })
  await expect(open(sent.ciphertext, 13)).rejects.toMatchObject({ code: 'HASH_MISMATCH' })
})

test('no more of a file is taken in than its message announced', async () => {
  const [fileKey, aad, mebibyte] = [createFileKey(), new Uint8Array(1), 1024 * 1024]
  const segments: Uint8Array<ArrayBuffer>[] = []
  for await (const segment of encryptFile(fileKey, new Blob([new Uint8Array(8 * mebibyte)]).stream(), aad))
    segments.push(segment)
  let taken = 0
  let cancelled = false
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const segment = segments[taken++]
        if (segment) controller.enqueue(segment)
        else controller.close()
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  )
  const job = { url: 'http://privity.test/objects/x', fileKey, aad, bodyHash: '', size: 1000, type: '' }
  const progress: number[] = []
  const opening = downloadAndDecrypt(
    job,
    (done) => void progress.push(done),
    new AbortController().signal,
    async () => new Response(body),
  )
  await expect(opening).rejects.toMatchObject({ code: 'HASH_MISMATCH' })
  expect(cancelled).toBe(true)
  expect(taken).toBeLessThan(segments.length)
  expect(progress).toEqual([])
})
