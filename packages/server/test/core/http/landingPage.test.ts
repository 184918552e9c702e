import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let webDir: string
let server: TestServer
let known: TestServer

beforeAll(async () => {
  webDir = await mkdtemp(join(tmpdir(), 'privity-landing-'))
  await mkdir(join(webDir, 'rendered'))
  await writeFile(join(webDir, 'index.html'), 'the shell')
  for (const language of ['en', 'de'])
    await writeFile(join(webDir, 'rendered', `landing.${language}.html`), `<head></head>landing ${language}`)
  server = await createTestServer({ webDir })
  known = await createTestServer({ webDir, env: { PUBLIC_URL: 'https://chat.example.org' } })
})
afterAll(async () => {
  await Promise.all([server.close(), known.close()])
  await rm(webDir, { recursive: true, force: true })
})

const get = (path: string, headers: Record<string, string> = {}, from = server) =>
  from.visitor().fetch(path, { headers: { accept: 'text/html', ...headers } })

test.each([
  [undefined, 'en'],
  ['de', 'de'],
  ['de-CH,en;q=0.5', 'de'],
  ['en-US,de;q=0.9', 'en'],
  ['xx-XX,de;q=0.4,en;q=0.3', 'de'],
  ['xx', 'en'],
  ['de;q=0,en;q=0.1', 'en'],
  ['de;q=x', 'en'],
])('who prefers %s gets the landing page in %s', async (accepted, language) => {
  const response = await get('/', { 'accept-language': accepted ?? '*' })
  expect(await response.text()).toBe(`<head></head>landing ${language}`)
  expect(response.headers.get('vary')).toContain('Accept-Language')
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'")
})

test('a link may ask for a language; a wrong one is not one', async () => {
  expect(await (await get('/?language=de', { 'accept-language': 'en' })).text()).toContain('landing de')
  expect(await (await get('/?language=../index', { 'accept-language': 'en' })).text()).toContain('landing en')
})

test('every other page is the shell', async () => {
  for (const path of ['/auth', '/founder', '/terms', '/nowhere'])
    expect(await (await get(path)).text(), path).toBe('the shell')
})

test('is sent packed, and not again while it is the same', async () => {
  const first = await get('/', { 'accept-encoding': 'gzip' })
  expect(first.headers.get('content-encoding')).toBe('gzip')
  const etag = first.headers.get('etag') ?? ''
  expect((await get('/', { 'if-none-match': etag })).status).toBe(304)
  expect((await get('/?language=de', { 'if-none-match': etag })).status).toBe(200)
})

test('names its address only where the server knows it', async () => {
  expect(await (await get('/')).text()).not.toContain('canonical')
  const page = await (await get('/', {}, known)).text()
  expect(page).toContain('<link rel="canonical" href="https://chat.example.org/" />')
  expect(page).toContain('hreflang="de" href="https://chat.example.org/?language=de"')
  expect(await (await get('/?language=de', {}, known)).text()).toContain(
    '<link rel="canonical" href="https://chat.example.org/?language=de" />',
  )
})

test('robots.txt and the sitemap say what is true', async () => {
  const robots = await (await get('/robots.txt')).text()
  expect(robots).toContain('Disallow: /api/')
  expect(robots).not.toContain('Sitemap')
  expect(await (await get('/robots.txt', {}, known)).text()).toContain('Sitemap: https://chat.example.org/sitemap.xml')
  const sitemap = await get('/sitemap.xml', {}, known)
  expect(sitemap.headers.get('content-type')).toContain('xml')
  expect(await sitemap.text()).toContain('<loc>https://chat.example.org/</loc>')
  expect((await get('/sitemap.xml', { accept: '*/*' })).status).toBe(404)
})

test("a request's host header does not enter the policy of a page with a configured address", async () => {
  const { headers } = await known.visitor().fetch('/', { headers: { 'x-forwarded-host': 'evil.example' } })
  expect(headers.get('content-security-policy')).toContain("connect-src 'self' wss://chat.example.org;")
})

test('the shell of the web client states the lifetime of messages on this server', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'privity-shell-'))
  const source = await readFile(new URL('../../../../web/index.html', import.meta.url), 'utf8')
  expect(source).toContain('{lifetime}')
  const words = durationWords(limits.retention, 'en')
  await writeFile(join(dir, 'index.html'), source.replaceAll('{lifetime}', words))
  const short = await createTestServer({ webDir: dir, env: { MESSAGE_RETENTION: '10m' } })
  try {
    const shell = await (await get('/auth', {}, short)).text()
    expect(shell).toContain('Messages disappear after 10 minutes,')
    expect(shell).not.toContain('24')
  } finally {
    await short.close()
    await rm(dir, { recursive: true, force: true })
  }
})

test('a server with a shorter message lifetime states it in its pages, also after the same build', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'privity-lifetime-'))
  await mkdir(join(dir, 'rendered'))
  await writeFile(join(dir, 'index.html'), '<html lang="en">gone after 24 hours')
  await writeFile(join(dir, 'rendered', 'landing.en.html'), '<html lang="en"><head></head>gone after 24 hours')
  await writeFile(join(dir, 'rendered', 'landing.de.html'), '<html lang="de"><head></head>nach 24 Stunden weg')
  const usual = await createTestServer({ webDir: dir })
  const short = await createTestServer({ webDir: dir, env: { MESSAGE_RETENTION: '10m' } })
  try {
    const known = (await get('/auth', {}, usual)).headers.get('etag') ?? ''
    const shell = await get('/auth', { 'if-none-match': known }, short)
    expect(await shell.text()).toBe('<html data-retention="600000" lang="en">gone after 10 minutes')
    expect(await (await get('/', {}, short)).text()).toContain('gone after 10 minutes')
    expect(await (await get('/?language=de', {}, short)).text()).toContain('nach 10 Minuten weg')
    expect(await (await get('/', {}, usual)).text()).not.toContain('data-retention')
  } finally {
    await Promise.all([usual.close(), short.close()])
    await rm(dir, { recursive: true, force: true })
  }
})
