import { emptyChain } from '@privity/contract/auditProof'
import { files } from '@privity/contract/files'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/core/audit/audit.ts'
import { chainLeaf, leafOf, toProven } from '../../../src/core/audit/hashChain.ts'
import { auditCases } from '../../support/auditCases/auditCases.ts'
import { streamCases } from '../../support/auditCases/streams.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { everyTable, refuse } from '../../support/database/schema.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const entries = () => selectAudit(server.core.db.read)

test('every changing call is in the table, and nothing else is', () => {
  const changing = server.core.endpoints.filter(({ method }) => method !== 'GET')
  expect(Object.keys(auditCases).sort()).toEqual(changing.map(({ method, path }) => `${method} ${path}`).sort())
})

test('every call about files and of the founder leaves an entry, except checking a receipt', () => {
  const unlogged = Object.entries({ ...auditCases, ...streamCases })
    .filter(([, { action }]) => typeof action === 'object' && 'none' in action)
    .map(([name]) => name)
  const promised = /^[A-Z]+ \/(api\/(founder|files|file-|objects|authoriz)|objects)/
  const ofFiles = Object.values(files).map(({ method, path }) => `${method} ${path}`)
  expect(unlogged.filter((name) => promised.test(name) || ofFiles.includes(name))).toEqual([
    'POST /api/founder/check-receipt',
  ])
})

test('nothing is mounted beside the contract that could change anything, but the upload of bytes', () => {
  const methods = server.app.app.printRoutes({ commonPrefix: false }).match(/(?<=\()[A-Z, ]+(?=\))/g) ?? []
  const changing = methods.flatMap((list) => list.split(', ')).filter((method) => !['GET', 'HEAD'].includes(method))
  const streams = Object.keys(streamCases).filter((name) => !name.startsWith('GET'))
  expect(changing).toHaveLength(Object.keys(auditCases).length + streams.length)
})

/**
 * Tables in which a failed attempt deliberately leaves rows: counters, single-use challenges, and alerts to the
 * founder.
 */
const attempts = [
  'sign_in_locks',
  'security_events',
  'passkey_challenges',
  'alerts',
  'alert_deliveries',
  'alert_windows',
  'told_incidents',
]

async function everything(usesUp: readonly string[] = []) {
  const { db } = server.core
  const kept = (await everyTable(db.read)).filter((name) => !attempts.includes(name) && !usesUp.includes(name))
  return Object.fromEntries(
    await Promise.all(kept.map(async (name) => [name, await db.read.all(`select * from "${name}"`)] as const)),
  )
}

/** Runs `work` while inserts into the audit log fail, so that everything that writes an entry must roll back. */
async function withoutEntries(work: () => Promise<unknown>): Promise<void> {
  const allow = await refuse(server.core.db, 'audit_log')
  try {
    await work()
  } finally {
    await allow()
  }
}

describe.each(Object.entries({ ...auditCases, ...streamCases }))('%s', (_name, { action, prepare, usesUp }) => {
  test('leaves an entry when it succeeds and none when it fails', async () => {
    const { fail, succeed } = await prepare(server)
    const before = await entries()
    await fail?.()
    expect(await entries()).toEqual(before)
    await succeed()
    const added = (await entries()).slice(before.length)
    if (typeof action === 'object' && 'none' in action)
      return expect([added, action.none]).toEqual([[], expect.stringMatching(/\w{4}/)])
    expect(added.map((entry) => entry.action)).toEqual([action].flat())
    expect(added[0]).toMatchObject({ actor_id: expect.any(String), address: expect.stringMatching(/^10\./) })
  })

  test.skipIf(typeof action === 'object' && 'none' in action)(
    'changes nothing when its entry cannot be written',
    async () => {
      const { succeed } = await prepare(server)
      const before = await everything(usesUp)
      await withoutEntries(() => expect(succeed()).rejects.toThrow(/answered 500/))
      expect(await everything(usesUp)).toEqual(before)
    },
  )
})

test('entries and heads cannot be changed or removed', async () => {
  await server.signUp()
  await server.advance(60_000)
  expect(await server.core.db.read.get('select n from audit_heads')).toBeDefined()
  for (const sql of [
    "update audit_log set action = 'x'",
    'delete from audit_log',
    'update audit_heads set seq = 1',
    'delete from audit_heads',
  ]) {
    await expect(
      server.core.db.write((tx) => tx.run(sql)),
      sql,
    ).rejects.toThrow('append-only')
  }
})

test('each entry is chained to the one before', async () => {
  const rows = await server.core.db.read.all<Parameters<typeof toProven>[0] & { hash: string }>(
    'select * from audit_log order by seq',
  )
  expect(rows.length).toBeGreaterThan(10)
  let chain = emptyChain
  for (const [at, row] of rows.entries()) {
    chain = chainLeaf(chain, leafOf(toProven(row)))
    expect([row.seq, row.hash]).toEqual([at + 1, chain])
  }
})

test('an entry of somebody who does not exist is refused: it would be in nobody’s log', async () => {
  const actorId = '01890000-0000-7000-8000-000000000000'

  await expect(server.core.db.write((tx) => audit(tx, { action: 'x', actorId, at: 1 }))).rejects.toThrow('exist')
})
