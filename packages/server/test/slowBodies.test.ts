import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createTestServer } from './harness.ts'
import { newAddress, startPut } from './harnessUpload.ts'

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
  const upload = startPut(server, member, path, 'content-length: 10', new Uint8Array(5))
  await member.request('GET', '/api/user')

  server.clock.advance(59_000)
  await member.request('GET', '/api/user')
  expect([call.closed, refused.closed]).toEqual([false, false])
  server.clock.advance(1_000)
  await closed
  if (!refused.closed) await once(refused, 'close')
  expect(answer).toBe('')

  server.clock.advance(10 * 60_000)
  upload.socket.write(new Uint8Array(5))
  await once(upload.socket, 'data')
  expect(upload.answer()).toMatch(/^HTTP\/1.1 200 /)
  upload.socket.destroy()
  await upload.closed
})
