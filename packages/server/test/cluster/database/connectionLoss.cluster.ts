import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { session } from '@privity/contract/session'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db, Tx } from '../../../src/core/database/types.ts'
import { isLost } from '../../../src/core/database/errors.ts'
import { sendStatement, connect, end, sessionTimeouts } from '../../../src/core/database/postgres/connect.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createCaller } from '../../support/server/caller.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { createLine } from '../support/line.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { createProxy, type Proxy } from '../support/proxy.ts'

let server: PostgresServer
let proxy: Proxy
let db: Db
const errors: unknown[] = []
let uncertain = 0

/** Shared by all servers on this database. */
const secret = { SERVER_SECRET: 'of every server on this one database' }

const through = (port: number) => {
  const url = new URL(server.url)
  url.port = String(port)
  return url.href
}

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  proxy = await createProxy(server.port)
  db = await openDb('', {
    postgres: { url: through(proxy.port), readers: 2 },
    onError: (error) => errors.push(error),
    onUncertain: () => void (uncertain += 1),
  })
})
afterEach(async () => {
  // Settings that a test's server wrote stay, because its audit log stays, too, and needs the signing key.
  await db.write((tx) => tx.run("delete from settings where value = ''"))
  await db.close()
  await proxy.close()
})

const put = (key: string) => (tx: Tx) => tx.run("insert into settings (key, value) values (?, '')", [key])
const keys = async () =>
  (await db.read.all<{ key: string }>('select key from settings order by key')).map(({ key }) => key)
const untilWritten = async (key: string) => {
  for (let at = 0; ; at++) {
    const written = await db.write(put(`${key} ${at}`)).then(
      () => true,
      () => false,
    )
    if (written) return
  }
}

test('a connection that is cut in the middle of a batch: all of it is done again, once', async () => {
  let runs = 0
  await Promise.all([
    db.write(put('before')),
    db.write(async (tx) => {
      runs += 1
      await put('during')(tx)
      if (runs === 1) proxy.cut()
      await put('and after')(tx)
    }),
    db.write(put('behind')),
  ])
  expect(runs).toBe(2)
  expect(await keys()).toEqual(['and after', 'before', 'behind', 'during'])
})

test('a commit whose answer is lost is never answered as done, and the next call is', async () => {
  let hooks = 0
  uncertain = 0
  proxy.swallowAnswerTo('commit\0')
  const lost = db.write(async (tx) => {
    tx.afterCommit(() => (hooks += 1))
    await put('unknown')(tx)
  })
  await expect(lost).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect([hooks, uncertain]).toEqual([0, 1])
  await db.write(put('next'))
  expect(await keys()).toEqual(['next', 'unknown'])
})

test('a change whose answer is lost before the commit is made again, once', async () => {
  let runs = 0
  uncertain = 0
  proxy.swallowAnswerTo('by itself')
  await db.write((tx) => {
    runs += 1
    return put('by itself')(tx)
  }, 'read committed')
  expect([runs, uncertain]).toEqual([2, 0])
  expect(await keys()).toEqual(['by itself'])
})

test('work whose every beginning is lost is refused, and costs the next nothing', async () => {
  proxy.swallow('begin isolation level serializable', 4)
  await expect(db.write(put('lost'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await db.write((tx) => tx.all('select 1 as one'), 'read committed')).toEqual([{ one: 1 }])
  await db.write(put('next'))
  expect(await keys()).toEqual(['next'])
})

test('a connection that ended while nobody used it costs no call', async () => {
  await db.write(put('a'))
  await db.read.all('select 1')
  proxy.cut()
  await db.write(put('b'))
  expect(await keys()).toEqual(['a', 'b'])
})

test('a connection whose other end vanished ends with all its queries when an answer is overdue', async () => {
  const line = await createLine(() => server.port)
  const client = await connect(through(line.port), sessionTimeouts.short)
  const ended = new Promise<void>((resolve) => void client.once('end', resolve))
  line.silence()
  const overdue = sendStatement(client, { text: 'select 1' }, { response: 200 })
  const behind = sendStatement(client, { text: 'select 2' }, sessionTimeouts.short)
  const failed = [await overdue.catch((error: unknown) => error), await behind.catch((error: unknown) => error)]
  expect(failed.map(isLost)).toEqual([true, true])
  await ended
  await line.close()
})

test('an answer that comes in time leaves nothing that could end its connection', async () => {
  const client = await connect(server.url, sessionTimeouts.short)
  const before = process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  await sendStatement(client, { text: 'select 1' }, sessionTimeouts.short)
  await sendStatement(client, { text: 'select nothing from nowhere' }, sessionTimeouts.short).catch(() => {})
  expect(process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout')).toHaveLength(before)
  end(client)
})

test('calls are refused as unavailable while the server is away, and succeed once it is back', async () => {
  await db.write(put('before'))
  await server.halt()
  await expect(db.write(put('away'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await expect(db.read.all('select 1')).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  await server.start()
  await db.write(put('back'))
  expect(await keys()).toEqual(['back', 'before'])
})

test('a server that crashes in a stream of writes has all that were answered', async () => {
  const answered: string[] = []
  let running = true
  const writing = Promise.all(
    Array.from({ length: 20 }, async (_, one) => {
      for (let at = 0; running; at++) {
        const key = `${one} ${at}`
        await db.write(put(key)).then(
          () => answered.push(key),
          () => {},
        )
      }
    }),
  )
  while (answered.length < 400) await new Promise((resolve) => setImmediate(resolve))
  await server.kill()
  await server.start()
  await untilWritten('back')
  running = false
  await writing
  expect(new Set(await keys())).toEqual(new Set([...(await keys()), ...answered]))
  expect(answered.length).toBeGreaterThanOrEqual(400)
})

test('a process that is killed in a stream of calls loses none that it answered', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-killed-'))
  const env = { ...secret, DATA_DIR: dataDir, DATABASE_URL: server.url }
  const first = await startProcess(env)
  let { url } = first.facts
  const caller = createCaller(() => url)
  const account = { username: 'anna', password: 'secret', firstName: 'Anna', lastName: 'A', email: 'a@example.com' }
  await caller.call(session.register, { body: account })
  const answered: string[] = []
  const calling = (async () => {
    for (;;) answered.push((await caller.call(session.generateCode, {})).connectionCode)
  })().catch(() => {})
  while (answered.length < 30) await new Promise((resolve) => setImmediate(resolve))
  await first.stop('SIGKILL')
  await calling
  const second = await startProcess(env)
  url = second.facts.url
  const [user] = await db.read.all<{ code: string }>(
    "select connection_code as code from users where username = 'anna'",
  )
  // The call in flight may have been stored without a response.
  const { connectionCode } = await caller.call(session.getUser, {})
  expect(connectionCode).toBe(user?.code)
  if (answered.at(-1) !== user?.code) expect(answered).not.toContain(user?.code)
  await second.stop('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

test('a session ended by a commit whose answer is lost no longer works, and its sockets close', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-uncertain-'))
  const serving = await startProcess({ ...secret, DATA_DIR: dataDir, DATABASE_URL: through(proxy.port) })
  const { url } = serving.facts
  for (let n = 0, code: unknown; code !== 'UNAVAILABLE'; n++) {
    // The lost response may belong to the heartbeat; then we try again with another account.
    expect(n).toBeLessThan(5)
    const caller = createCaller(() => url)
    const account = { password: 'secret', firstName: 'Anna', lastName: 'A', email: `lost${n}@example.com` }
    const user = await caller.call(session.register, { body: { ...account, username: `lost${n}` } })
    await caller.call(session.getUser, {})
    const socket = await connectSocket(url, caller, user.id)
    const cookie = new Map(caller.cookies)
    proxy.swallowAnswerTo('commit\0')
    code = ((await caller.request('POST', '/api/logout')).body as { code?: string } | undefined)?.code
    if (code !== 'UNAVAILABLE') continue
    for (const [name, value] of cookie) caller.cookies.set(name, value)
    expect(await socket.closed).toBe(4003)
    expect((await caller.refused(session.getUser, {})).status).toBe(401)
  }
  await serving.stop('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

test('a message whose storing loses the connection is there once, in its order, and shown', async () => {
  await using serving = await createTestServer({ env: { ...secret, DATABASE_URL: through(proxy.port) } })
  const { anna, ben, send, text } = await createTalk(serving)
  // From the second message on, the server has cached what it would query.
  for (let n = 0; n < 2; n++) await send(anna)
  const socket = await ben.socket()
  const ids: string[] = []
  const statuses: number[][] = []
  const lose: ((id: string) => void)[] = [
    (id) => proxy.swallowAnswerTo(id),
    (id) => proxy.swallow(id),
    () => proxy.swallowAnswerTo('commit\0'),
    () => proxy.swallow('commit\0'),
    () => {},
  ]
  for (const loseConnection of lose) {
    const body = text(anna)
    const id = readSealedMessage(Buffer.from(body.content, 'base64url'))?.messageId as string
    ids.push(id)
    loseConnection(id)
    const post = async () => (await anna.request('POST', '/api/messages', body)).status
    const status = await post()
    statuses.push(status === 503 ? [status, await post()] : [status])
  }
  // A lost commit is not repeated by the server: it may be kept, and the client sends the message again.
  expect(statuses).toEqual([[201], [201], [503, 200], [503, 201], [201]])
  const stored = ids.map((id, at) => ({ id, seq: at + 3 }))
  const { read } = serving.core.db
  expect(await read.all('select id, seq from messages where seq > 2 order by seq')).toEqual(stored)
  expect(await read.get('select sum(messages) as messages from message_minutes')).toEqual({ messages: 7 })
  await socket.settled()
  const told = socket.frames.flatMap((frame) => (frame.type === 'new_message' ? [frame.message] : []))
  expect(told.map(({ id, seq }) => ({ id, seq }))).toEqual(stored.filter((_, at) => at !== 2))
  // The browser loads what it was not told of.
  await serving.advance(2_000)
  await socket.next('resync')
})
