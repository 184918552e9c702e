import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { readVerifier } from '../../../src/features/founder/session/verifier.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { deriveQuickly } from '../../support/server/founderPassword.ts'

const account = (username: string, invitation?: string) => ({
  body: {
    username,
    password: 'secret',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: `${username}@example.com`,
    invitation,
  },
})

test('on loopback the first account is super_admin, later ones are users of its organization', async () => {
  await using server = await createTestServer({ env: { TRUST_PROXY: '0', ORG_NAME: 'Chambers', ORG_TYPE: 'Law' } })
  expect(server.app.firstStart.invitation).toBeUndefined()
  const [first, second] = [await server.signUp(), await server.signUp()]
  expect([first.user.role, second.user.role]).toEqual(['super_admin', 'user'])
  expect(
    await server.core.db.read.all(
      'select distinct o.name, o.type from users u join organizations o on o.id = u.organization_id',
    ),
  ).toEqual([{ name: 'Chambers', type: 'Law' }])
})

test('two first sign-ups at once make one super_admin', async () => {
  await using server = await createTestServer({ env: { TRUST_PROXY: '0' } })
  const users = await Promise.all([server.signUp(), server.signUp(), server.signUp()])
  expect(users.map(({ user }) => user.role).sort()).toEqual(['super_admin', 'user', 'user'])
})

test.each([
  { HOST: '0.0.0.0', ALLOW_HTTP: '1' },
  { PUBLIC_URL: 'https://chat.example.org', TRUST_PROXY: '0' },
  { TRUST_PROXY: '1' },
] as Record<string, string>[])('on a network (%j) that role goes to who has the invitation, once', async (env) => {
  await using server = await createTestServer({ env })
  const stale = server.app.firstStart.invitation as string
  await server.restart()
  const invitation = server.app.firstStart.invitation as string
  expect(invitation).not.toBe(stale)

  const refusal = await server.visitor().refused(session.register, account('early', stale))
  expect(refusal).toMatchObject({ status: 400, body: { code: 'INVITATION_INVALID' } })
  const uninvited = await server.visitor().call(session.register, account('uninvited'))
  expect(uninvited.role).toBe('user')
  const invited = await server.visitor().call(session.register, account('invited', invitation))
  expect(invited.role).toBe('super_admin')
  const again = await server.visitor().refused(session.register, account('again', invitation))
  expect(again.body.code).toBe('INVITATION_INVALID')
  await server.restart()
  expect(server.app.firstStart.invitation).toBeUndefined()
})

test('a failed sign-up does not use up the invitation', async () => {
  await using server = await createTestServer({ env: { HOST: '0.0.0.0', ALLOW_HTTP: '1' } })
  const invitation = server.app.firstStart.invitation as string
  await server.visitor().call(session.register, account('same'))
  await server.visitor().refused(session.register, account('same', invitation))
  expect((await server.visitor().call(session.register, account('new', invitation))).role).toBe('super_admin')
})

test("the founder's password is generated and shown once, and its derivation stored as a hash", async () => {
  await using server = await createTestServer({ options: { passwordCost: undefined } })
  const generated = server.app.firstStart.founderPassword as string
  const stored = () => readVerifier(server.core.db.read)
  expect(generated.length).toBeGreaterThanOrEqual(24)
  const before = await stored()
  expect(before.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await server.core.passwords.verify(await deriveQuickly(generated, before.salt), before.hash)).toBe(true)
  await server.restart()
  expect(server.app.firstStart.founderPassword).toBeUndefined()
  expect(await stored()).toEqual(before)
})
