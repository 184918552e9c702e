import { expect, test, vi } from 'vitest'
import { createGate } from '../../support/server/gate.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { afterEach } from '../../../src/migrations/ddl.ts'
import { isSqlite } from '../../support/database/schema.ts'

test('a reference to nothing is a failure of the server, not the end of the caller’s session', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const does = `insert into passkeys (id, user_id, name, credential_id, public_key, counter, transports, rp_id, created_at)
    values ('a', 'nobody', '', 'a', '', 0, '[]', '', 0);`
  const { sqlite, postgres } = afterEach({ name: 'breaking', when: 'after insert on preferences', does })
  await server.core.db.write(async (tx) => {
    for (const statement of isSqlite(tx) ? sqlite : postgres) await tx.run(statement)
  })
  const answer = await member.request('PATCH', '/api/preferences', { theme: 'dark' })
  expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
  expect((await member.request('GET', '/api/user')).status).toBe(200)
})

test('where the account itself is gone while a call runs, the caller is not signed in', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  await member.request('GET', '/api/user')
  // Without a notice, the server keeps the session in its cache.
  await server.core.db.write((tx) => tx.run('delete from users where id = ?', [member.user.id]))
  const answer = await member.request('POST', '/api/objects/upload')
  expect(answer).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
})

test('a call in one transaction with the deletion of its account is refused as not signed in', async () => {
  await using server = await createTestServer()
  const { db } = server.core
  const member = await server.signUp()
  using gate = createGate()
  const held = db.write(() => gate.pass())
  await gate.reached
  const deleted = db.write((tx) => tx.run('delete from users where id = ?', [member.user.id]))
  const write = vi.spyOn(db, 'write')
  const refused = member.request('POST', '/api/objects/upload')
  await vi.waitFor(() => expect(write).toHaveBeenCalled())
  gate.open()
  await Promise.all([held, deleted])
  expect(await refused).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } })
})
