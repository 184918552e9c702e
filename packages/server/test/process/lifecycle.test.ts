import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { connect, createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createCaller, type Caller } from '../support/server/caller.ts'
import { compiledEnv } from '../support/server/compileCache.ts'
import { failToStart, type ServerProcess, startProcess } from '../support/server/serverProcess.ts'
import { connectSocket } from '../support/server/testSocket.ts'
import { ask } from '../support/database/storedBytes.ts'

// Each test starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let dataDir: string
const running: ServerProcess[] = []

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'privity-life-'))
})
afterEach(async () => {
  for (const { child, stop } of running.splice(0))
    if (child.exitCode === null && child.signalCode === null) await stop('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

async function start(env: Record<string, string> = {}): Promise<ServerProcess> {
  const server = await startProcess({ DATA_DIR: dataDir, ...env })
  running.push(server)
  return server
}

const account = { username: 'anna', password: 'secret', firstName: 'Anna', lastName: 'A', email: 'anna@example.com' }

/** A browser that can move from one server process to the next. */
function browse(server: ServerProcess): { caller: Caller; move(to: ServerProcess): void } {
  let { url } = server.facts
  return { caller: createCaller(() => url), move: (to) => void (url = to.facts.url) }
}

test('the first start tells what to say once, later ones do not', async () => {
  const first = await start()
  expect(first.facts).toMatchObject({ type: 'started', dataDir, demo: { username: 'demo' } })
  const password = first.facts.founder.password as string
  expect(password.length).toBeGreaterThan(20)
  expect(await first.stop('SIGTERM')).toBe(0)
  const second = await start()
  expect(second.facts.founder).toEqual({ username: 'founder' })
  expect(second.output()).not.toContain(password)
  const { mode } = await stat(join(dataDir, 'server-secret'))
  expect(mode & 0o777).toBe(0o600)
})

test('standard output is lines of JSON, one of which has what to tell at the start', async () => {
  const server = await start()
  expect(await server.stop('SIGTERM')).toBe(0)
  const lines = server.output().trimEnd().split('\n')
  const told = lines.map((line) => JSON.parse(line) as { msg: string; url?: string })
  expect(told.filter(({ msg }) => msg === 'privity:started')).toMatchObject([{ level: 30, url: server.facts.url }])
})

test('an orderly stop warns of nothing', async () => {
  const server = await start()
  expect(await server.stop('SIGTERM')).toBe(0)
  expect(server.output()).not.toMatch(/"level":[456]0|warning/i)
})

test('who starts it with a channel is told over the channel, and nothing secret is printed', async () => {
  const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))
  const env = { PATH: process.env['PATH'], ...compiledEnv, PORT: '0', DATA_DIR: dataDir }
  const child = fork(main, { env, silent: true })
  let output = ''
  child.stdout?.on('data', (text: Buffer) => void (output += text.toString()))
  const [facts] = (await once(child, 'message')) as [{ founder: { password: string } }]
  child.kill('SIGTERM')
  const [code] = (await once(child, 'close')) as [number]
  expect(code).toBe(0)
  expect(facts).toMatchObject({ type: 'started', url: expect.stringMatching(/^http:\/\/localhost:\d+$/) })
  expect(output).not.toContain(facts.founder.password)
})

test('kill -9 in a stream of writes loses no acknowledged one, and the next start needs no help', async () => {
  const first = await start()
  const { caller, move } = browse(first)
  await caller.call(session.register, { body: account })
  const acknowledged: string[] = []
  const writing = (async () => {
    for (;;) acknowledged.push((await caller.call(session.generateCode, {})).connectionCode)
  })().catch(() => {})
  while (acknowledged.length < 20) await new Promise((resolve) => void setImmediate(resolve))
  await first.stop('SIGKILL')
  await writing

  const second = await start()
  move(second)
  const kept = await caller.call(session.getUser, {})
  const at = acknowledged.indexOf(kept.connectionCode)
  expect([acknowledged.length - 1, -1]).toContain(at)
  const entries = await countEntries()
  expect(entries).toBeGreaterThanOrEqual(acknowledged.length)
  expect(entries).toBeLessThanOrEqual(acknowledged.length + 1)
})

async function countEntries(): Promise<number> {
  const query = "select count(*) as entries from audit_log where action = 'connection_code_replaced'"
  return (await ask<{ entries: number }>(dataDir, query))[0]?.entries ?? 0
}

test('a second server on the same data folder is refused, also after a kill -9 of a first one', async () => {
  const first = await start()
  const refused = await failToStart({ DATA_DIR: dataDir })
  expect(refused.code).toBe(1)
  expect(refused.error).toContain(`Another Privity server is running on the data folder ${dataDir}`)
  await first.stop('SIGKILL')
  const second = await start()
  expect((await failToStart({ DATA_DIR: dataDir })).code).toBe(1)
  expect(await second.stop('SIGTERM')).toBe(0)
})

test('SIGTERM finishes the request under way, closes sockets with 1012, and ends with 0', async () => {
  const server = await start()
  const { caller } = browse(server)
  const user = await caller.call(session.register, { body: account })
  const socket = await connectSocket(server.facts.url, caller, user.id)

  const { port } = new URL(server.facts.url)
  const stream = connect(Number(port), '127.0.0.1')
  const body = JSON.stringify({ username: account.username, password: account.password })
  const head = `POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
  stream.write(head)
  await once(stream, 'data')

  const stopped = server.stop('SIGTERM')
  expect(await socket.closed).toBe(1012)
  const late = connect(Number(port), '127.0.0.1')
  await expect(once(late, 'connect')).rejects.toThrow('ECONNREFUSED')
  let answer = ''
  stream.on('data', (text: Buffer) => void (answer += text.toString()))
  stream.write(body)
  await once(stream, 'close')
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer).toContain('"username":"anna"')
  expect(await stopped).toBe(0)
  const log = await readFile(join(dataDir, 'privity.db-wal')).catch(() => undefined)
  expect(log).toBeUndefined()
})

test('a configuration that is wrong in many ways is refused with all of them', async () => {
  const { code, error } = await failToStart({ DATA_DIR: dataDir, PORT: 'x', LOG_LEVEL: 'loud', S3_BUCKET: 'b' })
  expect(code).toBe(1)
  for (const name of ['PORT', 'LOG_LEVEL', 'S3_BUCKET']) expect(error).toContain(`- ${name} is`)
  expect(error).not.toContain('    at ')
})

test('a port that is in use is said in words', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, error } = await failToStart({ DATA_DIR: dataDir, PORT: String(port) })
  other.close()
  expect([code, error]).toEqual([1, expect.stringContaining('another program is using that port')])
})

test("a founder's password that a failed first start has not printed is made anew, and then kept", async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  await failToStart({ DATA_DIR: dataDir, PORT: String(port) })
  other.close()
  const second = await start()
  await second.stop('SIGTERM')
  const third = await start()
  const passwords = [second, third].map(({ facts }) => facts.founder.password)
  expect(passwords).toEqual([expect.stringMatching(/^[\w-]{24}$/), undefined])
})
