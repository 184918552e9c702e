import { files } from '@privity/contract/files'
import { limits, sealedFileSize } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createTalk, download, fileFields, randomFile, type Talk, upload } from '../../support/scenes/conversation.ts'
import {
  expectRefused,
  failToRegister,
  idIn,
  newAddress,
  objects,
  put,
  startPut,
} from '../../support/scenes/uploads.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { upload: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

describe('an upload', () => {
  test('is stored byte for byte, under a path that its registration answers, again and again', async () => {
    const bytes = randomFile(3_000_000)
    const { uploadURL, response } = await upload(talk.anna, bytes)
    expect(response.status).toBe(200)
    const registered = await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect(registered).toEqual({ filePath: expect.stringMatching(/^\/objects\/[0-9a-f-]{36}$/), fileSize: 3_000_000 })
    for (const fileURL of [uploadURL, server.url + uploadURL, `${uploadURL}?x=1`]) {
      expect(await talk.anna.call(files.register, { body: { fileURL } })).toEqual(registered)
    }
    await talk.send(talk.anna, fileFields(registered.filePath, bytes.length))
    expect((await download(talk.anna, registered.filePath)).bytes).toEqual(bytes)
  })

  test.each(['application/json', 'text/plain', 'multipart/form-data; boundary=x', undefined])(
    'may call itself %j',
    async (type) => {
      const body = new TextEncoder().encode('{"a":')
      const uploadURL = await newAddress(talk.anna)
      const headers = type === undefined ? undefined : { 'content-type': type }
      const response = await talk.anna.fetch(uploadURL, { method: 'PUT', body, headers })
      expect(response.status).toBe(200)
      expect((await talk.anna.call(files.register, { body: { fileURL: uploadURL } })).fileSize).toBe(5)
    },
  )

  test('may be empty', async () => {
    const { uploadURL } = await upload(talk.anna, undefined)
    const { filePath, fileSize } = await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect(fileSize).toBe(0)
    await talk.send(talk.anna, fileFields(filePath, 0))
    const { status, bytes } = await download(talk.anna, filePath)
    expect({ status, length: bytes.length }).toEqual({ status: 200, length: 0 })
  })

  test('has an address for one use, also at the same moment', async () => {
    const uploadURL = await newAddress(talk.anna)
    const statuses = (await Promise.all([put(talk.anna, uploadURL), put(talk.anna, uploadURL)])).map(
      ({ status }) => status,
    )
    expect(statuses.sort()).toEqual([200, 404])
    await expectRefused(put(talk.anna, uploadURL), 404, 'UPLOAD_NOT_FOUND')
    await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    await expectRefused(put(talk.anna, uploadURL), 404, 'UPLOAD_NOT_FOUND')
  })

  test('has an address for 15 minutes, to the millisecond', async () => {
    const [early, late] = [await newAddress(talk.anna), await newAddress(talk.anna)]
    server.clock.advance(limits.uploadAddressValid - 1)
    expect((await put(talk.anna, early)).status).toBe(200)
    server.clock.advance(1)
    await expectRefused(put(talk.anna, late), 404, 'UPLOAD_NOT_FOUND')
  })

  test('of someone else is not found, whatever is done with it', async () => {
    const uploadURL = await newAddress(talk.anna)
    await expectRefused(put(talk.ben, uploadURL), 404, 'UPLOAD_NOT_FOUND')
    expect((await put(talk.anna, uploadURL)).status).toBe(200)
    expect(await failToRegister(talk.ben, uploadURL)).toMatchObject({ status: 404, body: { code: 'UPLOAD_NOT_FOUND' } })
    await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect((await failToRegister(talk.ben, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('by a visitor or another site is refused before its body is read', async () => {
    const uploadURL = await newAddress(talk.anna)
    const body = randomFile(10)
    await expectRefused(server.visitor().fetch(uploadURL, { method: 'PUT', body }), 401, 'NOT_SIGNED_IN')
    const headers = { origin: 'https://elsewhere.example' }
    await expectRefused(talk.anna.fetch(uploadURL, { method: 'PUT', body, headers }), 403, 'ORIGIN_REFUSED')
  })

  test.each(['01900000-0000-7000-8000-000000000000', 'x', '..%2f..%2fprivity.db', '%00', 'a'.repeat(200)])(
    'to the address %s is not found',
    async (id) => {
      await expectRefused(
        put(talk.anna, `/api/objects/uploads/${id}`),
        404,
        id.length < 100 ? 'UPLOAD_NOT_FOUND' : 'NOT_FOUND',
      )
    },
  )
})

describe('a body that is too long', () => {
  const most = sealedFileSize(limits.fileBytes)

  test('is refused before it is sent, where its length is known; the address stays good', async () => {
    const uploadURL = await newAddress(talk.anna)
    const put = startPut(server, talk.anna, uploadURL, `content-length: ${most + 1}`, new Uint8Array(0))
    await put.closed
    expect(put.answer()).toMatch(/^HTTP\/1.1 413 /)
    expect(put.answer()).toContain('"code":"FILE_TOO_LARGE"')
    expect((await upload(talk.anna, randomFile(1))).response.status).toBe(200)
  })

  test('is cut off while it arrives, and nothing of it is left', { timeout: 30_000 }, async () => {
    const before = await objects(server)
    const uploadURL = await newAddress(talk.anna)
    const piece = new Uint8Array(4 * 1024 * 1024)
    let given = 0
    const body = new ReadableStream({
      pull(controller) {
        given += piece.length
        controller.enqueue(piece)
      },
    })
    const init = { method: 'PUT', body, duplex: 'half' } as RequestInit
    const answer = await talk.anna.fetch(uploadURL, init).catch((error: unknown) => error)
    // The server closes the connection: a client may receive the response or only the end of the connection.
    if (answer instanceof Response) expect(answer.status).toBe(413)
    expect(given).toBeGreaterThan(most)
    expect(given).toBeLessThan(most + 64 * 1024 * 1024)
    while ((await server.core.db.read.get('select 1 from uploads where id = ?', [idIn(uploadURL)])) !== undefined)
      await talk.anna.call(files.listPending, {})
    expect(await objects(server)).toEqual(before)
    expect((await failToRegister(talk.anna, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('by nothing at all is accepted', { timeout: 30_000 }, async () => {
    const uploadURL = await newAddress(talk.anna)
    const response = await put(talk.anna, uploadURL, new Uint8Array(most))
    expect(response.status).toBe(200)
    const { fileSize } = await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect(fileSize).toBe(most)
    await server.core.storage.remove(idIn(uploadURL))
  })
})

test('more than 60 addresses in an hour are too many', async () => {
  const limited = await createTestServer()
  try {
    const anna = await limited.signUp()
    for (let i = 0; i < 60; i++) await newAddress(anna)
    expect((await anna.refused(files.createUpload, {})).body.code).toBe('RATE_LIMITED')
  } finally {
    await limited.close()
  }
})

test('at the millisecond of its end a file that was not sent is there no more', async () => {
  const uploadURL = await newAddress(talk.anna)
  await put(talk.anna, uploadURL)
  const registered = await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
  const endIn = (milliseconds: number) =>
    server.core.db.write((tx) =>
      tx.run('update files set expires_at = ? where id = ?', [server.clock.now() + milliseconds, idIn(uploadURL)]),
    )
  await endIn(1)
  expect(await talk.anna.call(files.register, { body: { fileURL: uploadURL } })).toEqual(registered)
  await endIn(0)
  expect((await failToRegister(talk.anna, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
})

describe('files that wait to be sent', () => {
  const wait = (size: number) =>
    server.core.db.write((tx) =>
      tx.run('insert into files (id, owner_id, size, created_at, expires_at) values (?, ?, ?, ?, ?)', [
        crypto.randomUUID(),
        talk.anna.user.id,
        size,
        server.clock.now(),
        server.clock.now() + limits.unregisteredUploadKept,
      ]),
    )

  test('may have 2 GB together, of each user', async () => {
    await wait(limits.unsentUploadBytes - 100)
    const address = await newAddress(talk.anna)
    await expectRefused(put(talk.anna, address, randomFile(101)), 409, 'FILES_FULL')
    expect((await put(talk.anna, await newAddress(talk.anna), randomFile(60))).status).toBe(200)
    await expectRefused(put(talk.anna, address, randomFile(41)), 409, 'FILES_FULL')
    expect((await put(talk.ben, await newAddress(talk.ben), randomFile(101))).status).toBe(200)
    await server.advance(limits.unregisteredUploadKept)
    const later = await newAddress(talk.anna)
    expect((await put(talk.anna, later, randomFile(101))).status).toBe(200)
  })

  test('count as soon as they arrive, by what they say they have', async () => {
    await wait(limits.unsentUploadBytes - 100)
    const first = startPut(server, talk.anna, await newAddress(talk.anna), 'content-length: 80', randomFile(10))
    const second = await newAddress(talk.anna)
    const under = 'select 1 from uploads where owner_id = ? and started_at is not null'
    while ((await server.core.db.read.get(under, [talk.anna.user.id])) === undefined) await newAddress(talk.ben)
    await expectRefused(put(talk.anna, second, randomFile(30)), 409, 'FILES_FULL')
    expect((await put(talk.anna, second, randomFile(20))).status).toBe(200)
    first.socket.destroy()
    await first.closed
  })
})
