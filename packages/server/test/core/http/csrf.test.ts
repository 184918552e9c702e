import { get } from 'node:http'
import { auditExportPath } from '@privity/contract/auditLogs'
import { downloadPath } from '@privity/contract/files'
import { platformExportPath } from '@privity/contract/founder/auditExport'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { openSocket } from '../../support/server/testSocket.ts'

let server: TestServer
let member: Member
beforeAll(async () => {
  server = await createTestServer()
  member = await server.signUp()
})
afterAll(() => server.close())

const generate = (headers: Record<string, string>) =>
  member.request('POST', '/api/connection-code/generate', undefined, headers)

test('our own pages and plain clients may change things', async () => {
  expect((await generate({ origin: server.url })).status).toBe(200)
  expect((await generate({})).status).toBe(200)
  expect((await generate({ 'sec-fetch-site': 'same-origin' })).status).toBe(200)
})

test('a server that trusts its own machine is reached through no proxy that it was not told of', async () => {
  await using own = await createTestServer({ env: { TRUST_PROXY: '0' } })
  const body = { username: 'first', password: 'x', firstName: 'A', lastName: 'B', email: 'first@example.com' }
  for (const header of ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'forwarded', 'via'])
    for (const [method, path] of [
      ['POST', '/api/register'],
      ['GET', '/api/config'],
      ['GET', '/'],
      ['GET', '/%zz'],
    ] as const) {
      const answer = await own.visitor().request(method, path, method === 'POST' ? body : undefined, { [header]: 'x' })
      expect(answer, `${header} ${path}`).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
    }
  await expect(openSocket(own.url, own.visitor(), { via: '1.1 proxy' })).rejects.toThrow('refused with 403')
  const first = await own.visitor().request('POST', '/api/register', body)
  expect(first).toMatchObject({ status: 201, body: { role: 'super_admin' } })
})

test('other sites may not, and nothing changes', async () => {
  const before = await member.call(session.getUser, {})
  const port = new URL(server.url).port
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: `http://127.0.0.1:${Number(port) + 1}` },
    { origin: `https://127.0.0.1:${port}` },
    { origin: `${server.url}.evil.example` },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ] as Record<string, string>[]) {
    const answer = await generate(headers)
    expect(answer, JSON.stringify(headers)).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
  }
  expect(await member.call(session.getUser, {})).toEqual(before)
})

test('no changing call is open to other sites, signed in or not', async () => {
  const headers = { origin: 'https://evil.example' }
  for (const endpoint of server.core.endpoints.filter(({ method }) => method !== 'GET')) {
    const path = endpoint.path.replace(/:\w+|\*/g, 'x')
    for (const caller of [member, server.visitor()]) {
      const answer = await caller.request(endpoint.method, path, {}, headers)
      expect(answer, `${endpoint.method} ${path}`).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
    }
  }
})

test('no GET that stores or counts something when it returns a file is open to other sites', async () => {
  const founder = await signInFounder(server)
  const kept = () => selectAudit(server.core.db.read)
  const range = 'format=csv&startDate=2026-01-01&endDate=2026-01-31'
  const before = await kept()
  for (const path of [
    `${platformExportPath}?${range}`,
    auditExportPath.replace(':id', 'x'),
    downloadPath.replace(':id', '01900000-0000-7000-8000-000000000000'),
  ])
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ] as Record<string, string>[])
      for (const caller of [founder, member, server.visitor()])
        expect(await caller.request('GET', path, undefined, headers), path).toMatchObject({
          status: 403,
          body: { code: 'ORIGIN_REFUSED' },
        })
  expect(await kept()).toEqual(before)
  for (const site of ['same-origin', 'none']) {
    const answer = await founder.fetch(`${platformExportPath}?${range}`, { headers: { 'sec-fetch-site': site } })
    await answer.text()
    expect(answer.status).toBe(200)
  }
  expect(await kept()).toHaveLength(before.length + 2)
})

test('where PUBLIC_URL is set, it is the only origin', async () => {
  await using named = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
  const visitor = named.visitor()
  const login = (origin: string) =>
    visitor.request('POST', '/api/login', { username: 'nobody', password: 'x' }, { origin })
  expect((await login('https://chat.example.org')).status).toBe(401)
  expect((await login(named.url)).status).toBe(403)
})

test.each([
  'https://chat.example.org.evil.example',
  'https://chat.example.orgy',
  'https://chat.example.org:444',
  'https://chat.example',
  'http://chat.example.org',
])('where PUBLIC_URL is https://chat.example.org, %s is another origin', async (origin) => {
  await using named = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
  const answer = await named.visitor().request('POST', '/api/login', { username: 'nobody', password: 'x' }, { origin })
  expect(answer).toMatchObject({ status: 403, body: { code: 'ORIGIN_REFUSED' } })
  await expect(openSocket(named.url, named.visitor(), { origin })).rejects.toThrow('refused with 403')
})

test('a socket is opened for our own pages only', async () => {
  for (const origin of ['https://evil.example', 'null', `${server.url}0`]) {
    await expect(openSocket(server.url, member, { origin })).rejects.toThrow('refused with 403')
  }
  const socket = await openSocket(server.url, member, { origin: server.url })
  socket.close()
  expect(await socket.closed).toBe(1005)
})

describe('a name that somebody else points to this machine', () => {
  const ask = (to: TestServer, host: string, path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      const request = get(to.url + path, { headers: { host }, agent: false }, (response) => {
        let body = ''
        response.on('data', (text: Buffer) => void (body += text.toString()))
        response.on('end', () => resolve({ status: response.statusCode, body }))
      })
      request.on('error', reject)
    })

  test('is refused for every request, of pages, data and sockets', async () => {
    const { port } = new URL(server.url)
    for (const host of ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil.example']) {
      for (const path of ['/', '/api/config', '/api/user', '/objects/x', '/nothing', '/api/docs']) {
        const { status, body } = await ask(server, host, path)
        expect([status, JSON.parse(body)], `${host} ${path}`).toMatchObject([403, { code: 'ORIGIN_REFUSED' }])
      }
      await expect(openSocket(server.url, member, { host })).rejects.toThrow('refused with 403')
    }
    for (const host of ['localhost', `localhost:${port}`, '127.0.0.1', `127.0.0.1:${port}`, '[::1]:3000', 'LOCALHOST'])
      expect((await ask(server, host, '/api/config')).status, host).toBe(200)
  })

  test('is fine where PUBLIC_URL says so', async () => {
    await using named = await createTestServer({ env: { PUBLIC_URL: 'https://chat.example.org' } })
    expect((await ask(named, 'chat.example.org', '/api/config')).status).toBe(200)
  })
})
