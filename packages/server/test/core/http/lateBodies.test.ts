import { once } from 'node:events'
import { connect } from 'node:net'
import { account } from '@privity/contract/account'
import { founderSessions } from '@privity/contract/founder/session'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { signInFounder } from '../../support/founder/founder.ts'
import type { Caller } from '../../support/server/caller.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/**
 * Sends the head of a call and one byte of its body, until the server has authorized it. Resolves with a function that
 * sends the rest, and resolves to the status.
 */
async function hold(caller: Caller, method: string, path: string, body: object): Promise<() => Promise<number>> {
  const { founderSessions: founder, sessions } = server.core
  const [ofFounder, ofMember] = [vi.spyOn(founder, 'find'), vi.spyOn(sessions, 'find')]
  const found = () => [...ofFounder.mock.results, ...ofMember.mock.results].map(({ value }) => value as unknown)
  const text = JSON.stringify(body)
  const stream = connect(Number(new URL(server.url).port), '127.0.0.1')
  const cookie = [...caller.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = [`host: ${new URL(server.url).host}`, `cookie: ${cookie}`, 'content-type: application/json']
  const head = [`${method} ${path} HTTP/1.1`, ...headers, `content-length: ${text.length}`, 'connection: close']
  stream.write(`${head.join('\r\n')}\r\n\r\n${text.slice(0, 1)}`)
  await vi.waitFor(() => expect(found()).not.toEqual([]))
  await Promise.all(found())
  for (const spy of [ofFounder, ofMember]) spy.mockRestore()
  return async () => {
    const answered = once(stream, 'data') as Promise<[Buffer]>
    stream.write(text.slice(1))
    const [answer] = await answered
    return Number(answer.toString().split(' ')[1])
  }
}

async function signedIn({ user, password }: Member): Promise<Caller> {
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: user.username, password } })
  return browser
}

const rename = ({ user }: Member) => ({ firstName: 'Late', lastName: user.lastName, email: user.email })

test('a call whose session ends while its body arrives changes nothing', async () => {
  const member = await server.signUp()
  const thief = await signedIn(member)
  const finish = await hold(thief, account.updateProfile.method, account.updateProfile.path, rename(member))
  await member.call(account.changePassword, {
    body: {
      currentPassword: member.password,
      newPassword: 'an entirely new password',
      wrappedAccountKey: wrapped(),
      identityKey: member.keys?.identityKey ?? '',
    },
  })
  expect(await finish()).toBe(401)
  expect((await member.call(session.getUser, {})).firstName).toBe(member.user.firstName)
})

test('a call whose body arrives slowly is answered while its session lasts', async () => {
  const member = await server.signUp()
  const finish = await hold(member, account.updateProfile.method, account.updateProfile.path, rename(member))
  expect(await finish()).toBe(200)
})

test('a founder’s call whose session ends while its body arrives changes nothing', async () => {
  const [founder, thief] = [await signInFounder(server), await signInFounder(server)]
  const listed = await founder.call(founderSessions.listSessions, {})
  const [own, other] = [listed.find(({ current }) => current), listed.find(({ current }) => !current)]
  const { method, path } = founderSessions.endSession
  const finish = await hold(thief, method, path.replace(':id', own?.id ?? ''), {})
  await founder.call(founderSessions.endSession, { params: { id: other?.id ?? '' } })
  expect(await finish()).toBe(401)
  expect(await founder.call(founderSessions.listSessions, {})).toHaveLength(1)
})
