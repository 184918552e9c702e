import { account } from '@privity/contract/account'
import { confirmation } from '@privity/contract/confirmation'
import { limits } from '@privity/contract/limits'
import { invitations, organizationPolicy } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { join } from '../../support/scenes/organization.ts'
import { connectSocket } from '../../support/server/testSocket.ts'

let server: TestServer
let chief: Member
beforeAll(async () => {
  server = await createTestServer()
  chief = await join(server, 'super_admin')
})
afterAll(() => server.close())

const confirm = (who: Pick<Member, 'call'>) => who.call(confirmation.confirm, { body: { password: chief.password } })

/** A caller with the previous cookie: another tab, or an attacker who has copied it. */
function withCookieOf({ cookies }: Member): Caller {
  const copy = server.visitor()
  for (const [name, value] of cookies) copy.cookies.set(name, value)
  return copy
}
const tokenOf = ({ cookies }: Caller) => cookies.get(server.core.sessions.cookieName)
const invite = { body: { role: 'org_admin' as const, validFor: limits.minInvitation } }

describe('a confirmation', () => {
  test('gives the session another token', async () => {
    const before = tokenOf(chief)
    await confirm(chief)
    expect(tokenOf(chief)).not.toBe(before)
    await chief.call(session.getUser, {})
  })

  test('lets calls under way with the token of before through for a moment, and no longer', async () => {
    const tab = withCookieOf(chief)
    await confirm(chief)
    await tab.call(session.getUser, {})
    server.clock.advance(limits.tokenOverlap)
    expect((await tab.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
    await chief.call(session.getUser, {})
  })

  test('leaves the token of before worthless once a clock that was ahead is put back', async () => {
    server.clock.ahead = 60 * 60 * 1000
    await chief.call(session.login, { body: { username: chief.user.username, password: chief.password } })
    const thief = withCookieOf(chief)
    await confirm(chief)
    server.clock.ahead = 0
    expect((await thief.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
    await chief.call(session.getUser, {})
    await chief.call(session.login, { body: { username: chief.user.username, password: chief.password } })
  })

  test('confirms nothing for who has the token of before', async () => {
    const thief = withCookieOf(chief)
    await confirm(chief)
    expect((await thief.refused(invitations.create, invite)).body.code).toBe('CONFIRMATION_NEEDED')
    await chief.call(invitations.create, invite)
  })

  test('in two tabs at once leaves the browser with a token that is good', async () => {
    const other = withCookieOf(chief)
    await confirm(chief)
    const before = tokenOf(other)
    await confirm(other)
    expect(tokenOf(other)).toBe(before)
    server.clock.advance(limits.tokenOverlap)
    await chief.call(session.getUser, {})
  })

  test('ends the sockets of the token of before, and opens none for it', async () => {
    const thief = withCookieOf(chief)
    const socket = await connectSocket(server.url, thief, chief.user.id)
    await confirm(chief)
    await expect(connectSocket(server.url, thief, chief.user.id)).rejects.toThrow()
    const own = await chief.socket()
    await server.advance(limits.tokenOverlap)
    await socket.closedFor
    await own.settled()
  })

  test('soon after another one leaves the sockets of the newest token open', async () => {
    await confirm(chief)
    await server.advance(limits.tokenOverlap / 2)
    await confirm(chief)
    const own = await chief.socket()
    const reconnected: number[] = []
    void own.closed.then((code) => reconnected.push(code))
    await server.advance(limits.tokenOverlap / 2)
    await own.settled()
    expect(reconnected).toEqual([])
  })
})

test('a new password gives the session another token', async () => {
  const member = await server.signUp()
  const thief = withCookieOf(member)
  const body = {
    currentPassword: member.password,
    newPassword: 'another one',
    wrappedAccountKey: wrapped(),
    identityKey: member.keys?.identityKey ?? '',
  }
  await member.call(account.changePassword, { body })
  server.clock.advance(limits.tokenOverlap)
  expect((await thief.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
  await member.call(session.getUser, {})
})

describe('the life of a session', () => {
  const day = 24 * 60 * 60 * 1000
  const useDaily = async (member: Member, days: number) => {
    for (let at = 0; at < days; at++) {
      server.clock.advance(day - 1)
      await member.call(session.getUser, {})
    }
  }

  test('ends after 90 days, however much it is used', async () => {
    const member = await server.signUp()
    await useDaily(member, 90)
    server.clock.advance(90)
    expect((await member.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
  })

  test('is as short as the organization sets it, for the sessions there are and for new ones', async () => {
    const [before, admin] = [await server.signUp(), server.visitor()]
    await admin.call(session.login, { body: { username: chief.user.username, password: chief.password } })
    await useDaily(before, 2)
    await admin.call(session.login, { body: { username: chief.user.username, password: chief.password } })
    await admin.call(organizationPolicy.update, { body: { sessionDays: 2 } })
    const after = await server.signUp()
    server.clock.advance(2)
    expect((await before.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
    await after.call(session.getUser, {})
    await useDaily(after, 1)
    server.clock.advance(day - 1)
    expect((await after.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
  })

  test('ends its place in the list, even before it is deleted', async () => {
    const member = await server.signUp()
    await server.visitor().call(session.login, { body: { username: member.user.username, password: member.password } })
    const count = async () => (await member.call(session.listSessions, {})).length
    expect(await count()).toBe(2)
    await server.core.db.write((tx) => tx.run('update sessions set life_limit = 0 where user_id = ?', [member.user.id]))
    expect(await count()).toBe(1)
  })

  describe('that the organization makes longer again', () => {
    const longer = { body: { sessionDays: 3 } }
    let admin: Member
    beforeEach(async () => {
      admin = await join(server, 'super_admin')
      await admin.call(organizationPolicy.update, { body: { sessionDays: 2 } })
    })

    test('holds for the sessions there are', async () => {
      const member = await server.signUp()
      await admin.call(confirmation.confirm, { body: { password: admin.password } })
      await admin.call(organizationPolicy.update, longer)
      await useDaily(member, 3)
      server.clock.advance(3)
      expect((await member.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
    })

    test('needs a confirmation', async () => {
      server.clock.advance(limits.confirmationTime)
      expect((await admin.refused(organizationPolicy.update, longer)).body.code).toBe('CONFIRMATION_NEEDED')
    })
  })
})
