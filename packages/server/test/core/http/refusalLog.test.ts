import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loggerOptions } from '../../../src/core/log.ts'
import { maxLinesPerMinute } from '../../../src/core/metrics/deniedCalls.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { openSocket } from '../../support/server/testSocket.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

interface Line {
  msg: string
  level: number
  requestId?: string
  [more: string]: unknown
}

const token = 'a token of more than 32 characters'.replaceAll(' ', '-')
let written: string[] = []
let server: TestServer
let anna: Member
let foreign: string

beforeAll(async () => {
  const stream = { write: (line: string) => void written.push(line) }
  const { log } = Fastify({ logger: { ...loggerOptions({ logLevel: 'info' }), stream } })
  server = await createTestServer({
    env: { METRICS_TOKEN: token },
    options: { log, rateLimits: { upload: { requests: 1, window: 60_000 } } },
  })
  foreign = (await createTalk(server)).connection.id
  anna = await server.signUp()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.advance(60_000)
  written = []
})

const refused = () => written.map((line) => JSON.parse(line) as Line).filter(({ msg }) => msg === 'refused')

async function countOf(code: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` }
  const text = await (await server.visitor().fetch('/metrics', { headers })).text()
  return Number(new RegExp(`^privity_denied_calls_total\\{code="${code}"\\} (\\d+)$`, 'm').exec(text)?.[1])
}

test("a look at another's conversation leaves one line with account and route, and no id of it", async () => {
  const before = await countOf('CONNECTION_NOT_FOUND')
  const answer = await anna.request('GET', `/api/connections/${foreign}/messages`)
  expect(answer.status).toBe(404)
  expect(refused()).toEqual([
    {
      level: 30,
      time: expect.any(Number) as number,
      msg: 'refused',
      requestId: answer.headers.get('x-request-id'),
      route: 'GET /api/connections/:id/messages',
      code: 'CONNECTION_NOT_FOUND',
      account: anna.user.id,
    },
  ])
  expect(written.join('')).not.toContain(foreign)
  expect(await countOf('CONNECTION_NOT_FOUND')).toBe(before + 1)
})

test("an upload to another's address, raw bytes, leaves a line", async () => {
  await anna.fetch(`/api/objects/uploads/${randomUUID()}`, { method: 'PUT', body: 'x' })
  expect(refused()).toMatchObject([{ code: 'UPLOAD_NOT_FOUND', account: anna.user.id }])
})

test('a call without the permission for it leaves a line', async () => {
  await anna.request('GET', '/api/organizations/current')
  expect(refused()).toMatchObject([
    { code: 'FORBIDDEN', account: anna.user.id, route: 'GET /api/organizations/current' },
  ])
})

test('a call from another site leaves a line without an account: its session is not looked at', async () => {
  await anna.request('POST', '/api/logout', undefined, { origin: 'https://evil.example' })
  expect(refused()).toMatchObject([{ code: 'ORIGIN_REFUSED', route: 'POST /api/logout' }])
  expect(refused()[0]).not.toHaveProperty('account')
})

test('a rate limit leaves a line', async () => {
  const before = await countOf('RATE_LIMITED')
  await anna.request('POST', '/api/objects/upload')
  await anna.request('POST', '/api/objects/upload')
  expect(refused()).toMatchObject([{ code: 'RATE_LIMITED', account: anna.user.id, route: 'POST /api/objects/upload' }])
  expect(await countOf('RATE_LIMITED')).toBe(before + 1)
})

test.each([
  ['session', '/api/sessions/:id'],
  ['notification', '/api/notifications/:id'],
])('the removal of a %s that is not the caller’s leaves a line', async (_what, route) => {
  const before = await countOf('NOT_FOUND')
  expect((await anna.request('DELETE', route.replace(':id', randomUUID()))).status).toBe(404)
  expect(refused()).toMatchObject([{ code: 'NOT_FOUND', account: anna.user.id, route: `DELETE ${route}` }])
  expect(await countOf('NOT_FOUND')).toBe(before + 1)
})

test('a refusal of the founder leaves a line that names the founder', async () => {
  const founder = await signInFounder(server)
  await founder.request('POST', `/api/founder/organizations/${randomUUID()}/invitation`, {})
  expect(refused()).toMatchObject([{ code: 'ORGANIZATION_NOT_FOUND', account: 'founder' }])
})

test('a call whose caller goes in the middle of its body leaves no line', async () => {
  const { server: http } = server.app.app
  const [arrived, accepted] = [once(http, 'request'), once(http, 'connection') as Promise<[Socket]>]
  const stream = connect(Number(new URL(server.url).port), '127.0.0.1')
  const head = 'POST /api/login HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n'
  stream.write(`${head}content-length: 20\r\n\r\n{"user`)
  await arrived
  const [ofServer] = await accepted
  stream.destroy()
  if (!ofServer.closed) await once(ofServer, 'close')
  await anna.request('GET', '/api/user')
  expect(written).toEqual([])
})

test('a socket refused for its origin leaves a line', async () => {
  const opening = openSocket(server.url, anna, { origin: 'https://evil.example' })
  await expect(opening).rejects.toThrow('refused with 403')
  expect(refused()).toMatchObject([{ code: 'ORIGIN_REFUSED', route: 'GET /ws' }])
})

test('sockets refused at one address leave no fewer lines for another behind the same proxy', async () => {
  function refuse(address: string): Promise<void> {
    const headers = { origin: 'https://evil.example', 'x-forwarded-for': address }
    return expect(openSocket(server.url, server.visitor(), headers)).rejects.toThrow('refused with 403')
  }
  for (let at = 0; at <= maxLinesPerMinute; at++) await refuse('10.9.9.1')
  expect(refused()).toHaveLength(maxLinesPerMinute)
  await refuse('10.9.9.2')
  expect(refused()).toHaveLength(maxLinesPerMinute + 1)
})

test('a wrong token for the metrics leaves a line, and no token in it', async () => {
  const before = await countOf('NOT_FOUND')
  const guess = 'another-token-of-more-than-32-characters'
  const answer = await server.visitor().fetch('/metrics', { headers: { authorization: `Bearer ${guess}` } })
  expect(answer.status).toBe(404)
  expect(refused()).toMatchObject([
    { code: 'NOT_FOUND', route: 'GET /metrics', requestId: answer.headers.get('x-request-id') },
  ])
  expect(written.join('')).not.toContain(guess)
  expect(await countOf('NOT_FOUND')).toBe(before + 1)
})

test('a wrong token for the metrics is answered as an unknown address, also to a browser', async () => {
  const headers = { authorization: 'Bearer wrong', accept: 'text/html' }
  const [wrong, nowhere] = await Promise.all(
    ['/metrics', '/nowhere'].map(async (path) => {
      const answer = await server.visitor().fetch(path, { headers })
      return [answer.status, answer.headers.get('content-type'), await answer.text()]
    }),
  )
  expect(wrong).toEqual(nowhere)
})

test('signing in anew, bad input and unknown addresses leave none', async () => {
  expect((await server.visitor().request('GET', '/api/user')).status).toBe(401)
  expect((await anna.request('POST', '/api/connections', {})).status).toBe(400)
  expect((await anna.request('GET', '/api/nowhere')).status).toBe(404)
  expect(refused()).toEqual([])
})

test('a flood of refusals is counted whole and leaves so many lines an account and a minute', async () => {
  const before = await countOf('CONNECTION_NOT_FOUND')
  const look = (member: Member) => member.request('GET', `/api/connections/${randomUUID()}/messages`)
  for (let index = 0; index < maxLinesPerMinute + 5; index++) await look(anna)
  expect(refused()).toHaveLength(maxLinesPerMinute)
  const other = await server.signUp()
  await look(other)
  expect(refused().at(-1)).toMatchObject({ account: other.user.id })
  await server.advance(60_000)
  await look(anna)
  expect(refused().at(-1)).toMatchObject({ account: anna.user.id })
  expect(await countOf('CONNECTION_NOT_FOUND')).toBe(before + maxLinesPerMinute + 7)
})

test('every code that may be counted exists with 0 before', async () => {
  await using fresh = await createTestServer({ env: { METRICS_TOKEN: token } })
  const headers = { authorization: `Bearer ${token}` }
  const text = await (await fresh.visitor().fetch('/metrics', { headers })).text()
  for (const code of ['FORBIDDEN', 'FILE_NOT_FOUND', 'RATE_LIMITED', 'WRONG_PASSWORD'])
    expect(text).toContain(`privity_denied_calls_total{code="${code}"} 0`)
  expect(text).not.toContain('privity_denied_calls_total{code="NOT_SIGNED_IN"}')
})
