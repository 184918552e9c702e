import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { directory } from '@privity/contract/directory'
import { limits, rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { createOrganization } from '../../../support/scenes/organization.ts'
import { ask, signUpAs, switchDirectoryOn } from '../../../support/scenes/directory.ts'

let server: TestServer
let anna: Member
beforeAll(async () => {
  const many = { requests: 10_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { directorySearch: many } } })
  await switchDirectoryOn(server)
  anna = await signUpAs(server, 'Anna', 'Osei')
})
afterAll(() => server.close())

const search = (name: string, member = anna) => member.call(directory.search, { query: { name } })
const namesOf = async (name: string, member = anna) =>
  (await search(name, member)).colleagues.map(({ firstName, lastName }) => `${firstName} ${lastName}`)

describe('a search finds', () => {
  beforeAll(async () => {
    await signUpAs(server, 'Jürgen', 'Groß-Öttinger')
    await signUpAs(server, 'Zoë', "O'Brien")
    await signUpAs(server, 'Под', '100%_sure')
  })

  test.each([
    ['jürgen', 'Jürgen Groß-Öttinger'],
    ['JÜRGEN', 'Jürgen Groß-Öttinger'],
    ['jurg', 'Jürgen Groß-Öttinger'],
    ['gross', 'Jürgen Groß-Öttinger'],
    ['ÖTT', 'Jürgen Groß-Öttinger'],
    ['groß jür', 'Jürgen Groß-Öttinger'],
    ['zoe', "Zoë O'Brien"],
    ['brien', "Zoë O'Brien"],
    ['ПОД', 'Под 100%_sure'],
    ['100%_s', 'Под 100%_sure'],
  ])('by the beginnings of words in any case and accent: %s', async (typed, name) => {
    expect(await namesOf(typed)).toEqual([name])
  })

  test.each(['%%', '__', 'j%n', 'j_rgen', 'jürgen g%r', 'jürgen g_oss', 'rgen', '\\\\', "' or 1=1 --", 'jü zoë'])(
    'nobody by %s',
    async (typed) => {
      const { status, body } = await anna.request('GET', `/api/directory?name=${encodeURIComponent(typed)}`)
      expect(status === 200 ? body : { colleagues: [] }).toMatchObject({ colleagues: [] })
    },
  )

  test('nobody by a username or an email address', async () => {
    const ben = await signUpAs(server, 'Ben', 'Ito')
    expect(ben.user.email).toContain(ben.user.username)
    for (const text of [ben.user.username, ben.user.email, 'example']) expect(await namesOf(text)).toEqual([])
  })
})

test.each(['', 'a', ' a ', 'a b', '%', '-'])('a search with fewer than two letters is refused: %j', async (typed) => {
  const { status, body } = await anna.request('GET', `/api/directory?name=${encodeURIComponent(typed)}`)
  expect({ status, body }).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
})

test('the answer has the name, the id and the state, and nothing else', async () => {
  const carl = await signUpAs(server, 'Carl', 'Undisclosed')
  const { colleagues } = await search('undisclosed')
  expect(colleagues).toEqual([{ id: carl.user.id, firstName: 'Carl', lastName: 'Undisclosed', state: 'none' }])
})

test('the state says who is connected, was asked, and asks', async () => {
  const [one, two, three] = [
    await signUpAs(server, 'One', 'Stately'),
    await signUpAs(server, 'Three', 'Stately'),
    await signUpAs(server, 'Two', 'Stately'),
  ]
  await server.connect(anna, one as Member)
  await ask(anna, two as Member)
  await ask(three as Member, anna)
  const states = (await search('stately')).colleagues.map(({ state }) => state)
  expect(states).toEqual(['connected', 'asked', 'asking'])
})

test('a page has 20 people, and says that there are more', async () => {
  for (let n = 0; n < limits.colleaguesFound; n++) await signUpAs(server, `Many${String(n).padStart(2, '0')}`, 'Pager')
  expect(await search('pager')).toMatchObject({ more: false })
  await signUpAs(server, 'Many99', 'Pager')
  const { colleagues, more } = await search('pager')
  expect([colleagues.length, colleagues.at(-1)?.firstName, more]).toEqual([20, 'Many19', true])
})

describe('nobody finds', () => {
  const change = (member: Member, change: string) =>
    server.core.db.write((tx) => tx.run(`update users set ${change} where id = ?`, [member.user.id]))

  test.each(['suspended = 1', 'is_active = 0'])('a member with %s', async (state) => {
    const gone = await signUpAs(server, 'Gone', 'Absentee')
    expect(await namesOf('absentee')).toEqual(['Gone Absentee'])
    await change(gone, state)
    expect(await namesOf('absentee')).toEqual([])
  })

  test('a deleted member', async () => {
    const gone = await signUpAs(server, 'Gone', 'Deletee')
    await gone.call(account.remove, { body: { username: gone.user.username, password: gone.password } })
    expect(await namesOf('deletee')).toEqual([])
  })

  test('a member of another organization', async () => {
    const other = await signUpAs(server, 'Other', 'Foreigner')
    const organizationId = await createOrganization(server, 'Elsewhere')
    await server.core.db.write(async (tx) => {
      await tx.run('update users set organization_id = ? where id = ?', [organizationId, other.user.id])
      await tx.run('update user_words set organization_id = ? where user_id = ?', [organizationId, other.user.id])
    })
    expect(await namesOf('foreigner')).toEqual([])
    expect(await other.refused(directory.search, { query: { name: 'anna' } })).toMatchObject({
      status: 403,
      body: { code: 'DIRECTORY_OFF' },
    })
  })

  test('oneself', async () => {
    expect(await namesOf('osei')).toEqual([])
  })

  test('a lock after failed sign-ins: the member stays in the directory', async () => {
    const locked = await signUpAs(server, 'Locked', 'Outsider')
    for (let n = 0; n < limits.failedSignIns; n++)
      await server.visitor().refused(session.login, { body: { username: locked.user.username, password: 'wrong' } })
    expect(await namesOf('outsider')).toEqual(['Locked Outsider'])
  })
})

test('a person who was blocked still finds the blocker, so that no search reveals a block', async () => {
  const [dora, emil] = [await signUpAs(server, 'Dora', 'Blocker'), await signUpAs(server, 'Emil', 'Blocked')]
  const { id } = await server.connect(dora, emil)
  await dora.call(connections.block, { params: { id } })
  expect((await search('blocker', emil)).colleagues).toMatchObject([{ id: dora.user.id, state: 'none' }])
})

test('there is no directory until an administrator switches it on', async () => {
  await using own = await createTestServer()
  const refusal = await (await own.signUp()).refused(directory.search, { query: { name: 'anna' } })
  expect(refusal).toMatchObject({ status: 403, body: { code: 'DIRECTORY_OFF' } })
})

test('searches are limited to 60 in 10 minutes', async () => {
  await using own = await createTestServer()
  await switchDirectoryOn(own)
  const member = await own.signUp()
  const { requests } = rateLimits.directorySearch
  for (let n = 0; n < requests; n++) await member.call(directory.search, { query: { name: 'nobody' } })
  expect((await member.refused(directory.search, { query: { name: 'nobody' } })).body.code).toBe('RATE_LIMITED')
})
