import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { AppError, errors, type ErrorCode } from '@privity/contract/errors'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { handleParserErrors, createHttpServer, sendRawError } from '../../../src/core/http/server.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
})
afterAll(() => server.close())

/** Resolves with the whole response to these bytes once the server has closed the connection. */
async function answerTo(text: string, whenConnected: (ofServer: Socket) => void = () => {}) {
  const accepted = once(server.app.app.server, 'connection') as Promise<[Socket]>
  const stream = connect(Number(new URL(server.url).port), '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => void (answer += bytes.toString()))
  const closed = once(stream, 'close')
  const [ofServer] = await accepted
  stream.write(text)
  whenConnected(ofServer)
  await closed
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  const [line = '', ...lines] = head.split('\r\n')
  const headers = new Map(lines.map((each) => [each.split(': ')[0]?.toLowerCase(), each.split(': ')[1]]))
  return { status: Number(line.split(' ')[1]), headers, body }
}

type Answer = Awaited<ReturnType<typeof answerTo>>

async function expectRefusal({ status, headers, body }: Answer, code: ErrorCode) {
  expect(status).toBe(errors[code].status)
  const { message } = errors[code]
  expect(JSON.parse(body)).toEqual({ error: message, code, message })
  expect(headers.get('content-length')).toBe(String(Buffer.byteLength(body)))
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(headers.get('connection')).toBe('close')
  const usual = await server.visitor().fetch('/api/nothing')
  for (const name of [
    'x-content-type-options',
    'referrer-policy',
    'cross-origin-resource-policy',
    'cache-control',
    'content-security-policy',
    'strict-transport-security',
  ]) {
    expect(usual.headers.get(name), name).not.toBeNull()
    expect(headers.get(name), name).toBe(usual.headers.get(name))
  }
}

describe('bytes that are no request', () => {
  test.each([
    ['garbage', 'no request at all\r\n\r\n', 'INVALID_INPUT'],
    ['a header that is none', 'GET /api/config HTTP/1.1\r\nhost: x\r\nbad\0name: x\r\n\r\n', 'INVALID_INPUT'],
    [
      'two lengths',
      'POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      'INVALID_INPUT',
    ],
    ['no host', 'GET /api/config HTTP/1.1\r\n\r\n', 'INVALID_INPUT'],
    ['two hosts', 'GET /api/config HTTP/1.1\r\nhost: x\r\nHost: evil\r\n\r\n', 'INVALID_INPUT'],
    ['a tunnel', 'CONNECT example.org:22 HTTP/1.1\r\nhost: x\r\n\r\n', 'INVALID_INPUT'],
    [
      'too long headers',
      `GET /api/config HTTP/1.1\r\nhost: x\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      'HEADERS_TOO_LARGE',
    ],
    [
      'an endless extension of a chunk',
      `POST /api/login HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
      'BODY_TOO_LARGE',
    ],
  ] as [string, string, ErrorCode][])('%s', async (_what, text, code) => {
    await expectRefusal(await answerTo(text), code)
  })

  test('headers that do not arrive in time', async () => {
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    const answer = await answerTo('GET /api/config HTTP/1.1\r\n', (socket) => {
      server.app.app.server.emit('clientError', late, socket)
    })
    await expectRefusal(answer, 'REQUEST_TOO_SLOW')
  })
})

const upgradeElsewhere = 'GET /ws HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\n\r\n'
test.each([
  ['bytes that are no request', 'no request at all\r\n\r\n'],
  ['bytes after a request in between', 'GET /waiting HTTP/1.1\r\nhost: x\r\n\r\nno request at all\r\n\r\n'],
  ['a request without a host', 'GET / HTTP/1.1\r\n\r\n'],
  ['a tunnel', 'CONNECT example.org:22 HTTP/1.1\r\nhost: x\r\n\r\n'],
  ['a refused upgrade', upgradeElsewhere],
])('%s cannot write into an answer that has begun', async (_what, second) => {
  const config = loadConfig({})
  const own = createHttpServer(config, (request, response) => {
    if (request.url === '/waiting') return
    response.writeHead(200, { 'content-length': 10 })
    response.write('half ')
  })
  own.on('clientError', handleParserErrors(config))
  own.on('upgrade', (_request, socket) => sendRawError(socket, new AppError('NOT_SIGNED_IN'), config))
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const stream = connect((own.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => {
    answer += bytes.toString()
    if (answer.endsWith('half ')) stream.write(second)
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

test('more bytes that are no request do not cut off the answer after which the connection closes', async () => {
  const config = loadConfig({})
  let finish = () => {}
  const own = createHttpServer(config, (_request, response) => {
    finish = () => void response.end('whole')
    const begin = () => response.writeHead(200, { 'content-length': 10 }).write('half ')
    setImmediate(() => setImmediate(begin))
  })
  let refused = 0
  own.on('clientError', handleParserErrors(config))
  own.on('clientError', () => (refused += 1) === 2 && finish())
  own.listen(0, '127.0.0.1')
  await once(own, 'listening')
  const stream = connect((own.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  stream.on('data', (bytes: Buffer) => {
    answer += bytes.toString()
    if (answer.endsWith('half ')) stream.write('no request either\r\n\r\n')
  })
  stream.on('error', () => {})
  stream.write('GET / HTTP/1.1\r\nhost: x\r\n\r\nno request at all\r\n\r\n')
  await once(stream, 'close')
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*half whole$/)
  own.close()
})

test('an expectation that the server does not know is passed over', async () => {
  const answer = await answerTo(
    'GET /api/nothing HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\nconnection: close\r\n\r\n',
  )
  await expectRefusal(answer, 'NOT_FOUND')
})

describe('a refused upgrade', () => {
  const upgrade = (path: string, more: string[] = [], method = 'GET') =>
    [
      `${method} ${path} HTTP/1.1`,
      'host: chat.example.org',
      'upgrade: websocket',
      'connection: Upgrade',
      'sec-websocket-version: 13',
      ...more,
    ].join('\r\n') + '\r\n\r\n'
  const key = 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ=='

  test.each([
    ['without a session', upgrade('/ws', [key]), 'NOT_SIGNED_IN'],
    ['from another site', upgrade('/ws', [key, 'origin: https://evil.example']), 'ORIGIN_REFUSED'],
    ['at another address', upgrade('/elsewhere', [key]), 'NOT_FOUND'],
    ['at no address', upgrade('//', [key]), 'INVALID_INPUT'],
  ] as [string, string, ErrorCode][])('%s', async (_what, text, code) => {
    await expectRefusal(await answerTo(text), code)
  })

  test.each([
    ['without a key', upgrade, []],
    ['with a version that nobody speaks', upgrade, [key, 'sec-websocket-version: 99']],
  ] as const)('of a member %s', async (_what, make, more) => {
    const member = await server.signUp()
    const cookie = `cookie: ${[...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`
    await expectRefusal(await answerTo(make('/ws', [...more, cookie])), 'INVALID_INPUT')
  })

  test('behind a request that is not answered yet', async () => {
    const member = await server.signUp()
    const cookie = `cookie: ${[...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')}`
    const { promise: checked, resolve: check } = Promise.withResolvers<void>()
    const held = vi.spyOn(server.core.passwords, 'verify').mockImplementation(async () => {
      await checked
      return false
    })
    const found = vi.spyOn(server.core.sessions, 'find')
    const body = JSON.stringify({ username: member.user.username, password: 'wrong' })
    const head = ['host: chat.example.org', 'content-type: application/json', `content-length: ${body.length}`]
    const login = `POST /api/login HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n${body}`
    const answered = answerTo(login + upgrade('/ws', [key, cookie]))
    await vi.waitFor(() => expect(found).toHaveBeenCalled())
    await found.mock.results.at(-1)?.value
    check()
    const { status, body: text } = await answered
    expect([status, JSON.parse(text)]).toMatchObject([401, { code: 'WRONG_CREDENTIALS' }])
    held.mockRestore()
  })

  test('to a protocol that the server does not speak is a usual call', async () => {
    const config = upgrade('/api/config').replace('websocket', 'h2c').replace('Upgrade', 'Upgrade, close')
    expect((await answerTo(config)).status).toBe(200)
  })

  test('while the server stops', async () => {
    await using stopping = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
    const member = await stopping.signUp()
    stopping.core.sockets.refuse()
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await new Promise<string>((resolve) => {
      const stream = connect(Number(new URL(stopping.url).port), '127.0.0.1')
      let text = ''
      stream.on('data', (bytes: Buffer) => void (text += bytes.toString()))
      stream.on('close', () => resolve(text))
      stream.write(upgrade('/ws', [key, `cookie: ${cookie}`]))
    })
    expect(answer).toContain('HTTP/1.1 503 Service Unavailable')
    expect(answer).toContain('"code":"UNAVAILABLE"')
  })
})
