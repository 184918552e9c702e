import { account } from '@privity/contract/account'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

test('a name is one line', async () => {
  const member = await server.signUp()
  for (const firstName of ['Ada\nCategory: security', 'Ada\rByron', 'A\0da', 'Ada\u2028Byron', 'A\u001b[2Jda']) {
    const answer = await member.request('PATCH', '/api/user', { firstName, lastName: 'L', email: member.user.email })
    expect([firstName, answer.status]).toEqual([firstName, 400])
  }
})

test('a name may hold the joiners of real names, but no marks that turn its direction', async () => {
  const member = await server.signUp()
  const save = (firstName: string) =>
    member.request('PATCH', '/api/user', { firstName, lastName: 'L', email: member.user.email })
  for (const mark of '\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect([mark, (await save(`Ada${mark}nori`)).status]).toEqual([mark, 400])
  // Persian, Sinhala and Hebrew: names written from right to left need no direction mark.
  for (const name of [
    '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627',
    '\u0dc1\u0dca\u200d\u0dbb\u0dd3',
    '\u05d3\u05d5\u05d3',
  ])
    expect([name, (await save(name)).status]).toEqual([name, 200])
})

test('an account that has such a name already is read, signs in and is renamed', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  await server.connect(member, other)
  const old = 'Ada\u202enori'
  await server.core.db.write((tx) => tx.run('update users set first_name = ? where id = ?', [old, member.user.id]))
  const { username } = member.user
  await member.call(session.login, { body: { username, password: member.password } })
  expect(await member.call(session.getUser, {})).toMatchObject({ firstName: old })
  expect((await other.request('GET', '/api/connections')).status).toBe(200)
  const body = { firstName: 'Ada', lastName: 'L', email: member.user.email }
  expect(await member.call(account.updateProfile, { body })).toMatchObject({ firstName: 'Ada' })
})
