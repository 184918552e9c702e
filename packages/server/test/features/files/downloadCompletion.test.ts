import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { files } from '@privity/contract/files'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  approve,
  checkFile,
  createTalk,
  download,
  randomFile,
  type SentFile,
  type Talk,
} from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
let file: SentFile
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
  file = await talk.sendFile(talk.anna)
})

test('at the millisecond of its end a file is nowhere any more, and a millisecond before it is', async () => {
  const { anna, ben } = talk
  await approve(anna, ben, file.filePath)
  const other = await talk.sendFile(anna)
  await ben.call(files.request, { body: { filePath: other.filePath } })
  const answers = async () => {
    const requests = await anna.call(files.listPending, {})
    const check = await ben.request('GET', `/api/file-authorizations/check${file.filePath}`)
    const downloads = [await download(ben, file.filePath), await download(anna, file.filePath)]
    return [...downloads.map(({ status }) => status), check.status, requests.length]
  }
  const endAt = (time: number) =>
    server.core.db.write((tx) => tx.run('update files set expires_at = ? where owner_id = ?', [time, anna.user.id]))
  await endAt(server.clock.now() + 1)
  expect(await answers()).toEqual([200, 200, 200, 1])
  await endAt(server.clock.now())
  expect(await answers()).toEqual([404, 404, 404, 0])
})

test.each([100, 64 * 1024, 64 * 1024 + 1, 300_000])(
  'the last 64 KiB of %d bytes leave only when the download is written down as done',
  async (size) => {
    const { filePath, bytes } = await talk.sendFile(talk.anna, randomFile(size))
    await approve(talk.anna, talk.ben, filePath)
    const { db } = server.core
    const { write } = db
    using gate = createGate()
    let writes = 0
    db.write = async (work) => {
      writes += 1
      // The first write reserves the download.
      if (writes === 2) await gate.pass()
      return write(work)
    }
    const cookie = [...talk.ben.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const request = get(server.url + filePath, { headers: { cookie }, agent: false })
    const taken: Buffer[] = []
    const ended = once(request, 'response').then(([response]) => {
      ;(response as IncomingMessage).on('data', (chunk: Buffer) => void taken.push(chunk))
      return once(response as IncomingMessage, 'end')
    })
    await gate.reached
    const first = Math.max(0, bytes.length - 64 * 1024)
    await expect.poll(() => Buffer.concat(taken).length).toBeGreaterThanOrEqual(first)
    // After a round trip of another request, everything sent before has arrived.
    await checkFile(talk.ben, filePath)
    expect(Buffer.concat(taken)).toHaveLength(first)
    gate.open()
    await ended
    db.write = write
    expect(Buffer.concat(taken).equals(bytes)).toBe(true)
  },
)

test('a download that another process has revoked meanwhile does not get the end', async () => {
  const { filePath } = await talk.sendFile(talk.anna, randomFile(300_000))
  await approve(talk.anna, talk.ben, filePath)
  const { db } = server.core
  const { write } = db
  let writes = 0
  db.write = async (work) => {
    writes += 1
    // The second write would count the download. A denial deletes its reservation; this process gets no notice.
    if (writes === 2) await write((tx) => tx.run('delete from file_downloads'))
    return write(work)
  }
  const cookie = [...talk.ben.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(server.url + filePath, { headers: { cookie }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let taken = 0
  response.on('error', () => {}).on('data', (chunk: Buffer) => void (taken += chunk.length))
  await new Promise((resolve) => void response.once('close', resolve))
  db.write = write
  expect(taken).toBeLessThanOrEqual(300_000 - 64 * 1024)
})
