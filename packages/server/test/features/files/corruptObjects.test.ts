import { Agent, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { approve, checkFile, createTalk, randomFile, type Talk } from '../../support/scenes/conversation.ts'

const page = '<script src="https://elsewhere.example/x.js"></script>'
const answer = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${page.length}\r\n\r\n${page}`

describe('a store that sends other bytes than it was given', () => {
  let server: TestServer
  let talk: Talk
  let content: Buffer
  let filePath: string
  /** One keep-alive connection, as a browser or a proxy uses it. */
  let agent: Agent

  beforeAll(async () => {
    server = await createTestServer()
    talk = await createTalk(server)
    const bytes = randomFile(100_000)
    content = Buffer.from(bytes)
    filePath = (await talk.sendFile(talk.anna, bytes)).filePath
    await approve(talk.anna, talk.ben, filePath)
    agent = new Agent({ keepAlive: true, maxSockets: 1 })
  })
  afterAll(async () => {
    agent.destroy()
    await server.close()
  })

  function get(path: string, { cookies }: Pick<Member, 'cookies'>): Promise<{ type?: string; body: Buffer }> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return new Promise((resolve, reject) => {
      const call = request(new URL(path, server.url), { agent, headers: { cookie } }, (response) => {
        buffer(response).then((body) => resolve({ type: response.headers['content-type'] ?? '', body }), reject)
      })
      call.once('error', reject).end()
    })
  }

  const answerWith = (pieces: () => AsyncIterable<Buffer> | Iterable<Buffer>) =>
    void (server.core.storage.open = () => Readable.from(pieces(), { objectMode: false }))

  test.each([
    ['its owner', () => talk.anna],
    ['its recipient', () => talk.ben],
  ])('puts none of its own into the answer to the next request: %s', async (_who, caller) => {
    answerWith(() => [content.subarray(0, 90_000), Buffer.concat([content.subarray(90_000), Buffer.from(answer)])])
    await expect(get(filePath, caller())).rejects.toThrow()
    answerWith(async function* () {
      yield content
      await setImmediate()
      yield Buffer.from(answer)
    })
    await expect(get(filePath, caller())).rejects.toThrow()
    for (let next = 0; next < 3; next++) expect((await get('/api/config', caller())).type).toContain('application/json')
  })

  test('and one that ends too early ends the answer, which counts as none', async () => {
    const left = async () => (await checkFile(talk.ben, filePath)).downloadsLeft
    const before = await left()
    answerWith(() => [content.subarray(0, 99_999)])
    await expect(get(filePath, talk.ben)).rejects.toThrow()
    // The download is released once the server has processed the end of the connection.
    while ((await left()) !== before) await setImmediate()
  })

  test('of a file that is held back whole, is answered with an error, which counts as no download', async () => {
    const bytes = randomFile(5_000)
    const small = await talk.sendFile(talk.anna, bytes)
    await approve(talk.anna, talk.ben, small.filePath)
    for (const wrong of [Buffer.from(bytes).subarray(1), Buffer.concat([bytes, Buffer.from(answer)])]) {
      answerWith(() => [wrong])
      const { type, body } = await get(small.filePath, talk.ben)
      expect([type, JSON.parse(body.toString())]).toMatchObject([
        'application/json; charset=utf-8',
        { code: 'INTERNAL' },
      ])
      while ((await checkFile(talk.ben, small.filePath)).downloadsLeft !== 3) await setImmediate()
    }
  })
})
