import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { addSecurityHeaders } from '../../../src/core/http/securityHeaders.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

const page = '<!doctype html><title>Privity</title>'
const founderPage = '<!doctype html><title>Founder</title>'
let webDir: string
let server: TestServer

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'privity-web-'))
  await writeFile(join(webDir, 'founder.html'), founderPage)
  await mkdir(join(webDir, 'assets'))
  await mkdir(join(webDir, '.vite'))
  await writeFile(join(webDir, '.vite', 'manifest.json'), '{}')
  await writeFile(join(webDir, 'index.html'), page)
  await writeFile(join(webDir, 'assets', 'app-1a2b.js'), 'plain')
  await writeFile(join(webDir, 'assets', 'app-1a2b.js.gz'), 'packed')
  for (const map of ['assets/app-1a2b.js.map', 'assets/app-1a2b.js.map.gz', 'index.html.map', 'assets/app.css.MAP'])
    await writeFile(join(webDir, map), '{}')
  await writeFile(join(webDir, 'assets', 'argonWorker-3c4d.js'), 'worker')
  server = await createTestServer({ webDir })
})
afterAll(async () => {
  await server.close()
  await rm(webDir, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = { accept: 'text/html' }) =>
  server.visitor().fetch(path, { headers })

describe('pages', () => {
  test.each(['/', '/auth', '/founders', '/no/such/page', '/settings?x=1', '/api', '/apiary'])(
    '%s is the page, which finds its own way',
    async (path) => {
      const response = await get(path)
      expect([response.status, await response.text()]).toEqual([200, page])
      expect(response.headers.get('cache-control')).toBe('no-cache')
    },
  )

  test.each(['/founder', '/founder?x=1', '/founder/', '/founder/dashboard', '/founder/no/such'])(
    '%s is the console, which nobody keeps or finds by a search',
    async (path) => {
      const response = await get(path)
      expect([response.status, await response.text()]).toEqual([200, founderPage])
      expect(response.headers.get('cache-control')).toBe('no-store')
      expect(response.headers.get('x-robots-tag')).toBe('noindex, nofollow')
      const usual = await get('/auth')
      for (const name of ['content-security-policy', 'x-frame-options', 'referrer-policy'])
        expect(response.headers.get(name), name).toBe(usual.headers.get(name))
    },
  )

  test.each([
    ['/%66ounder', '/founder'],
    ['/founde%72/dashboard?x=%31', '/founder/dashboard?x=%31'],
    ['/%66ounder%2Fdashboard', '/founder/dashboard'],
    ['/%66ounder/%0d%0aset-cookie:x', '/founder/%0D%0Aset-cookie:x'],
  ])('%s is sent to %s', async (path, usual) => {
    const response = await server.visitor().fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([308, usual])
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(response.headers.get('set-cookie')).toBeNull()
  })

  test.each(['/%66ounders', '/x%2Ffounder', '/%2566ounder', '/Founder'])('%s is not the founder’s', async (path) => {
    const response = await get(path)
    expect([response.status, await response.text()]).toEqual([200, page])
  })

  test('an address that cannot be decoded leads nowhere', async () => {
    for (const path of ['/%', '/%zz', '/%66ounder/%ff', '/founder/%ff'])
      expect((await get(path)).status, path).toBe(404)
  })

  test.each([
    '/%61pi/config',
    '/ap%69/founder/audit-logs/export',
    '/%6Fbjects/01900000-0000-7000-8000-000000000000',
    '/api/none',
  ])('%s is data, however it is spelt', async (path) => {
    const { headers } = await get(path)
    const usual = await get('/api/config')
    for (const name of ['cache-control', 'content-security-policy', 'x-frame-options', 'permissions-policy'])
      expect(headers.get(name), name).toBe(usual.headers.get(name))
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('a look without the page itself is answered like one with it', async () => {
    for (const path of ['/', '/auth', '/founder']) {
      const answer = await server.visitor().fetch(path, { method: 'HEAD', headers: { accept: 'text/html' } })
      expect([answer.status, await answer.text()], path).toEqual([200, ''])
    }
  })

  test('what the build notes for itself is nobody’s, and no refusal is kept', async () => {
    const answer = await get('/.vite/manifest.json', { accept: '*/*' })
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([404, 'no-store'])
  })

  test('a folder is no file, also for a client that takes no packed ones', async () => {
    const statusOf = async (path: string, accept: string) =>
      (await get(path, { accept, 'accept-encoding': 'identity' })).status
    expect([await statusOf('/assets/', '*/*'), await statusOf('/.vite/', '*/*')]).toEqual([404, 404])
    expect([await statusOf('/assets/?x=1', 'text/html'), await statusOf('/.vite/', 'text/html')]).toEqual([404, 200])
  })

  test('calls and assets that do not exist are not the page', async () => {
    expect((await get('/api/none')).status).toBe(404)
    expect((await get('/objects/none')).status).toBe(401)
    expect((await get('/assets/old-9z9z.js', { accept: '*/*' })).status).toBe(404)
    expect((await get('/../package.json', { accept: '*/*' })).status).toBe(404)
    expect((await get('/%2e%2e/package.json', { accept: '*/*' })).status).toBe(404)
    expect((await get('/assets%2Fapp-1a2b.js', { accept: '*/*' })).status).toBe(404)
    expect((await get('/assets/app-1a2b.js?x=a%2Fb', { accept: '*/*' })).status).toBe(200)
    expect((await server.visitor().fetch('/auth', { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(
      404,
    )
  })

  test.each([
    '/assets/old-9z9z.js',
    '/assets/',
    '/assets',
    '/%61ssets/old',
    '/no/such.png',
    '/favicon.ico',
    '/old%2Ejs?x=1',
    '/founder/old.js',
    '/index.php',
  ])('%s, which is not there, is 404 for a browser too', async (path) => {
    const response = await get(path)
    expect([response.status, await response.json()]).toMatchObject([404, { code: 'NOT_FOUND' }])
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test.each([
    '/assets/app-1a2b.js.map',
    '/assets/app-1a2b.js.m%61p',
    '/index.html.map',
    '/assets/app-1a2b.js.map.gz',
    '/assets/app.css.MAP',
  ])('%s is not served, though it is there', async (path) => {
    expect((await get(path, { accept: '*/*' })).status).toBe(404)
    expect((await get(path, { accept: '*/*', 'accept-encoding': 'gzip' })).status).toBe(404)
  })

  test('a client that is not built yet is said so in words', async () => {
    await using empty = await createTestServer({ webDir: join(webDir, 'nowhere') })
    const response = await empty.visitor().fetch('/', { headers: { accept: 'text/html' } })
    expect(response.status).toBe(503)
    expect(await response.text()).toContain('npm start')
  })

  test('assets are packed where the browser takes it, and kept for ever', async () => {
    const response = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip' })
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    expect(response.headers.get('content-type')).toContain('javascript')
    expect(
      (await get('/assets/app-1a2b.js', { 'accept-encoding': 'identity' })).headers.get('content-encoding'),
    ).toBeNull()
  })
})

describe('security headers', () => {
  test('of a page', async () => {
    const { headers } = await get('/')
    const policy = headers.get('content-security-policy') ?? ''
    for (const part of [
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval';",
      "style-src 'self';",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      `connect-src 'self' ws://${new URL(server.url).host}`,
    ]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toMatch(/'unsafe|\*|http:/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers.has('strict-transport-security')).toBe(false)
  })

  test.each([
    ['/', ['camera=(self)']],
    ['/founder', []],
  ])('of %s allow these features and no others: %j', async (path, allowed) => {
    const policy = (await get(path)).headers.get('permissions-policy')?.split(', ') ?? []
    expect(policy).toContain('microphone=()')
    expect(policy.some((each) => each.startsWith('camera='))).toBe(true)
    expect(policy.filter((each) => !each.endsWith('=()'))).toEqual(allowed)
  })

  test('let WebAssembly be compiled, and no text be evaluated as script', async () => {
    const policy = (await get('/')).headers.get('content-security-policy')
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';")
    expect(policy).not.toContain("'unsafe-eval'")
    expect(policy).toContain("require-trusted-types-for 'script'")
  })

  test('of data: never kept, never a document', async () => {
    for (const path of ['/api/config', '/api/user', '/api/none', '/objects/none', '/api/%zz', '/objects/%zz', '/%zz']) {
      const { headers } = await get(path)
      expect(headers.get('cache-control'), path).toBe('no-store')
      expect(headers.get('content-security-policy'), path).toContain("default-src 'none'")
      expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    }
  })

  test('a Host header cannot write into the policy', async () => {
    const app = Fastify()
    addSecurityHeaders(app, loadConfig({ PORT: '0' }))
    app.get('/', async () => 'x')
    const response = await app.inject({ url: '/', headers: { host: "x; script-src 'unsafe-inline'" } })
    expect(response.headers['content-security-policy']).not.toContain('unsafe-inline')
  })

  test('under HTTPS: HSTS, wss, and cookies bound to the host', async () => {
    await using secure = await createTestServer({ webDir, env: { PUBLIC_URL: 'https://chat.example.org' } })
    const { headers } = await secure.visitor().fetch('/', { headers: { accept: 'text/html' } })
    expect(headers.get('strict-transport-security')).toContain('max-age=63072000')
    expect(headers.get('content-security-policy')).toContain('wss://')
    const member = await secure.signUp()
    expect([...member.cookies.keys()]).toEqual(['__Host-privity_session', '__Host-privity_device'])
  })

  test('cookies are out of reach of scripts and other sites', async () => {
    const response = await server.visitor().fetch('/api/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'cook', password: 'x', firstName: 'C', lastName: 'K', email: 'c@example.com' }),
    })
    const cookies = response.headers.getSetCookie()
    expect(cookies).toHaveLength(2)
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    expect(cookies[0]).toMatch(/^privity_session=[\w-]{43};/)
  })
})
