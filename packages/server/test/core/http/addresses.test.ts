import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'

test.each([
  '/a#%ff',
  '/%66ounder#%ff',
  '/a%00',
  '/a;%ff',
  '/%',
  '/assets/%ff',
  '/a?%ff',
  '/%E0%A4',
  '//%ff',
  '/a#?%ff',
  '/api/x#%ff',
  '*',
  'http://x/a%ff',
  '/a\\%ff',
])('the address %s is no failure of the server', async (path) => {
  await using server = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
  const stream = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => void (answer += bytes.toString()))
  stream.on('error', () => {})
  stream.write(`GET ${path} HTTP/1.1\r\nhost: chat.example.org\r\naccept: text/html\r\nconnection: close\r\n\r\n`)
  await once(stream, 'close')
  expect(answer.slice(0, 60)).not.toMatch(/^HTTP\/1\.1 500/)
  expect(answer).toMatch(/^HTTP\/1\.1 /)
})
