import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRow } from '../src/core/schema.ts'
import { accountCases, type AuditCase } from './auditTable.ts'
import { conversationCases } from './auditTableConversations.ts'
import { notificationCases } from './auditTableNotifications.ts'
import { ownAccountCases } from './auditTableOwnAccount.ts'
import { preferenceCases } from './auditTablePreferences.ts'
import { reportCases } from './auditTableReports.ts'
import { secondFactorCases } from './auditTableSecondFactor.ts'
import { createTestServer, type TestServer } from './harness.ts'

const cases: Record<string, AuditCase> = {
  ...accountCases,
  ...ownAccountCases,
  ...secondFactorCases,
  ...conversationCases,
  ...reportCases,
  ...preferenceCases,
  ...notificationCases,
}

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const entries = () => server.core.db.read.all<AuditRow>('select * from audit_log order by seq')

test('every changing call is in the table, and nothing else is', () => {
  const changing = server.core.endpoints.filter(({ method }) => method !== 'GET')
  expect(Object.keys(cases).sort()).toEqual(changing.map(({ method, path }) => `${method} ${path}`).sort())
})

describe.each(Object.entries(cases))('%s', (_name, { action, prepare }) => {
  test('leaves an entry when it succeeds and none when it fails', async () => {
    const { fail, succeed } = await prepare(server)
    const before = await entries()
    await fail?.()
    expect(await entries()).toEqual(before)
    await succeed()
    const added = (await entries()).slice(before.length)
    if (typeof action !== 'string') return expect([added, action.none]).toEqual([[], expect.stringMatching(/\w{4}/)])
    expect(added.map((entry) => entry.action)).toEqual([action])
    expect(added[0]).toMatchObject({ actor_id: expect.any(String), address: expect.stringMatching(/^10\./) })
  })
})

test('a change and its entry are kept together or not at all', async () => {
  const member = await server.signUp()
  await server.core.db.write((tx) =>
    tx.run("create temp trigger no_entry before insert on main.audit_log begin select raise(abort, 'no'); end"),
  )
  const answer = await member.request('POST', '/api/connection-code/generate')
  await server.core.db.write((tx) => tx.run('drop trigger no_entry'))
  expect(answer.status).toBe(500)
  const stored = await server.core.db.read.get('select connection_code as code from users where id = ?', [
    member.user.id,
  ])
  expect(stored).toEqual({ code: member.user.connectionCode })
})

test('entries cannot be changed or removed', async () => {
  await server.signUp()
  for (const sql of ["update audit_log set action = 'x'", 'delete from audit_log']) {
    await expect(server.core.db.write((tx) => tx.run(sql))).rejects.toThrow('append-only')
  }
})

test('each entry carries the hash of the one before', async () => {
  const rows = await entries()
  expect(rows.length).toBeGreaterThan(10)
  let previous = ''
  for (const row of rows) {
    const fields = [row.seq, row.created_at, row.action, row.actor_id, row.target_id, row.address, row.details]
    previous = createHash('sha256')
      .update(`${previous}\n${JSON.stringify(fields)}`)
      .digest('base64url')
    expect(row.hash).toBe(previous)
  }
})
