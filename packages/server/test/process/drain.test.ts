import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@privity/contract/files'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createTestServer } from '../support/server/testServer.ts'
import { createCaller } from '../support/server/caller.ts'
import { type ServerProcess, startProcess } from '../support/server/serverProcess.ts'
import { connectSocket, openSocket } from '../support/server/testSocket.ts'

// Each test starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let dataDir: string
let server: ServerProcess | undefined

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'privity-drain-'))
})
afterEach(async () => {
  if (server?.child.exitCode === null && server.child.signalCode === null) await server.stop('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

const account = { username: 'anna', password: 'secret', firstName: 'Anna', lastName: 'A', email: 'anna@example.com' }

async function start(env: Record<string, string>) {
  const started = await startProcess({ DATA_DIR: dataDir, ...env })
  server = started
  const caller = createCaller(() => started.facts.url)
  const user = await caller.call(session.register, { body: account })
  return { server: started, caller, user, health: () => caller.request('GET', '/api/health') }
}

/** Repeats `ask` until the result is as wanted, or the test times out. */
async function until<T>(ask: () => Promise<T>, isWanted: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isWanted(answer)) return answer
  }
}

test('told to stop, it answers 503 at /api/health, serves for DRAIN_DELAY, and takes no sockets', async () => {
  const { server: running, caller, user, health } = await start({ DRAIN_DELAY: '5s' })
  const socket = await connectSocket(running.facts.url, caller, user.id)
  expect(await health()).toMatchObject({ status: 200 })
  const stopped = running.stop('SIGTERM')
  // The delay suffices for all calls below, even on a busy machine.
  const told = Date.now()
  const draining = await until(health, ({ status }) => status !== 200)
  expect([draining.status, draining.body]).toEqual([503, { status: 'draining', version: expect.any(String) as string }])
  expect((await caller.request('GET', '/api/alive')).status).toBe(200)
  expect((await caller.call(session.getUser, {})).username).toBe('anna')
  await expect(openSocket(running.facts.url, caller)).rejects.toThrow('refused with 503')
  await socket.settled()
  expect(socket.raw.readyState).toBe(socket.raw.OPEN)
  expect(await socket.closed).toBe(1012)
  expect(Date.now() - told).toBeGreaterThanOrEqual(4_900)
  expect(await stopped).toBe(0)
})

test('an upload under way is finished after the signal; then the process ends with 0', async () => {
  const { server: running, caller } = await start({})
  const { uploadURL } = await caller.call(files.createUpload, {})
  const bytes = new Uint8Array(3_000_000).fill(7)
  let feed: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({ start: (controller) => void (feed = controller) })
  const headers = { 'content-type': 'application/octet-stream' }
  const answer = caller.fetch(uploadURL, { method: 'PUT', body, headers, duplex: 'half' } as RequestInit)
  feed?.enqueue(bytes.subarray(0, 1_000_000))
  const partial = join(dataDir, 'objects', 'partial')
  await until(
    () => readdir(partial),
    (names) => names.length === 1,
  )
  const stopped = running.stop('SIGTERM')
  const isClosed = (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === 'ECONNREFUSED'
  await until(() => fetch(running.facts.url).then(() => false, isClosed), Boolean)
  feed?.enqueue(bytes.subarray(1_000_000))
  feed?.close()
  expect((await answer).status).toBe(200)
  expect(await stopped).toBe(0)
  expect((await readdir(join(dataDir, 'objects'))).toSorted()).toEqual([uploadURL.slice(-36), 'partial'].toSorted())
  expect(await readdir(partial)).toEqual([])
})

test('an upload that outlasts DRAIN_TIME is cut off and leaves nothing; the process ends with 0', async () => {
  const { server: running, caller } = await start({ DRAIN_TIME: '1s' })
  const { uploadURL } = await caller.call(files.createUpload, {})
  const body = new ReadableStream<Uint8Array>({ start: (feed) => feed.enqueue(new Uint8Array(1_000_000)) })
  const answer = caller.fetch(uploadURL, { method: 'PUT', body, duplex: 'half' } as RequestInit)
  const failed = expect(answer).rejects.toThrow('fetch failed')
  const partial = join(dataDir, 'objects', 'partial')
  await until(
    () => readdir(partial),
    (names) => names.length === 1,
  )
  expect(await running.stop('SIGTERM')).toBe(0)
  await failed
  expect(await readdir(join(dataDir, 'objects'))).toEqual(['partial'])
  expect(await readdir(partial)).toEqual([])
})

test('many sockets are closed a part at a time, and those that are left hear notices meanwhile', async () => {
  await using many = await createTestServer()
  const members = [await many.signUp(), await many.signUp(), await many.signUp(), await many.signUp()]
  const sockets = await Promise.all(members.flatMap((member) => Array.from({ length: 30 }, () => member.socket())))
  expect(many.core.sockets.count()).toBe(120)
  const began = performance.now()
  const closing = many.core.sockets.close()
  // The first part closes synchronously, so this runs before the next part, regardless of the machine's speed.
  expect(many.core.sockets.count()).toBe(20)
  for (const { user } of members) many.core.sockets.notify(user.id, { type: 'user_changed' })
  expect(await Promise.all(sockets.map(({ closed }) => closed))).toEqual(sockets.map(() => 1012))
  expect(performance.now() - began).toBeGreaterThanOrEqual(99)
  expect(sockets.filter(({ frames }) => frames.some(({ type }) => type === 'user_changed'))).toHaveLength(20)
  await closing
})
