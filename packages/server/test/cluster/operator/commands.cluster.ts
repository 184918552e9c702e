import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { session } from '@privity/contract/session'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { openOperator } from '../../../src/operator/operator.ts'
import { rotateSecret } from '../../../src/operator/secretRotation.ts'
import { createCaller } from '../../support/server/caller.ts'
import { runAdmin } from '../../support/server/adminCommand.ts'
import { type ServerProcess, startProcess } from '../../support/server/serverProcess.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let postgres: PostgresServer
let folder: string
let server: ServerProcess
/** Secret of the database that all tests here share. */
let secret = 'a secret of this test, long enough for it'

/** As on separate machines: each process has a folder of its own, and the secret is shared. */
const env = (name: string) => ({
  DATA_DIR: join(folder, name),
  DATABASE_URL: postgres.url,
  SERVER_SECRET: secret,
  DEMO: '0',
})
const admin = (given: readonly string[], more: Record<string, string> = {}) =>
  runAdmin(join(folder, 'operator'), given, { ...env('operator'), ...more })

beforeAll(async () => {
  postgres = await startPostgres({ durable: false })
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-operator-'))
})
afterEach(async () => {
  await server.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function signUp(username: string) {
  const caller = createCaller(() => server.facts.url)
  const body = { username, password: 'p', firstName: 'A', lastName: 'B', email: `${username}@example.com` }
  return { ...caller, user: await caller.call(session.register, { body }) }
}

test('a database that no server has made anything in is refused', async () => {
  const other = await startPostgres({ durable: false })
  try {
    const ran = await admin(['list', 'users'], { DATABASE_URL: other.url })
    expect([ran.code, ran.error]).toEqual([1, expect.stringContaining('no Privity data')])
  } finally {
    await other.stop()
  }
  server = await startProcess(env('server'))
  expect(await admin(['list', 'organizations'])).toMatchObject({ code: 0 })
})

test('a role is set while a server on another machine runs, which remembers no session of before', async () => {
  server = await startProcess(env('server'))
  await signUp('chief')
  const ada = await signUp('ada')
  await signUp('ben')
  expect((await ada.request('GET', '/api/user')).status).toBe(200)
  const set = await admin(['role', 'set', 'ada', 'org_admin'])
  expect(set).toMatchObject({ code: 0, output: expect.stringContaining('1 sessions ended') })
  expect((await ada.request('GET', '/api/user')).status).toBe(401)
  const again = await ada.call(session.login, { body: { username: 'ada', password: 'p' } })
  expect(again.role).toBe('org_admin')
})

test('the secret is rotated when every server has stopped, also where one was killed', async () => {
  server = await startProcess(env('server'))
  const carl = await signUp('carl')
  const next = 'another secret of this test, as long as that'
  const rotate = () => admin(['secret', 'rotate'], { NEW_SERVER_SECRET: next })
  const refused = await rotate()
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('stop every server first')])
  expect((await carl.request('GET', '/api/user')).status).toBe(200)
  await server.stop('SIGKILL')
  expect(await rotate()).toMatchObject({ code: 0, output: expect.stringContaining('re-encrypted') })
  secret = next
  server = await startProcess(env('server'))
  expect((await carl.request('GET', '/api/user')).status).toBe(401)
  await carl.call(session.login, { body: { username: 'carl', password: 'p' } })
})

test('a server that starts during a rotation stops the rotation, and nothing has changed', async () => {
  server = await startProcess(env('server'))
  const dora = await signUp('dora')
  await server.stop('SIGTERM')
  const operator = await openOperator(loadConfig(env('operator')), true)
  const { read, write } = operator.db
  let starting: Promise<ServerProcess> | undefined
  const db: typeof operator.db = {
    ...operator.db,
    write: (work) =>
      write(async (tx) => {
        const rotated = await work(tx)
        if (starting !== undefined) return rotated
        // Everything is re-encrypted, and not yet committed.
        starting = startProcess(env('late'))
        const known = (operator.silentProcesses ?? []).length
        while ((await read.all('select id from processes')).length === known);
        return rotated
      }),
  }
  const next = 'a secret that nobody will ever use, long enough'
  await expect(rotateSecret({ ...operator, db }, next)).rejects.toThrow('stop every server first')
  await operator.close()
  server = await (starting as unknown as Promise<ServerProcess>)
  const { session: _session, ...before } = dora.user
  expect(await dora.call(session.login, { body: { username: 'dora', password: 'p' } })).toMatchObject(before)
  expect((await dora.request('GET', '/api/user')).status).toBe(200)
})

test('a server that was paused while the secret was rotated ends with the reason when it goes on', async () => {
  server = await startProcess(env('server'))
  const { child } = server
  const ended = once(child, 'exit')
  child.kill('SIGSTOP')
  const next = 'the secret after a pause of the server, long enough'
  expect(await admin(['secret', 'rotate'], { NEW_SERVER_SECRET: next })).toMatchObject({ code: 0 })
  child.kill('SIGCONT')
  expect([(await ended)[0], server.output()]).toEqual([1, expect.stringContaining("server's secret is not the one")])
  secret = next
  server = await startProcess(env('server'))
})
