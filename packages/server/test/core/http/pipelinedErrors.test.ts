import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { handleParserErrors, createHttpServer } from '../../../src/core/http/server.ts'

test('bytes that are no request write into no answer, with another request in between', async () => {
  const config = loadConfig({})
  const own = createHttpServer(config, (request, response) => {
    if (request.url === '/second') return
    response.writeHead(200, { 'content-length': 10 })
    response.write('half ')
  })
  own.on('clientError', handleParserErrors(config))
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const stream = connect((own.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => {
    answer += bytes.toString()
    if (answer.endsWith('half ')) stream.write('GET /second HTTP/1.1\r\nhost: x\r\n\r\nno request at all\r\n\r\n')
  })
  stream.on('error', () => {})
  stream.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(stream, 'close')
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  own.close()
})

test('bytes that are no request are not the answer to a request before them', async () => {
  const config = loadConfig({})
  const own = createHttpServer(config, (_request, response) => {
    setImmediate(() => setImmediate(() => response.end('first')))
  })
  own.on('clientError', handleParserErrors(config))
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const stream = connect((own.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => void (answer += bytes.toString()))
  stream.on('error', () => {})
  stream.write('GET / HTTP/1.1\r\nhost: x\r\n\r\nno request at all\r\n\r\n')
  stream.write('no request either\r\n\r\n')
  await once(stream, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*first$/)
  expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1)
  own.close()
})
