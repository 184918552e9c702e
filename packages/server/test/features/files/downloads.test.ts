import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { files } from '@privity/contract/files'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import {
  approve,
  checkFile,
  countRows,
  createTalk,
  download,
  grantFor,
  randomFile,
  type SentFile,
  type Talk,
} from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
let file: SentFile
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many, upload: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
  file = await talk.sendFile(talk.anna)
})

const left = async (filePath = file.filePath) => (await checkFile(talk.ben, filePath)).downloadsLeft
const refusal = ({ status, bytes }: { status: number; bytes: Uint8Array }) => ({
  status,
  code: (JSON.parse(Buffer.from(bytes).toString()) as { code: string }).code,
})
const notAuthorized = { status: 403, code: 'DOWNLOAD_NOT_AUTHORIZED' }
const usedUp = { status: 403, code: 'DOWNLOADS_USED_UP' }

/** A file far larger than the socket buffers of both sides, so that a download can be stopped halfway. */
const sendLargeFile = () => talk.sendFile(talk.anna, randomFile(60_000_000))

/** Begins a download without reading it on. */
async function begin(member: Member, filePath: string): Promise<IncomingMessage> {
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(server.url + filePath, { headers: { cookie }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

async function breakOff(response: IncomingMessage): Promise<void> {
  response.destroy()
  await once(response, 'close')
}

/** Waits until the server has processed the end of a download. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await talk.ben.call(files.listPending, {})
}

describe('a download', () => {
  test('by the owner is always possible, and not counted', async () => {
    for (let i = 0; i < 5; i++) {
      const { status, bytes } = await download(talk.anna, file.filePath)
      expect(status).toBe(200)
      expect(bytes).toEqual(file.bytes)
    }
  })

  test('is never a document, and never kept by a cache', async () => {
    const { headers } = await download(talk.anna, file.filePath)
    expect(headers.get('content-length')).toBe(String(file.bytes.length))
    expect(headers.get('content-type')).toBe('application/octet-stream')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-disposition')).toBe('attachment')
    expect(headers.get('content-security-policy')).toContain('sandbox')
  })

  test('by the recipient needs approval: three, and no fourth', async () => {
    const { anna, ben } = talk
    expect(refusal(await download(ben, file.filePath))).toEqual(notAuthorized)
    const socket = await ben.socket()
    const { authorizationId = '' } = await ben.call(files.request, { body: { filePath: file.filePath } })
    await socket.next('authorization_changed')
    expect(refusal(await download(ben, file.filePath))).toEqual(notAuthorized)
    const grant = await grantFor(server, authorizationId)
    await anna.call(files.decide, { params: { id: authorizationId }, body: { authorize: true, grant } })
    await socket.next('authorization_changed')
    for (const remaining of [2, 1, 0]) {
      expect((await download(ben, file.filePath)).bytes).toEqual(file.bytes)
      const { status } = await socket.next('authorization_changed')
      expect(status).toMatchObject({ status: remaining > 0 ? 'authorized' : 'none', downloadsLeft: remaining })
    }
    expect(refusal(await download(ben, file.filePath))).toEqual(usedUp)
    expect(await checkFile(ben, file.filePath)).toEqual({ status: 'none', authorizationId, downloadsLeft: 0 })
    // After the last download, the authorization is used up, and a request is pending like a first one.
    expect((await ben.call(files.request, { body: { filePath: file.filePath } })).status).toBe('pending')
    expect(refusal(await download(ben, file.filePath))).toEqual(notAuthorized)
  })

  test('after the only one that was approved is refused without naming a number', async () => {
    await approve(talk.anna, talk.ben, file.filePath, 1)
    expect((await download(talk.ben, file.filePath)).status).toBe(200)
    const { bytes } = await download(talk.ben, file.filePath)
    const { code, message } = JSON.parse(Buffer.from(bytes).toString()) as { code: string; message: string }
    expect([code, message]).toEqual(['DOWNLOADS_USED_UP', 'No downloads are left. Request the file again.'])
  })

  test('8 at once by a recipient with three: three', async () => {
    await approve(talk.anna, talk.ben, file.filePath)
    const answers = await Promise.all(Array.from({ length: 8 }, () => download(talk.ben, file.filePath)))
    const [given, refused] = [200, 403].map((wanted) => answers.filter(({ status }) => status === wanted))
    expect(given).toHaveLength(3)
    for (const { bytes } of given ?? []) expect(bytes).toEqual(file.bytes)
    expect(refused).toHaveLength(5)
    expect(refused?.map(refusal)).toEqual(Array.from({ length: 5 }, () => usedUp))
    expect(await left()).toBe(0)
  })

  test('as many as the owner said', async () => {
    await approve(talk.anna, talk.ben, file.filePath, 1)
    expect((await download(talk.ben, file.filePath)).status).toBe(200)
    expect(refusal(await download(talk.ben, file.filePath))).toEqual(usedUp)
  })

  test('knows no HEAD and no part of a file: nothing is counted for less than all of it', async () => {
    await approve(talk.anna, talk.ben, file.filePath)
    const head = await talk.ben.fetch(file.filePath, { method: 'HEAD' })
    expect(head.status).toBe(404)
    expect(await left()).toBe(3)
    const part = await talk.ben.fetch(file.filePath, { headers: { range: 'bytes=0-1' } })
    expect(part.status).toBe(200)
    expect((await part.arrayBuffer()).byteLength).toBe(file.bytes.length)
    expect(await left()).toBe(2)
  })

  test('does not exist for a visitor, a stranger, or under another path', async () => {
    const stranger = (await createTalk(server)).anna
    const before = await countRows(server)
    const visitor = await server.visitor().fetch(file.filePath)
    expect(visitor.status).toBe(401)
    expect(refusal(await download(stranger, file.filePath))).toEqual({ status: 404, code: 'FILE_NOT_FOUND' })
    for (const path of ['/objects/x', '/objects/01900000-0000-7000-8000-000000000000', '/objects/..%2fprivity.db']) {
      expect(refusal(await download(talk.anna, path)), path).toEqual({ status: 404, code: 'FILE_NOT_FOUND' })
    }
    expect(await countRows(server)).toEqual(before)
  })
})

describe('a download that breaks', () => {
  test('before its last byte gives its count back', { timeout: 30_000 }, async () => {
    const { filePath } = await sendLargeFile()
    await approve(talk.anna, talk.ben, filePath)
    for (let i = 0; i < 5; i++) {
      const response = await begin(talk.ben, filePath)
      expect(response.statusCode).toBe(200)
      expect(await left(filePath)).toBe(2)
      await breakOff(response)
      await until(async () => (await left(filePath)) === 3)
    }
    const { bytes } = await download(talk.ben, filePath)
    expect(bytes).toHaveLength(60_000_000)
    expect(await left(filePath)).toBe(2)
  })

  test('while others are under way never makes a fourth', { timeout: 30_000 }, async () => {
    const { filePath } = await sendLargeFile()
    await approve(talk.anna, talk.ben, filePath)
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin(talk.ben, filePath)))
    const under = begun.filter(({ statusCode }) => statusCode === 200)
    expect(under).toHaveLength(3)
    await breakOff(under[0] as IncomingMessage)
    await until(async () => (await left(filePath)) === 1)
    const again = await Promise.all(Array.from({ length: 4 }, () => begin(talk.ben, filePath)))
    expect(again.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    for (const response of [...begun, ...again]) response.destroy()
    await until(async () => (await left(filePath)) === 3)
  })

  test(
    'after it was revoked or used up under an earlier approval gives nothing back',
    { timeout: 30_000 },
    async () => {
      const { anna, ben } = talk
      const { filePath } = await sendLargeFile()
      const authorizationId = await approve(anna, ben, filePath)
      await begin(ben, filePath)
      const socket = await ben.socket()
      await anna.call(files.decide, { params: { id: authorizationId }, body: { authorize: false } })
      expect((await download(ben, filePath)).status).toBe(403)
      // One notice for the decision, one when the ended download is released.
      for (let at = 0; at < 2; at++)
        expect((await socket.next('authorization_changed')).status).toEqual({ status: 'denied', authorizationId })

      const second = await sendLargeFile()
      await approve(anna, ben, second.filePath, 1)
      const last = await begin(ben, second.filePath)
      await approve(anna, ben, second.filePath, 3)
      const later = await ben.socket()
      await breakOff(last)
      expect((await later.next('authorization_changed')).status).toMatchObject({ downloadsLeft: 3 })
    },
  )

  test('after its owner allowed it again gives nothing back', { timeout: 30_000 }, async () => {
    const { anna, ben } = talk
    const { filePath } = await sendLargeFile()
    const id = await approve(anna, ben, filePath, 1)
    const last = await begin(ben, filePath)
    const grant = await grantFor(server, id)
    await anna.call(files.decide, { params: { id }, body: { authorize: true, grant } })
    const socket = await ben.socket()
    await breakOff(last)
    expect((await socket.next('authorization_changed')).status).toMatchObject({ downloadsLeft: 3 })
  })

  test('because its file expires is cut off', { timeout: 30_000 }, async () => {
    const { filePath } = await sendLargeFile()
    await approve(talk.anna, talk.ben, filePath)
    const response = await begin(talk.ben, filePath)
    await server.core.db.write((tx) =>
      tx.run('update files set expires_at = ? where id = ?', [server.clock.now() + 1, filePath.slice(-36)]),
    )
    await breakOff(response)
    await until(async () => (await left(filePath)) === 3)
    const owners = await begin(talk.anna, filePath)
    server.clock.advance(1)
    owners.resume()
    await new Promise((resolve) => void owners.once('close', resolve))
    expect(owners.complete).toBe(false)
  })

  test('because the server stops gives its count back at the next start', async () => {
    await approve(talk.anna, talk.ben, file.filePath)
    const row = await server.core.db.read.get<{ id: string }>('select id from file_authorizations where file_id = ?', [
      file.filePath.slice(-36),
    ])
    // The state after a kill: one download finished, one in progress.
    await server.core.db.write(async (tx) => {
      const insert = 'insert into file_downloads (id, authorization_id, started_at, finished_at) values (?, ?, 1, ?)'
      await tx.run(insert, ['finished', row?.id ?? '', 2])
      await tx.run(insert, ['under way', row?.id ?? '', null])
      await tx.run('update file_authorizations set downloads_left = 1 where id = ?', [row?.id ?? ''])
    })
    await server.restart()
    expect(await left()).toBe(2)
  })
})

test('uploads, downloads, denials and revocations are in the audit log; names and keys are not', async () => {
  const { anna, ben } = talk
  const entries = () =>
    server.core.db.read.all<{ action: string; actor_id: string; target_id: string; details: string }>(
      'select action, actor_id, target_id, details from audit_log order by seq',
    )
  const before = (await entries()).length
  const second = await talk.sendFile(anna)
  const authorizationId = await approve(anna, ben, second.filePath)
  await download(ben, second.filePath)
  await download(anna, second.filePath)
  await anna.call(files.decide, { params: { id: authorizationId }, body: { authorize: false } })
  const { authorizationId: id = '' } = await ben.call(files.request, { body: { filePath: file.filePath } })
  await anna.call(files.decide, { params: { id }, body: { authorize: false } })
  const added = (await entries()).slice(before)
  expect(added.map(({ action }) => action)).toEqual([
    'upload_created',
    'file_uploaded',
    'file_registered',
    'file_access_requested',
    'file_access_approved',
    'file_downloaded',
    'file_downloaded',
    'file_access_revoked',
    'file_access_requested',
    'file_access_denied',
  ])
  expect(added[5]).toMatchObject({ actor_id: ben.user.id, target_id: anna.user.id })
  expect(added[6]).toMatchObject({ actor_id: anna.user.id, target_id: anna.user.id })
  const text = JSON.stringify(added)
  for (const secret of [second.fileName, second.fileKey, second.content])
    expect(text).not.toContain(secret?.slice(0, 20))
})
