import type { Endpoint } from '@privity/contract/endpoint'
import { founderSessions } from '@privity/contract/founder/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { signInFounder } from '../../support/founder/founder.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const id = '01890000-0000-7000-8000-000000000000'
const addressOf = ({ path }: Endpoint, part: string) => path.replace(/:\w+|\*/g, encodeURIComponent(part))

const malformed: [string, string | undefined, string][] = [
  ['nothing', undefined, id],
  ['text that is not JSON', '{"', 'not an id'],
  ['the wrong shape', '[1, 2]', '..%2f'],
  ['an empty object', '{}', id],
]

test('every member call answers a visitor 401, whatever else is wrong with the request', async () => {
  const members = server.core.endpoints.filter(({ guard }) => guard === 'member' || guard === 'administrator')
  expect(members.length).toBeGreaterThanOrEqual(9)
  for (const endpoint of members) {
    for (const [what, body, part] of malformed) {
      const answer = await server
        .visitor()
        .request(endpoint.method, addressOf(endpoint, part), endpoint.method === 'GET' ? undefined : body)
      const where = `${endpoint.method} ${endpoint.path} with ${what}`
      expect([answer.status, answer.body], where).toEqual([401, expect.objectContaining({ code: 'NOT_SIGNED_IN' })])
    }
  }
})

test('every call of administrators answers a user 403, whatever else is wrong with the request', async () => {
  await server.signUp()
  const user = await server.signUp()
  await server.core.db.write((tx) => tx.run("update users set role = 'user' where id = ?", [user.user.id]))
  const calls = server.core.endpoints.filter(({ guard }) => guard === 'administrator')
  expect(calls.length).toBeGreaterThanOrEqual(2)
  for (const endpoint of calls) {
    for (const [what, body, part] of malformed) {
      const given = endpoint.method === 'GET' ? undefined : body
      const answer = await user.request(endpoint.method, addressOf(endpoint, part), given)
      const where = `${endpoint.method} ${endpoint.path} with ${what}`
      expect([answer.status, answer.body], where).toEqual([403, expect.objectContaining({ code: 'FORBIDDEN' })])
    }
  }
})

test('every founder call answers visitors and members of every role 401, whatever else is wrong', async () => {
  const [superAdmin, user] = [await server.signUp(), await server.signUp()]
  await server.core.db.write((tx) => tx.run("update users set role = 'super_admin' where id = ?", [superAdmin.user.id]))
  const calls = server.core.endpoints.filter(({ guard }) => guard === 'founder')
  expect(calls.length).toBeGreaterThanOrEqual(3)
  expect(calls.filter(({ path }) => !path.startsWith('/api/founder/'))).toEqual([])
  for (const endpoint of calls) {
    for (const [what, body, part] of malformed) {
      for (const caller of [server.visitor(), superAdmin, user]) {
        const given = endpoint.method === 'GET' ? undefined : body
        const answer = await caller.request(endpoint.method, addressOf(endpoint, part), given)
        const where = `${endpoint.method} ${endpoint.path} with ${what}`
        expect([answer.status, answer.body], where).toEqual([401, expect.objectContaining({ code: 'NOT_FOUNDER' })])
      }
    }
    server.clock.advance(10_000)
  }
})

test('the session of the founder opens no call of members', async () => {
  const founder = await signInFounder(server)
  await founder.call(founderSessions.verify, {})
  for (const endpoint of server.core.endpoints.filter(({ guard }) => guard === 'member' || guard === 'administrator')) {
    const body = endpoint.method === 'GET' ? undefined : {}
    const answer = await founder.request(endpoint.method, addressOf(endpoint, id), body)
    const where = `${endpoint.method} ${endpoint.path}`
    expect([answer.status, answer.body], where).toEqual([401, expect.objectContaining({ code: 'NOT_SIGNED_IN' })])
  }
})

test('no call under /api/founder/ is public but those that sign in and out', () => {
  const open = server.core.endpoints.filter(
    ({ path, guard }) => path.startsWith('/api/founder/') && guard !== 'founder',
  )
  expect(open.map(({ method, path, guard }) => `${guard} ${method} ${path}`).sort()).toEqual([
    'public GET /api/founder/access',
    'public POST /api/founder/login',
    'public POST /api/founder/login/second-factor',
    'public POST /api/founder/logout',
  ])
})

test('no public call answers a visitor with anything but its own refusals', async () => {
  for (const endpoint of server.core.endpoints.filter(({ guard }) => guard === 'public')) {
    for (const [what, body] of malformed) {
      const get = endpoint.method === 'GET'
      const answer = await server.visitor().request(endpoint.method, addressOf(endpoint, id), get ? undefined : body)
      const expected = endpoint.body === undefined && what !== 'text that is not JSON' ? 200 : get ? 200 : 400
      expect(answer.status, `${endpoint.method} ${endpoint.path} with ${what}`).toBe(expected)
    }
  }
})

test('each endpoint is mounted once, under /api', () => {
  const names = server.core.endpoints.map(({ method, path }) => `${method} ${path}`)
  expect(new Set(names).size).toBe(names.length)
  expect(names.filter((name) => !name.includes(' /api/') && !name.includes(' /objects/'))).toEqual([])
})

test('GET /api/docs describes every call, from the same contract', async () => {
  const { status, body } = await server.visitor().request('GET', '/api/docs')
  expect(status).toBe(200)
  const { openapi, paths } = body as { openapi: string; paths: Record<string, Record<string, { responses: object }>> }
  expect(openapi).toBe('3.1.0')
  const described = Object.values(paths).flatMap((methods) => Object.keys(methods))
  expect(described).toHaveLength(server.core.endpoints.length + server.core.rawCalls.length)
  const login = paths['/api/login']?.['post']
  expect(Object.keys(login?.responses ?? {})).toEqual(
    expect.arrayContaining(['200', '400', '401', '403', '423', '429']),
  )
  expect(paths['/api/sessions/{id}']?.['delete']).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] })
})

interface Operation {
  parameters: { name: string; required: boolean }[]
  requestBody?: { content: Record<string, object> }
  responses: Record<string, { description: string; content: Record<string, object> }>
}

async function describedCall(method: string, path: string): Promise<Operation> {
  const { body } = await server.visitor().request('GET', '/api/docs')
  const { paths } = body as { paths: Record<string, Record<string, Operation>> }
  const found = paths[path]?.[method]
  if (found === undefined) throw new Error(`${method} ${path} is not described`)
  return found
}

test('GET /api/docs describes the raw upload and download, with their media types and refusals', async () => {
  const upload = await describedCall('put', '/api/objects/uploads/{id}')
  expect(upload.requestBody?.content).toEqual({ 'application/octet-stream': {} })
  expect(Object.keys(upload.responses)).toEqual(expect.arrayContaining(['200', '401', '404', '409', '413', '507']))
  const download = await describedCall('get', '/objects/{id}')
  expect(download.responses['200']?.content).toEqual({ 'application/octet-stream': {} })
  expect(download.responses['403']?.description).toContain('DOWNLOAD_NOT_AUTHORIZED')
})

test.each([
  ['/api/audit-logs/exports/{id}', ['application/x-ndjson', 'text/csv']],
  ['/api/founder/audit-logs/export', ['text/csv', 'application/json']],
])('GET /api/docs describes the file at %s', async (path, types) => {
  expect(Object.keys((await describedCall('get', path)).responses['200']?.content ?? {})).toEqual(types)
})

test.each([
  ['post', '/api/messages', '200', '201'],
  ['get', '/api/health', '503', '200'],
])('GET /api/docs describes the result of %s %s under %s too', async (method, path, other, usual) => {
  const { responses } = await describedCall(method, path)
  expect(responses[other]?.content).toEqual(responses[usual]?.content)
})

test('GET /api/docs says which calls respond that nothing has changed', async () => {
  const isDescribed = async (path: string) => '304' in (await describedCall('get', path)).responses
  expect([await isDescribed('/api/notifications'), await isDescribed('/api/user')]).toEqual([true, false])
})

test('GET /api/docs says of each query parameter whether it is required', async () => {
  const { parameters } = await describedCall('get', '/api/founder/audit-logs/export')
  expect(Object.fromEntries(parameters.map(({ name, required }) => [name, required]))).toEqual({
    format: true,
    startDate: true,
    endDate: true,
    eventType: false,
  })
})

test('every call may be refused for a foreign host', async () => {
  const { responses } = await describedCall('get', '/api/config')
  expect(responses['403']?.description).toContain('ORIGIN_REFUSED')
})

test('every call that changes data may be refused for a full store or a missing second factor', async () => {
  const { responses } = await describedCall('post', '/api/messages')
  expect(responses['507']?.description).toContain('STORAGE_FULL')
  expect(responses['403']?.description).toContain('SECOND_FACTOR_MISSING')
  expect(responses['503']?.description).toContain('UNAVAILABLE')
})

test.each([
  '/objects/{id}',
  '/api/audit-logs/exports/{id}',
  '/api/founder/audit-logs/export',
  '/api/founder/support-requests/{id}',
])('GET %s, which records something, may be refused for a full store or another site', async (path) => {
  const { responses } = await describedCall('get', path)
  expect(responses['507']?.description).toContain('STORAGE_FULL')
  expect(responses['403']?.description).toContain('ORIGIN_REFUSED')
})
