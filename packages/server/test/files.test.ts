import { connect } from 'node:net'
import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { files } from '@privity/contract/files'
import { limits, sealedFileSize } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from './harness.ts'
import {
  countRows,
  createTalk,
  download,
  fileFields,
  randomFile,
  registerFile,
  type Talk,
  upload,
} from './harnessTalk.ts'

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

const newAddress = async (member: Member) => (await member.call(files.createUpload, {})).uploadURL
const put = (member: Member, path: string, body: RequestInit['body'] = randomFile(10)) =>
  member.fetch(path, { method: 'PUT', body, headers: { 'content-type': 'application/octet-stream' } })
const register = (member: Member, fileURL: string) => member.refused(files.register, { body: { fileURL } })
const idIn = (path: string) => path.slice(-36)

/** Every file below the objects folder. */
async function objects(): Promise<string[]> {
  const entries = await readdir(join(server.dataDir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

async function expectRefused(response: Response | Promise<Response>, status: number, code: string) {
  const answer = await response
  expect({ status: answer.status, body: await answer.json() }).toMatchObject({ status, body: { code } })
}

/** Starts a PUT by hand and sends `bytes` of its body. */
async function startPut(member: Member, path: string, head: string, body: Uint8Array) {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  socket.write(`PUT ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookie}\r\n${head}\r\n\r\n`)
  socket.write(body)
  let answer = ''
  socket.setEncoding('latin1').on('data', (text: string) => void (answer += text))
  socket.on('error', () => {})
  return { socket, answer: () => answer, closed: once(socket, 'close') }
}

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
    expect(await register(talk.ben, uploadURL)).toMatchObject({ status: 404, body: { code: 'UPLOAD_NOT_FOUND' } })
    await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect((await register(talk.ben, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('by a visitor or another site is refused before its body is read', async () => {
    const uploadURL = await newAddress(talk.anna)
    const body = randomFile(10)
    await expectRefused(server.visitor().fetch(uploadURL, { method: 'PUT', body }), 401, 'NOT_SIGNED_IN')
    const headers = { origin: 'https://elsewhere.example' }
    await expectRefused(talk.anna.fetch(uploadURL, { method: 'PUT', body, headers }), 403, 'ORIGIN_REFUSED')
  })

  test.each(['01900000-0000-7000-8000-000000000000', 'x', '..%2f..%2fprivity.db', '%00', `${'a'.repeat(200)}`])(
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

describe('registering', () => {
  test('needs a finished upload', async () => {
    const before = await countRows(server)
    for (const fileURL of ['', '/', 'x', 'http://', '/objects/x', '/api/objects/uploads/x', 'javascript:1', '\0']) {
      expect(await register(talk.anna, fileURL), fileURL).toMatchObject({
        status: 404,
        body: { code: 'UPLOAD_NOT_FOUND' },
      })
    }
    expect(await countRows(server)).toEqual(before)
    const unused = await newAddress(talk.anna)
    expect((await register(talk.anna, unused)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test.each([undefined, {}, { fileURL: 7 }, { fileURL: 'x'.repeat(3000) }])('refuses %j as input', async (body) => {
    const answer = await talk.anna.request('PUT', '/api/files', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })

  test('an hour too late finds nothing, and the bytes are gone', async () => {
    const { uploadURL } = await upload(talk.anna, randomFile(10))
    await server.advance(limits.unregisteredUploadKept - 1)
    expect(await objects()).toContain(idIn(uploadURL))
    await server.advance(10 * 60_000)
    expect((await register(talk.anna, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
    expect(await objects()).not.toContain(idIn(uploadURL))
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [idIn(uploadURL)])).toEqual([])
  })

  test('without sending makes nothing that could be downloaded, not even by its owner, and ends after a day', async () => {
    const { filePath } = await registerFile(talk.anna, randomFile(10))
    for (const member of [talk.anna, talk.ben]) {
      await expectRefused(member.fetch(filePath), 404, 'FILE_NOT_FOUND')
      const check = await member.refused(files.check, { params: { '*': filePath } })
      expect(check).toMatchObject({ status: 404, body: { code: 'FILE_NOT_FOUND' } })
      expect((await member.refused(files.request, { body: { filePath } })).body.code).toBe('FILE_NOT_FOUND')
    }
    await server.advance(12 * 60 * 60 * 1000)
    await talk.anna.call(files.listPending, {})
    await server.advance(12 * 60 * 60 * 1000 + 15_000)
    expect(await objects()).not.toContain(idIn(filePath))
    expect(await server.core.db.read.all('select 1 from files where id = ?', [idIn(filePath)])).toEqual([])
  })
})

describe('a body that is too long', () => {
  const most = sealedFileSize(limits.fileBytes)

  test('is refused before it is sent, where its length is known; the address stays good', async () => {
    const uploadURL = await newAddress(talk.anna)
    const put = await startPut(talk.anna, uploadURL, `content-length: ${most + 1}`, new Uint8Array(0))
    await put.closed
    expect(put.answer()).toMatch(/^HTTP\/1.1 413 /)
    expect(put.answer()).toContain('"code":"FILE_TOO_LARGE"')
    expect((await upload(talk.anna, randomFile(1))).response.status).toBe(200)
  })

  test('is cut off while it arrives, and nothing of it is left', async () => {
    const before = await objects()
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
    // The server hangs up on it: a client may see the refusal or only the end of the connection.
    if (answer instanceof Response) expect(answer.status).toBe(413)
    expect(given).toBeGreaterThan(most)
    expect(given).toBeLessThan(most + 64 * 1024 * 1024)
    while ((await server.core.db.read.get('select 1 from uploads where id = ?', [idIn(uploadURL)])) !== undefined)
      await talk.anna.call(files.listPending, {})
    expect(await objects()).toEqual(before)
    expect((await register(talk.anna, uploadURL)).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  test('by nothing at all is accepted', async () => {
    const uploadURL = await newAddress(talk.anna)
    const response = await put(talk.anna, uploadURL, new Uint8Array(most))
    expect(response.status).toBe(200)
    const { fileSize } = await talk.anna.call(files.register, { body: { fileURL: uploadURL } })
    expect(fileSize).toBe(most)
    await server.core.storage.remove(idIn(uploadURL))
  })
})

describe('a broken upload', () => {
  const gone = async (uploadURL: string) => {
    while ((await server.core.db.read.get('select 1 from uploads where id = ?', [idIn(uploadURL)])) !== undefined)
      await talk.anna.call(files.listPending, {})
  }

  test.each([
    ['with a length', 'content-length: 1000000', randomFile(300_000)],
    ['in chunks', 'transfer-encoding: chunked', Buffer.concat([Buffer.from('493e0\r\n'), randomFile(300_000)])],
  ])('%s leaves no litter, and its address is used up', async (_name, head, bytes) => {
    const before = await objects()
    const uploadURL = await newAddress(talk.anna)
    const { socket, closed } = await startPut(talk.anna, uploadURL, head, bytes)
    while ((await objects()).length === before.length) await talk.anna.call(files.listPending, {})
    socket.destroy()
    await closed
    await gone(uploadURL)
    expect(await objects()).toEqual(before)
    await expectRefused(put(talk.anna, uploadURL), 404, 'UPLOAD_NOT_FOUND')
  })

  test('by a full disk is refused as such, leaves no litter, and the next one works', async () => {
    const before = await objects()
    const { storage } = server.core
    const { create } = storage
    const full = () => {
      const real = create(idIn(uploadURL))
      let room = 100_000
      return new Writable({
        write(chunk: Buffer, encoding, done) {
          room -= chunk.length
          if (room < 0) done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
          else real.write(chunk, encoding, done)
        },
        destroy: (error, done) => void real.destroy().once('close', () => done(error)),
      })
    }
    const uploadURL = await newAddress(talk.anna)
    storage.create = full
    await expectRefused(put(talk.anna, uploadURL, randomFile(5_000_000)), 507, 'STORAGE_FULL')
    storage.create = create
    expect(await objects()).toEqual(before)
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [idIn(uploadURL)])).toEqual([])
    expect((await upload(talk.anna, randomFile(10))).response.status).toBe(200)
  })
})

describe('what a stopped server left', () => {
  test('a partial body, a body without its end in the database, one nobody knows: gone at the next start', async () => {
    const { anna } = talk
    const kept = await registerFile(anna, randomFile(10))
    const cut = idIn(await newAddress(anna))
    const finished = idIn((await upload(anna, randomFile(10))).uploadURL)
    const unknown = '01900000-0000-7000-8000-00000000beef'
    const { core } = server
    for (const id of [cut, unknown]) {
      const writing = core.storage.create(id)
      writing.end(randomFile(10))
      await once(writing, 'close')
    }
    await core.db.write((tx) => tx.run('update uploads set started_at = created_at where id = ?', [cut]))
    const partial = core.storage.create('01900000-0000-7000-8000-00000000dead')
    partial.write(randomFile(10))
    await new Promise((resolve) => void partial.write(randomFile(10), resolve))
    await server.restart()
    partial.destroy()
    const left = await objects()
    expect(left).toContain(idIn(kept.filePath))
    expect(left).toContain(finished)
    for (const id of [cut, unknown, '01900000-0000-7000-8000-00000000dead']) expect(left).not.toContain(id)
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [cut])).toEqual([])
  })

  test('expired bytes that were removed before their row: the row goes too', async () => {
    const { filePath } = await talk.sendFile(talk.anna)
    await server.core.storage.remove(idIn(filePath))
    await expectRefused(talk.anna.fetch(filePath), 404, 'FILE_NOT_FOUND')
    await server.core.db.write((tx) => tx.run('update files set expires_at = 1 where id = ?', [idIn(filePath)]))
    await server.restart()
    expect(await server.core.db.read.all('select 1 from files where id = ?', [idIn(filePath)])).toEqual([])
    expect(await talk.anna.call(messages.unreadCounts, {})).toEqual([])
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
