import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { uploadPath } from '@privity/contract/files'
import { expect, test } from 'vitest'
import { activeUploads } from '../../../src/features/files/activeTransfers.ts'
import { drainBody, uploadPace } from '../../../src/features/files/uploads.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { expectRefused, idIn, newAddress, objects, put, startPut } from '../../support/scenes/uploads.ts'

/**
 * Waits until the server reads the body of this upload; resolves with a function that sends bytes (one by default) and
 * waits for their arrival.
 */
async function arriving(member: Member, path: string, { socket }: ReturnType<typeof startPut>) {
  const bodyRead = () => {
    const body = activeUploads.get(idIn(path))?.body
    return body !== undefined && body.listenerCount('readable') > 0 ? body : undefined
  }
  let body = bodyRead()
  for (; body === undefined; body = bodyRead()) await member.request('GET', '/api/user')
  const { socket: arrived } = body as IncomingMessage
  return async (count = 1) => {
    const before = arrived.bytesRead
    socket.write(new Uint8Array(count))
    do await member.request('GET', '/api/user')
    while (arrived.bytesRead < before + count)
  }
}

test('the body of a call has a minute to arrive, that of a file has longer', async () => {
  await using server = await createTestServer()
  const { port } = new URL(server.url)
  const call = connect(Number(port), '127.0.0.1')
  let answer = ''
  call.on('data', (text: Buffer) => void (answer += text.toString()))
  const head = `POST /api/login HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\n`
  const closed = once(call, 'close')
  const refused = connect(Number(port), '127.0.0.1')
  refused.on('error', () => {})
  refused.write(`POST /api/logout HTTP/1.1\r\nhost: 127.0.0.1\r\norigin: null\r\ncontent-length: 9\r\n\r\n`)
  await once(refused, 'data')
  call.on('error', () => {})
  call.write(`${head}content-length: 20\r\n\r\n{"user`)

  const member = await server.signUp()
  const path = await newAddress(member)
  const piece = uploadPace.minBytes
  const upload = startPut(server, member, path, `content-length: ${4 * piece + 1}`, new Uint8Array(0))
  const send = await arriving(member, path, upload)

  server.clock.advance(59_000)
  await member.request('GET', '/api/user')
  expect([call.closed, refused.closed]).toEqual([false, false])
  await send(piece)
  server.clock.advance(1_000)
  await closed
  if (!refused.closed) await once(refused, 'close')
  expect(answer).toBe('')

  for (let sent = 1; sent < 4; sent++) {
    server.clock.advance(58_000)
    await send(piece)
  }
  server.clock.advance(59_999)
  upload.socket.write(new Uint8Array(1))
  await once(upload.socket, 'data')
  expect(upload.answer()).toMatch(/^HTTP\/1.1 200 /)
  upload.socket.destroy()
  await upload.closed
})

test('whoever may not upload has no longer than anybody else for a body', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const path = await newAddress(member)
  const strange = { ...server.visitor(), user: member.user }
  const refused = startPut(server, strange as Member, path, 'content-length: 100000', new Uint8Array(5))
  await once(refused.socket, 'data')
  expect(refused.answer()).toMatch(/^HTTP\/1.1 401 /)
  server.clock.advance(30_000)
  server.clock.advance(30_000)
  if (!refused.socket.closed) await refused.closed
})

test('the rest of a refused upload is awaited for at most a minute without data', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const { clock } = server.core
  const { every } = clock
  const waited = new Promise<void>((resolve) => {
    clock.every = (milliseconds, run) => {
      resolve()
      return every(milliseconds, run)
    }
  })
  const nowhere = uploadPath.replace(':id', randomUUID())
  const refused = startPut(server, member, nowhere, 'content-length: 90000000', new Uint8Array(5))
  await waited
  server.clock.advance(uploadPace.intervalMs - 1)
  await member.request('GET', '/api/user')
  expect(refused.socket.closed).toBe(false)
  server.clock.advance(1)
  await refused.closed
})

test('an upload goes on while the clock is set forward or back by two hours', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const path = await newAddress(member)
  const upload = startPut(server, member, path, 'content-length: 4', new Uint8Array(0))
  const send = await arriving(member, path, upload)
  for (const ahead of [2, -2, 0]) {
    server.clock.ahead = ahead * 60 * 60_000
    await send()
    server.clock.advance(1)
  }
  upload.socket.write(new Uint8Array(1))
  await once(upload.socket, 'data')
  expect(upload.answer()).toMatch(/^HTTP\/1.1 200 /)
  upload.socket.destroy()
  await upload.closed
})

test('the rest of an upload that was refused is read for five minutes at most, at whatever pace', async () => {
  await using server = await createTestServer()
  const body = new PassThrough()
  const drained = drainBody(server.core, body)
  const bring = async (minute: number) => {
    body.write(new Uint8Array(uploadPace.minBytes))
    await setImmediate()
    server.clock.advance(uploadPace.intervalMs)
    await setImmediate()
    return [minute, body.destroyed]
  }
  for (const minute of [1, 2, 3, 4]) expect(await bring(minute)).toEqual([minute, false])
  expect(await bring(5)).toEqual([5, true])
  await drained
})

test('an upload without data for a minute is ended with a reason, and nothing of it is left', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const path = await newAddress(member)
  const upload = startPut(server, member, path, 'content-length: 10', new Uint8Array(5))
  await arriving(member, path, upload)
  server.clock.advance(59_999)
  await member.request('GET', '/api/user')
  expect(upload.socket.closed).toBe(false)
  server.clock.advance(1)
  await expectEnded(server, member, path, upload)
})

/** Expects that the server responds, closes the connection, and stores nothing. */
async function expectEnded(server: TestServer, member: Member, path: string, upload: ReturnType<typeof startPut>) {
  await upload.closed
  expect(upload.answer()).toMatch(/^HTTP\/1.1 400 /)
  expect(upload.answer()).toContain('"code":"UPLOAD_TOO_SLOW"')
  expect([activeUploads.size, await objects(server)]).toEqual([0, []])
  expect(await server.core.db.read.all('select id from uploads')).toEqual([])
  await expectRefused(put(member, path), 404, 'UPLOAD_NOT_FOUND')
}

test.each(['content-length: 1000000', 'transfer-encoding: chunked'])(
  'byte by byte an upload (%s) holds its place for a minute and no longer',
  async (head) => {
    await using server = await createTestServer()
    const member = await server.signUp()
    const path = await newAddress(member)
    const isChunked = head.startsWith('transfer')
    const upload = startPut(server, member, path, head, new Uint8Array(0))
    if (isChunked) upload.socket.write('100000\r\n')
    const send = await arriving(member, path, upload)
    for (let seconds = 0; seconds < 59; seconds++) {
      server.clock.advance(1_000)
      await send()
    }
    expect(upload.socket.closed).toBe(false)
    server.clock.advance(1_000)
    await expectEnded(server, member, path, upload)
  },
)

test('at the slowest pace an upload is ended after an hour with a reason, and nothing is left', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const path = await newAddress(member)
  const upload = startPut(server, member, path, 'content-length: 100000000', new Uint8Array(0))
  const send = await arriving(member, path, upload)
  for (let passed = 50_000; passed < uploadPace.maxMs; passed += 50_000) {
    server.clock.advance(50_000)
    await send(uploadPace.minBytes)
  }
  expect(upload.socket.closed).toBe(false)
  server.clock.advance(50_000)
  await expectEnded(server, member, path, upload)
})

test('one user has at most eight uploads under way; the address of one more stays good', async () => {
  await using server = await createTestServer()
  const [member, other] = [await server.signUp(), await server.signUp()]
  const paths = await Promise.all(Array.from({ length: 8 }, () => newAddress(member)))
  const uploads = paths.map((path) => startPut(server, member, path, 'content-length: 10', new Uint8Array(5)))
  while (!paths.every((path) => activeUploads.has(idIn(path)))) await member.request('GET', '/api/user')
  const more = await newAddress(member)
  await expectRefused(put(member, more), 429, 'RATE_LIMITED')
  expect((await put(other, await newAddress(other))).status).toBe(200)
  uploads[0]?.socket.destroy()
  while (paths[0] !== undefined && activeUploads.has(idIn(paths[0]))) await member.request('GET', '/api/user')
  expect((await put(member, more)).status).toBe(200)
  for (const { socket, closed } of uploads) {
    socket.destroy()
    await closed
  }
})
