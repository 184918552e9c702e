import { account } from '@privity/contract/account'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdNext } from '../../support/server/gate.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { wrapped } from '../../support/server/memberKeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const changePassword = (member: Member) =>
  member.call(account.changePassword, {
    body: {
      currentPassword: member.password,
      newPassword: 'an entirely new password',
      wrappedAccountKey: wrapped(),
      identityKey: member.keys?.identityKey ?? '',
    },
  })

test('a sign-in whose old password is replaced while it is being checked is refused', async () => {
  const member = await server.signUp()
  const held = holdNext(server.core.passwords, 'verify')
  const body = { username: member.user.username, password: member.password }
  const asked = server.visitor().refused(session.login, { body })
  await held.during(() => changePassword(member))
  expect(await asked).toMatchObject({ status: 401, body: { code: 'WRONG_CREDENTIALS' } })
  expect(await member.call(session.listSessions, {})).toHaveLength(1)
})

test('a call with the old password, replaced by the same session while it is checked, is refused', async () => {
  const member = await server.signUp()
  const held = holdNext(server.core.passwords, 'verify')
  const body = { username: member.user.username, password: member.password }
  const asked = member.refused(account.remove, { body })
  await held.during(() => changePassword(member))
  expect(await asked).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
  expect((await member.call(session.getUser, {})).id).toBe(member.user.id)
})

test('a right password that is replaced while it is checked counts as no failure', async () => {
  const member = await server.signUp()
  const held = holdNext(server.core.passwords, 'verify')
  const body = { username: member.user.username, password: member.password }
  const asked = member.refused(account.remove, { body })
  await held.during(() => changePassword(member))
  await asked
  const failures = await server.core.db.read.all(
    "select 1 from security_events where user_id = ? and event_type = 'failed_password_check'",
    [member.user.id],
  )
  expect(failures).toEqual([])
})
