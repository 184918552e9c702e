import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import type { Readable } from 'node:stream'
import { connections } from '@privity/contract/connections'
import { files } from '@privity/contract/files'
import { organizationPolicy } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { listDownloads } from '../../../src/features/files/activeTransfers.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { join } from '../../support/scenes/organization.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { enableTotp } from '../../support/scenes/secondFactor.ts'
import { approve, checkFile, createTalk, randomFile, type Talk } from '../../support/scenes/conversation.ts'
import { idIn, newAddress, objects, startPut, untilArriving } from '../../support/scenes/uploads.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { other: many, upload: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const cookieOf = (member: Member) => [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')

/**
 * Downloads by hand and resets the connection at byte `most` of the file; resolves with the number of bytes received, 0
 * if refused.
 */
function grab(member: Member, filePath: string, most: number): Promise<number> {
  const { port } = new URL(server.url)
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`GET ${filePath} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: ${cookieOf(member)}\r\n\r\n`)
  let received = Buffer.alloc(0)
  return new Promise((resolve) => {
    let got = 0
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      const head = received.indexOf('\r\n\r\n')
      if (head < 0) return
      if (!received.subarray(0, 15).includes(' 200 ')) return void socket.destroy()
      got = received.length - head - 4
      if (got >= most) socket.resetAndDestroy()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(got))
  })
}

/** A file far larger than the socket buffers of both sides. */
const large = () => randomFile(40_000_000)

/** Begins a download without reading it on. */
async function begin(member: Member, filePath: string): Promise<IncomingMessage> {
  const request = get(server.url + filePath, { headers: { cookie: cookieOf(member) }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

/** Reads the rest of the response and resolves with whether it was cut off. */
async function cutOff(response: IncomingMessage): Promise<boolean> {
  response.resume()
  if (!response.closed) await new Promise((resolve) => void response.once('close', resolve))
  return !response.complete
}

const left = async (filePath: string) => (await checkFile(talk.ben, filePath)).downloadsLeft

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await talk.ben.call(files.listPending, {})
}

describe('a browser that resets its connection', () => {
  test.each([1000, 300_000])('once it has all of %d bytes gets no fourth', async (size) => {
    const { filePath } = await talk.sendFile(talk.anna, randomFile(size))
    await approve(talk.anna, talk.ben, filePath)
    const got = []
    for (let at = 0; at < 12; at++) got.push(await grab(talk.ben, filePath, size))
    expect(got.filter((bytes) => bytes >= size)).toHaveLength(3)
    expect(await left(filePath)).toBe(0)
  })

  test('halfway has used nothing', async () => {
    const { filePath } = await talk.sendFile(talk.anna, large())
    await approve(talk.anna, talk.ben, filePath)
    for (let at = 0; at < 6; at++) {
      expect(await grab(talk.ben, filePath, 100_000)).toBeGreaterThan(0)
      await until(async () => (await left(filePath)) === 3)
    }
  })
})

describe('a download under way ends at once', { timeout: 30_000 }, () => {
  test('when its approval is revoked; the owner goes on', async () => {
    const { anna, ben } = talk
    const { filePath } = await talk.sendFile(anna, large())
    const id = await approve(anna, ben, filePath)
    const [byRecipient, byOwner] = [await begin(ben, filePath), await begin(anna, filePath)]
    await anna.call(files.decide, { params: { id }, body: { authorize: false } })
    let got = 0
    byRecipient.on('data', (bytes: Buffer) => void (got += bytes.length))
    expect(await cutOff(byRecipient)).toBe(true)
    // Only the bytes in flight arrived, not all but the last one.
    expect(got).toBeLessThan(30_000_000)
    expect(await cutOff(byOwner)).toBe(false)
  })

  test('when its session ends; others of the user go on', async () => {
    const { anna } = talk
    const { filePath } = await talk.sendFile(anna, large())
    const elsewhere = { ...anna, ...server.visitor() }
    await elsewhere.call(session.login, { body: { username: anna.user.username, password: anna.password } })
    const [ending, other] = [await begin(anna, filePath), await begin(elsewhere, filePath)]
    await anna.call(session.logout, {})
    expect(await cutOff(ending)).toBe(true)
    expect(await cutOff(other)).toBe(false)
  })

  test('an upload ends when a policy requires a second factor that its user lacks; others continue', async () => {
    const { anna, ben } = talk
    const { filePath } = await talk.sendFile(anna, large())
    await approve(anna, ben, filePath)
    await enableTotp(server, ben)
    const administrator = await join(server, 'super_admin')
    const [byOwner, byRecipient] = [await begin(anna, filePath), await begin(ben, filePath)]
    const path = await newAddress(anna)
    const sending = startPut(server, anna, path, 'content-length: 1000000', randomFile(1000))
    await untilArriving(server, path)
    await administrator.call(organizationPolicy.update, { body: { twoFactor: true } })
    expect(await cutOff(byOwner)).toBe(true)
    await sending.closed
    await until(async () => !(await objects(server)).includes(idIn(path)))
    expect(await cutOff(byRecipient)).toBe(false)
    await setPolicy(server, {})
  })

  test('when the connection is removed', async () => {
    const { anna, ben, connection } = talk
    const { filePath } = await talk.sendFile(anna, large())
    await approve(anna, ben, filePath)
    const both = [await begin(anna, filePath), await begin(ben, filePath)]
    await anna.call(connections.remove, { params: { id: connection.id } })
    for (const response of both) expect(await cutOff(response)).toBe(true)
  })

  test('when its session has ended before anything could be told to end', async () => {
    const { anna } = talk
    const { filePath } = await talk.sendFile(anna, randomFile(1_000))
    expect((await anna.fetch(filePath)).status).toBe(200)
    // Without a notice, the cached session still passes the guard.
    await server.core.db.write((tx) => tx.run('delete from sessions where user_id = ?', [anna.user.id]))
    expect((await anna.fetch(filePath)).status).toBe(401)
    expect(listDownloads()).toEqual([])
  })

  test('when its file expires while it is being begun: nothing of it stays open', async () => {
    await using own = await createTestServer({ env: { MESSAGE_RETENTION: '30s' } })
    const { anna, sendFile } = await createTalk(own)
    const { filePath } = await sendFile(anna, randomFile(100_000))
    const { storage } = own.core
    const { size, open } = storage
    const opened: Readable[] = []
    storage.size = async (id) => {
      own.clock.advance(30_000)
      return size(id)
    }
    storage.open = (id) => {
      const stored = open(id)
      opened.push(stored)
      return stored
    }
    expect((await anna.fetch(filePath)).status).toBe(404)
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
    expect(listDownloads()).toEqual([])
  })

  test('when its file expires', async () => {
    await using own = await createTestServer({ env: { MESSAGE_RETENTION: '30s' } })
    const { anna, sendFile } = await createTalk(own)
    // Between two runs of the job that deletes the file.
    await own.advance(5_000)
    const { filePath } = await sendFile(anna, large())
    const request = get(own.url + filePath, { headers: { cookie: cookieOf(anna) }, agent: false })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    await own.advance(29_999)
    expect(listDownloads()).toHaveLength(1)
    own.clock.advance(1)
    expect(listDownloads().every(({ isAborted: ended }) => ended)).toBe(true)
    expect(await cutOff(response)).toBe(true)
  })

  test('when nothing of it is taken for a minute', async () => {
    const { filePath } = await talk.sendFile(talk.anna, large())
    await approve(talk.anna, talk.ben, filePath)
    const response = await begin(talk.ben, filePath)
    // The server has written to full socket buffers by then, and sees no progress afterwards.
    server.clock.advance(59_000)
    expect(await left(filePath)).toBe(2)
    server.clock.advance(61_000)
    expect(await cutOff(response)).toBe(true)
    await until(async () => (await left(filePath)) === 3)
  })
})

test('one user cannot hold any number of downloads', { timeout: 30_000 }, async () => {
  const { anna, ben } = talk
  const { filePath } = await talk.sendFile(anna, large())
  await approve(anna, ben, filePath)
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin(anna, filePath)))
  const statuses = begun.map(({ statusCode }) => statusCode)
  expect([200, 429].map((wanted) => statuses.filter((status) => status === wanted).length)).toEqual([8, 2])
  const others = await begin(ben, filePath)
  expect(others.statusCode).toBe(200)
  for (const response of [...begun, others]) response.destroy()
  await until(async () => (await left(filePath)) === 3)
  const again = await begin(anna, filePath)
  expect(again.statusCode).toBe(200)
  again.destroy()
})
