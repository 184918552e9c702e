import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hashToken } from '../../../src/core/sessions/tokens.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a list of sessions shows when each was used and writes nothing', async () => {
  const member = await server.signUp()
  const other = server.visitor()
  await other.call(session.login, { body: { username: member.user.username, password: member.password } })
  const { db, sessions } = server.core
  const saved = () =>
    db.read.all<{ at: number }>('select last_used_at as at from sessions where user_id = ?', [member.user.id])
  await sessions.saveUse()
  const before = await saved()
  await server.advance(1_000)
  await other.call(session.getUser, {})
  const used = server.clock.now()
  await server.advance(1_000)
  const write = vi.spyOn(db, 'write')
  const listed = await member.call(session.listSessions, {})
  expect(listed.map(({ current, lastUsedAt }) => [current, lastUsedAt]).toSorted()).toEqual([
    [false, used],
    [true, server.clock.now()],
  ])
  expect(write).not.toHaveBeenCalled()
  expect(await saved()).toEqual(before)
  const asked = Array.from({ length: 20 }, () => sessions.saveUse())
  await Promise.all(asked)
  // Once for the first call; the one shared by the concurrent callers finds nothing left to write.
  expect(write).toHaveBeenCalledTimes(1)
  write.mockRestore()
  expect((await saved()).map(({ at }) => at).toSorted()).toEqual([used, server.clock.now()])
})

test('the times of use of hundreds of sessions are written down, a part at a time', async () => {
  const { db, sessions, clock } = server.core
  const { user } = await server.signUp()
  const tokens = Array.from({ length: 300 }, (_, n) => `token ${n}`.padEnd(43, '.'))
  await db.write(async (tx) => {
    for (const [n, token] of tokens.entries())
      await tx.run(
        `insert into sessions (id, user_id, token_hash, key_share, created_at, last_used_at, address, device, idle_limit)
         values (?, ?, ?, '', ?, ?, '', '', 1000000000)`,
        [`many ${n}`, user.id, hashToken(token), clock.now(), clock.now() - 1],
      )
  })
  await sessions.saveUse()
  for (const token of tokens) await sessions.find(`${sessions.cookieName}=${token}`)
  const write = vi.spyOn(db, 'write')
  await sessions.saveUse()
  expect(write).toHaveBeenCalledTimes(2)
  write.mockRestore()
  const written = "select count(*) as n from sessions where id like 'many %' and last_used_at = ?"
  expect(await db.read.get(written, [clock.now()])).toEqual({ n: 300 })
  await db.write((tx) => tx.run("delete from sessions where id like 'many %'"))
})
