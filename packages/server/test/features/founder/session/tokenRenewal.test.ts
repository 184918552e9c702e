import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { founderSessions } from '@privity/contract/founder/session'
import { founderUsers } from '@privity/contract/founder/users'
import { limits } from '@privity/contract/limits'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { founderLogin, signInFounder } from '../../../support/founder/founder.ts'
import { deriveQuickly } from '../../../support/server/founderPassword.ts'

let server: TestServer
let founder: Caller
beforeEach(async () => {
  server = await createTestServer()
  founder = await signInFounder(server)
})
afterEach(() => server.close())

const secretNow = async () => (await founderLogin(server, server.visitor())).body.password
const confirm = async (who: Caller) =>
  who.call(founderSecondFactor.confirmSession, { body: { password: await secretNow() } })
const tokenOf = ({ cookies }: Caller) => cookies.get(server.core.founderSessions.cookieName)

/** A caller with the previous cookie: another tab, or an attacker who has copied it. */
function copyOf({ cookies }: Caller): Caller {
  const copy = server.visitor()
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}

describe("a confirmation of the founder's session", () => {
  test('gives it another token', async () => {
    const before = tokenOf(founder)
    await confirm(founder)
    expect(tokenOf(founder)).not.toBe(before)
    await founder.call(founderSessions.listSessions, {})
  })

  test('lets calls with the token of before through for 30 seconds, to the millisecond', async () => {
    const tab = copyOf(founder)
    await confirm(founder)
    server.clock.advance(limits.tokenOverlap - 1)
    await tab.call(founderSessions.listSessions, {})
    server.clock.advance(1)
    expect((await tab.refused(founderSessions.listSessions, {})).body.code).toBe('NOT_FOUNDER')
    await founder.call(founderSessions.listSessions, {})
  })

  test('leaves the token of before worthless once a clock that was ahead is put back', async () => {
    server.clock.ahead = 60 * 60 * 1000
    await signInFounder(server, founder)
    const thief = copyOf(founder)
    await confirm(founder)
    server.clock.ahead = 0
    expect((await thief.refused(founderSessions.listSessions, {})).body.code).toBe('NOT_FOUNDER')
    await founder.call(founderSessions.listSessions, {})
  })

  test('confirms nothing for a caller with the token of before', async () => {
    const member = await server.signUp()
    const thief = copyOf(founder)
    await confirm(founder)
    const removal = { params: { id: member.user.id } }
    expect((await thief.refused(founderUsers.remove, removal)).body.code).toBe('CONFIRMATION_NEEDED')
    await founder.call(founderUsers.remove, removal)
  })

  test('in two tabs at once leaves the browser with a token that is good', async () => {
    const other = copyOf(founder)
    await confirm(founder)
    const before = tokenOf(other)
    await confirm(other)
    expect(tokenOf(other)).toBe(before)
    server.clock.advance(limits.tokenOverlap)
    await founder.call(founderSessions.listSessions, {})
  })
})

test("a new password gives the founder's session another token", async () => {
  const thief = copyOf(founder)
  const salt = 'AAECAwQFBgcICQoLDA0ODw'
  const newPassword = await deriveQuickly('another password', salt)
  const body = { password: await secretNow(), newPassword, salt, reportKeys: [] }
  await founder.call(founderSecondFactor.changePassword, { body })
  server.clock.advance(limits.tokenOverlap)
  expect((await thief.refused(founderSessions.listSessions, {})).body.code).toBe('NOT_FOUNDER')
  await founder.call(founderSessions.listSessions, {})
})

test("the founder's session ends after 90 days, however much it is used and confirmed", async () => {
  const ends = server.clock.now() + limits.sessionLife
  const used = ends - limits.founderSessionIdle + 60_000
  // As calls all the time would leave it: 4,000 of them take minutes on a busy machine.
  await server.core.db.write((tx) => tx.run('update founder_sessions set last_used_at = ?', [used]))
  server.clock.advance(used - server.clock.now())
  await founder.call(founderSessions.listSessions, {})
  await confirm(founder)
  server.clock.advance(ends - server.clock.now() - 1)
  await founder.call(founderSessions.listSessions, {})
  server.clock.advance(1)
  expect((await founder.refused(founderSessions.listSessions, {})).body.code).toBe('NOT_FOUNDER')
})
