import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { emptyChain } from '@privity/contract/auditProof'
import { config } from '@privity/contract/config'
import { session } from '@privity/contract/session'
import { describe, expect } from 'vitest'
import { chainLeaf, leafOf, toProven } from '../../../src/core/audit/hashChain.ts'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import type { TestServer } from '../../support/server/testServer.ts'
import { withFounder } from '../../support/founder/monitoring.ts'
import { sqliteTest } from '../../support/database/sqliteTest.ts'

const minute = 60_000
const test = sqliteTest('log')

/** Changes the database directly, as an attacker who can write to it and has nothing else. */
function rewrite({ dataDir }: TestServer, change: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(join(dataDir, 'privity.db'), { timeout: 5_000 })
  const triggers = database
    .prepare("select name, sql from sqlite_master where type = 'trigger' and name like 'audit%'")
    .all() as { name: string; sql: string }[]
  database.exec('begin immediate')
  for (const { name } of triggers) database.exec(`drop trigger "${name}"`)
  change(database)
  for (const { sql } of triggers) database.exec(sql)
  database.exec('commit')
  database.close()
}

/** Gives every entry another actor, and recomputes every hash. */
function forge(database: DatabaseSync, from = 1): void {
  let chain = emptyChain
  for (const row of database.prepare('select * from audit_log order by seq').all() as unknown as AuditRow[]) {
    if (row.seq >= from) row.details = '{"forged":true}'
    chain = chainLeaf(chain, leafOf(toProven(row)))
    database.prepare('update audit_log set details = ?, hash = ? where seq = ?').run(row.details, chain, row.seq)
  }
}

describe('a log that somebody rewrote in the database', () => {
  const rewritten: [string, (database: DatabaseSync) => void][] = [
    [
      'whose heads are all gone and whose hashes fit',
      (database) => (database.exec('delete from audit_heads'), forge(database)),
    ],
    ['whose hashes fit, but not to its heads', forge],
    [
      'of which a head that this process signed is gone, with the entries after it changed',
      (database) => {
        const { n } = database.prepare('select max(n) as n from audit_heads').get() as { n: number }
        database.exec(`delete from audit_heads where n = ${n}`)
        const { seq } = database.prepare('select max(seq) as seq from audit_heads').get() as { seq: number }
        forge(database, seq + 1)
      },
    ],
    [
      'with an entry changed that nobody has signed yet',
      (database) =>
        database.exec(`update audit_log set details = '{"n":1}' where seq = (select max(seq) from audit_log)`),
    ],
    [
      'with an entry left out that nobody has signed yet',
      (database) => database.exec('delete from audit_log where seq = (select max(seq) - 1 from audit_log)'),
    ],
    [
      'with a head that is signed by another key',
      (database) =>
        database.exec(
          `update audit_heads set signature = '${'A'.repeat(86)}' where n = (select max(n) from audit_heads)`,
        ),
    ],
  ]

  test.each(rewritten)('is not signed, and makes the health critical: one %s', async (_how, change) => {
    await using own = await withFounder()
    const { server } = own
    const member = await server.signUp()
    await server.advance(minute)
    await member.call(session.generateCode, {})
    await server.advance(minute)
    for (let more = 0; more < 3; more++) await member.call(session.generateCode, {})
    const heads = () => server.core.db.read.all('select n, seq, hash from audit_heads order by n')
    expect((await own.stats()).healthProblems).not.toContain('auditLog')
    rewrite(server, change)
    const left = await heads()
    const alerts = () => server.core.db.read.all('select type, subject from alerts')
    expect(await alerts()).toEqual([])
    await server.advance(minute + 15_000)
    await member.call(session.generateCode, {})
    await server.advance(minute)
    expect(await heads()).toEqual(left)
    expect(await own.stats()).toMatchObject({ systemHealth: 'critical', healthProblems: ['auditLog'] })
    expect(await alerts()).toContainEqual({ type: 'system_error', subject: 'health auditLog' })
    // The public health check stays silent, so that the attacker does not learn of the detection.
    expect((await server.visitor().call(config.health, {})).status).not.toBe('critical')
  })

  test('has its key still, or the server does not start', async () => {
    await using own = await withFounder()
    const { server } = own
    await server.advance(minute)
    await server.app.close()
    rewrite(server, (database) => database.exec("delete from settings where key = 'audit_signing_key'"))
    await expect(server.start()).rejects.toThrow('The key that signs the audit log is gone')
  })
})
