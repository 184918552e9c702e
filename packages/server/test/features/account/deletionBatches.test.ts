import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { founderUsers } from '@privity/contract/founder/users'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { maxRowsPerStatement } from '../../../src/core/database/statements.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { createCaller } from '../../support/server/caller.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { startProcess } from '../../support/server/serverProcess.ts'
import { ask } from '../../support/database/storedBytes.ts'

// Each sign-up costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

const contacts = 35
/** Maximum number of connections that one transaction of the deletion removes. */
const batchSize = 10

let server: TestServer
let anna: Member
let others: Member[]
async function createContacts(count: number): Promise<void> {
  anna = await server.signUp('anna')
  others = []
  for (let index = 0; index < count; index++) {
    const other = await server.signUp(`contact${index}`)
    await server.connect(anna, other)
    others.push(other)
  }
}
beforeEach(async () => {
  const open = { requests: 100_000, window: 1000 }
  const rateLimits = { signUp: open, signIn: open, other: open, change: open }
  server = await createTestServer({ options: { rateLimits } })
})
afterEach(() => server.close())

const deletion = ({ user, password }: Member) => ({ body: { username: user.username, password } })
const countLeft = async (dataDir: string) => {
  const [row] = await ask<{ left: number }>(dataDir, 'select count(*) as "left" from connection_endings')
  return row?.left ?? 0
}
const countEntries = async () => (await selectAudit(server.core.db.read, "action = 'connection_removed'")).length

/** Runs `each` after every transaction that removed connections, with their number. */
function afterBatches(each: (told: number) => Promise<void>): () => void {
  const { db } = server.core
  const { write } = db
  db.write = async (work, isolation) => {
    let told = 0
    const result = await write(async (tx) => {
      const count = async () =>
        (await tx.get<{ rows: number }>("select count(*) as rows from audit_log where action = 'connection_removed'"))
          ?.rows ?? 0
      const before = await count()
      const done = await work(tx)
      told = (await count()) - before
      return done
    }, isolation)
    if (told > 0) await each(told)
    return result
  }
  return () => void (db.write = write)
}

/** Interrupts the deletion after its first batch, like the end of the process. */
async function breakOff(): Promise<void> {
  const restore = afterBatches(() => {
    restore()
    server.core.db.write = () => Promise.reject(new Error('the process ends'))
    return Promise.resolve()
  })
  await anna.call(account.remove, deletion(anna))
}

test('one transaction tells of ten connections at most', async () => {
  await createContacts(contacts)
  const sizes: number[] = []
  afterBatches(async (told) => void sizes.push(told))
  await anna.call(account.remove, deletion(anna))
  expect(sizes.toSorted((one, other) => other - one)).toEqual([batchSize, batchSize, batchSize, contacts % batchSize])
})

test('one turn of the event loop ends 64 connections at most', async () => {
  await createContacts(maxRowsPerStatement + 1)
  const ended: number[] = []
  const { write } = server.core.db
  server.core.db.write = (work, isolation) =>
    write((tx) => {
      let inTurn = 0
      const run: typeof tx.run = async (sql, params) => {
        const result = await tx.run(sql, params)
        if (!sql.startsWith('delete from connections ')) return result
        if (inTurn === 0) setImmediate(() => void (ended.push(inTurn), (inTurn = 0)))
        inTurn += result.changes
        return result
      }
      return work({ ...tx, run })
    }, isolation)
  await anna.call(account.remove, deletion(anna))
  expect(ended).toEqual([maxRowsPerStatement, 1])
})

test("other members' calls are answered between the batches", async () => {
  await createContacts(contacts)
  const [ben, cara] = others as [Member, Member]
  const leftMeanwhile: number[] = []
  const restore = afterBatches(async () => {
    restore()
    await server.connect(ben, cara)
    leftMeanwhile.push(await countLeft(server.dataDir))
  })
  await anna.call(account.remove, deletion(anna))
  expect(leftMeanwhile).toEqual([contacts - batchSize])
})

test('after the first batch the account cannot sign in, and its name and address are free', async () => {
  await createContacts(contacts)
  await breakOff()
  await server.restart()
  const login = { body: { username: 'anna', password: anna.password } }
  expect((await server.visitor().refused(session.login, login)).body.code).toBe('WRONG_CREDENTIALS')
  expect((await server.signUp('anna')).user.id).not.toBe(anna.user.id)
})

test('while contacts are still to be told, nobody has the account in a list', async () => {
  await createContacts(contacts)
  const seen: string[] = []
  const founder = await signInFounder(server)
  const restore = afterBatches(async () => {
    restore()
    const listed = await founder.call(founderUsers.list, { query: {} })
    seen.push(...listed.users.map(({ username }) => username))
    for (const other of others) expect(await other.call(connections.list, {})).toEqual([])
  })
  await anna.call(account.remove, deletion(anna))
  expect(seen).toContain('contact0')
  expect(seen).not.toContain('anna')
})

test('a deletion that broke off is completed at the next start, each contact told of once', async () => {
  await createContacts(contacts)
  await breakOff()
  expect(await countLeft(server.dataDir)).toBe(contacts - batchSize)
  await server.restart()
  await expect.poll(() => server.advance(1_000).then(() => countLeft(server.dataDir))).toBe(0)
  const told = await selectAudit(server.core.db.read, "action = 'connection_removed'")
  expect(told.map(({ target_id }) => target_id).toSorted()).toEqual(others.map(({ user }) => user.id).toSorted())
  expect(new Set(told.map(({ actor_id }) => actor_id))).toEqual(new Set([anna.user.id]))
})

test('asked for at the same time in two places, it happens once', async () => {
  await createContacts(contacts)
  const founder = await signInFounder(server)
  const body = { username: anna.user.username, password: anna.password }
  const answers = await Promise.all([
    anna.request('POST', '/api/account/deletion', body),
    founder.request('DELETE', `/api/founder/users/${anna.user.id}`),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  expect(await countEntries()).toBe(contacts)
  expect(await selectAudit(server.core.db.read, "action in ('account_deleted', 'user_deleted')")).toHaveLength(1)
})

test('contacts keep all else that they have', async () => {
  await createContacts(3)
  const [ben, cara] = others as [Member, Member]
  const kept = await server.connect(ben, cara)
  await anna.call(account.remove, deletion(anna))
  expect(await ben.call(connections.list, {})).toMatchObject([{ id: kept.id }])
})

test('a process killed in the middle leaves nothing to tell after the next start', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'privity-killed-'))
  await server.close()
  server = await createTestServer({ dataDir })
  await createContacts(120)
  await server.close()
  const env = { DATA_DIR: dataDir, DEMO: '0' }
  const first = await startProcess(env)
  const caller = createCaller(() => first.facts.url)
  await caller.call(session.login, { body: { username: 'anna', password: anna.password } })
  const asked = caller.request('POST', '/api/account/deletion', deletion(anna).body).catch(() => undefined)
  await expect.poll(() => countLeft(dataDir), { interval: 0, timeout: 30_000 }).toBeGreaterThan(0)
  await first.stop('SIGKILL')
  await asked
  expect(await countLeft(dataDir)).toBeGreaterThan(0)
  const second = await startProcess(env)
  await expect.poll(() => countLeft(dataDir), { timeout: 30_000 }).toBe(0)
  await second.stop('SIGTERM')
  const [row] = await ask<{ entries: number }>(
    dataDir,
    "select count(distinct target_id) as entries from audit_log where action = 'connection_removed'",
  )
  expect(row?.entries).toBe(120)
  await rm(dataDir, { recursive: true, force: true })
})
