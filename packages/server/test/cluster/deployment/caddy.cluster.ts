import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

const caddyfile = fileURLToPath(new URL('../../../../../deploy/Caddyfile', import.meta.url))

const script = (name: string) => new URL(`../../../../../scripts/cluster/${name}`, import.meta.url).href
const { findCaddy } = (await import(script('caddy.mjs'))) as { findCaddy(): Promise<string> }
const { freePorts } = (await import(script('ports.mjs'))) as { freePorts(count: number): Promise<number[]> }

interface Site {
  listen: string[]
}
interface Adapted {
  apps: { http: { http_port?: number; https_port?: number; servers: Record<string, Site> }; pki?: object }
}

let program: string
let folder: string
let caddy: ChildProcess
let port: number
let said = ''
const servers: TestServer[] = []

/** A request through Caddy, whose certificate is not verified. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET', body?: string | Buffer) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        servername: 'localhost',
        port,
        path,
        method,
        rejectUnauthorized: false,
        headers: { host: 'localhost', ...headers },
      },
      (answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => void (text += chunk.toString()))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}

async function until<T>(attempt: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await attempt().catch(() => undefined)
    if (answer !== undefined && isWanted(answer)) return answer
    if (caddy.exitCode !== null) throw new Error(`Caddy ended: ${said}`)
  }
}

beforeAll(async () => {
  program = await findCaddy()
  folder = await mkdtemp(join(tmpdir(), 'privity-caddy-'))
  const [tls = 0, plain = 0] = await freePorts(2)
  port = tls
  for (let at = 0; at < 2; at += 1)
    servers.push(
      await createTestServer({
        env: { PUBLIC_URL: 'https://localhost', TRUST_PROXY: '1' },
        // All requests of this test come from one address.
        options: { rateLimits: { other: { requests: 1e9, window: 1000 } } },
      }),
    )
  const apps = servers.map(({ url }) => new URL(url).host).join(' ')
  const env = { ...process.env, PRIVITY_HOST: 'localhost', PRIVITY_APPS: apps, HOME: folder, XDG_DATA_HOME: folder }
  const { stdout } = await promisify(execFile)(program, ['adapt', '--config', caddyfile, '--adapter', 'caddyfile'], {
    env,
  })
  const adapted = JSON.parse(stdout) as Adapted
  // The Caddyfile as deployed, except for the ports, which this machine may not have free.
  for (const site of Object.values(adapted.apps.http.servers)) site.listen = [`127.0.0.1:${port}`]
  Object.assign(adapted.apps.http, { http_port: plain, https_port: port })
  const config = join(folder, 'caddy.json')
  await writeFile(config, JSON.stringify(adapted))
  caddy = spawn(program, ['run', '--config', config], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [caddy.stdout, caddy.stderr])
    stream?.on('data', (text: Buffer) => void (said += text.toString()))
  await until(
    () => ask('/api/health'),
    ({ status }) => status === 200,
  )
})
afterAll(async () => {
  if (caddy.exitCode === null) {
    caddy.kill('SIGTERM')
    await once(caddy, 'exit')
  }
  for (const server of servers) await server.close()
  await rm(folder, { recursive: true, force: true })
})

test('the Caddyfile is valid as it stands, for localhost and for a public name', async () => {
  for (const host of ['localhost', 'chat.example.org']) {
    const env = { ...process.env, PRIVITY_HOST: host, HOME: folder, XDG_DATA_HOME: folder }
    const { stdout } = await promisify(execFile)(program, ['adapt', '--config', caddyfile, '--adapter', 'caddyfile'], {
      env,
    })
    expect(stdout).toContain(`"host":["${host}"]`)
    expect(stdout).toContain('"dial":"app1:3000"')
    expect(stdout).toContain('"dial":"app2:3000"')
  }
  expect(await readFile(caddyfile, 'utf8')).toContain('health_uri /api/health')
})

test('pages and calls come over TLS from either process, with what browsers are told about HTTPS', async () => {
  const page = await ask('/', { accept: 'text/html' })
  expect([200, 503]).toContain(page.status)
  const config = await ask('/api/config')
  expect(config.status).toBe(200)
  expect(config.headers['strict-transport-security']).toContain('max-age')
  // No HTTP/3: its UDP port is not published.
  expect(config.headers['alt-svc']).toBeUndefined()
  expect(servers.map(({ core }) => core.config.secure)).toEqual([true, true])
})

test('/metrics is not passed on', async () => {
  const { status, headers } = await ask('/metrics', { authorization: 'Bearer x' })
  // Caddy itself responds: the server's response would be JSON.
  expect([status, headers['content-type']]).toEqual([404, undefined])
})

test('the client address and the request id that count are those of Caddy', async () => {
  const { headers } = await ask('/api/none', {
    'x-forwarded-for': '203.0.113.9',
    'x-request-id': 'made-up-by-a-stranger',
  })
  expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/)
  const [server] = servers as [TestServer, TestServer]
  for (const each of servers) await each.core.db.write((tx) => tx.run('delete from security_events'))
  for (let at = 0; at < 4; at += 1)
    await ask(
      '/api/login',
      { 'content-type': 'application/json', origin: 'https://localhost', 'x-forwarded-for': '203.0.113.9' },
      'POST',
      JSON.stringify({ username: 'nobody', password: 'wrong' }),
    )
  const rows = await Promise.all(
    servers.map(({ core }) => core.db.read.all<{ address: string }>('select distinct address from security_events')),
  )
  expect(new Set(rows.flat().map(({ address }) => address))).toEqual(new Set(['127.0.0.1']))
  expect(server.core.config.trustProxy).toBe(1)
})

test('a socket goes through, and one process that drains gets no more requests', async () => {
  const [one, other] = servers as [TestServer, TestServer]
  const member = await one.signUp()
  const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  await other.app.drain()
  let inARow = 0
  await until(
    () => ask('/api/health'),
    ({ status }) => {
      inARow = status === 200 ? inARow + 1 : 0
      return inARow === 30
    },
  )
  const open = () =>
    new Promise<WebSocket>((resolve, reject) => {
      const socket = new WebSocket(`wss://localhost:${port}/ws`, [], {
        rejectUnauthorized: false,
        headers: { cookie, host: 'localhost', origin: 'https://localhost' },
      })
      socket.once('open', () => resolve(socket))
      socket.once('error', reject)
    })
  const socket = await open()
  socket.send(JSON.stringify({ type: 'authenticate', userId: member.user.id }))
  const [frame] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(frame.toString())).toMatchObject({ type: 'authenticated' })
  expect((await other.visitor().request('GET', '/api/health')).status).toBe(503)
  socket.close()
})
