import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { account } from '@privity/contract/account'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loggerOptions } from '../../../src/core/log.ts'
import { random } from '../../support/server/memberKeys.ts'
import { replacing } from '../../support/scenes/keyReplacement.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import type { Caller } from '../../support/server/caller.ts'

let server: TestServer
const lines: string[] = []
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  const { log } = Fastify({ logger: { ...loggerOptions({ logLevel: 'trace' }), stream } })
  server = await createTestServer({ env: { ACCESS_LOG: '1' }, options: { log } })
})
afterAll(() => server.close())

const sessionOf = async (caller: Pick<Caller, 'call'>) => (await caller.call(session.getUser, {})).session

async function signInAgain({ user, password }: Member): Promise<Caller> {
  const caller = server.visitor()
  await caller.call(session.login, { body: { username: user.username, password } })
  return caller
}

const shareRow = async (id: string) =>
  server.core.db.read.get<{ key_share: string }>('select key_share from sessions where id = ?', [id])

test('a sign-in gives the share that every later call of its session gives', async () => {
  const member = await server.signUp()
  const other = server.visitor()
  const { user, password } = member
  const signedIn = await other.call(session.login, { body: { username: user.username, password } })
  expect(Buffer.from(signedIn.session.keyShare, 'base64url')).toHaveLength(32)
  expect(await sessionOf(other)).toEqual(signedIn.session)
  await server.restart()
  expect(await sessionOf(other)).toEqual(signedIn.session)
})

test('each session has another share, and gets none but its own', async () => {
  const member = await server.signUp()
  const [first, second] = [await sessionOf(member), await sessionOf(await signInAgain(member))]
  expect(second.id).not.toBe(first.id)
  expect(second.keyShare).not.toBe(first.keyShare)
  const sessions = await member.call(session.listSessions, {})
  expect(sessions).toHaveLength(2)
  const given = JSON.stringify([sessions, await (await member.fetch('/api/user')).text()])
  expect(given).toContain(first.keyShare)
  expect(given).not.toContain(second.keyShare)
})

test('a share is gone with its session', async () => {
  const member = await server.signUp()
  const other = await signInAgain(member)
  const { id, keyShare } = await sessionOf(other)
  const row = (await shareRow(id)) as { key_share: string }
  await member.call(session.endSession, { params: { id } })
  expect((await other.refused(session.getUser, {})).body.code).toBe('NOT_SIGNED_IN')
  expect(await shareRow(id)).toBeUndefined()
  await server.app.close()
  const bytes = await storedBytes(server.dataDir)
  await server.start()
  expect(bytes.includes(row.key_share)).toBe(false)
  expect(bytes.includes(keyShare)).toBe(false)
})

test('a share is encrypted in the database', async () => {
  const member = await server.signUp()
  const { id, keyShare } = await sessionOf(member)
  const row = (await shareRow(id)) as { key_share: string }
  expect(server.core.secrets.decryptAtRest(row.key_share)).toBe(keyShare)
  const bytes = await storedBytes(server.dataDir)
  expect(bytes.includes(row.key_share)).toBe(true)
  expect(bytes.includes(keyShare)).toBe(false)
  expect(bytes.includes(Buffer.from(keyShare, 'base64url'))).toBe(false)
})

test('a share stays out of caches, and out of the log', async () => {
  const member = await server.signUp()
  const answer = await member.fetch('/api/user')
  const { session: own } = (await answer.json()) as { session: { id: string; keyShare: string } }
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(lines.join('')).toContain('/api/user')
  expect(lines.join('')).not.toContain(own.keyShare)
})

test('new keys give the session that follows the share that the browser has chosen', async () => {
  const member = await server.signUp()
  const before = await sessionOf(member)
  const keyShare = random(32)
  await member.call(account.changePassword, { body: { ...(await replacing(member)), keyShare } })
  const after = await sessionOf(member)
  expect(after.id).not.toBe(before.id)
  expect(after.keyShare).toBe(keyShare)
  expect(await shareRow(before.id)).toBeUndefined()
})

test('a new password alone keeps the share, with the session', async () => {
  const member = await server.signUp(undefined, { keys: false })
  const before = await sessionOf(member)
  const passwords = { currentPassword: member.password, newPassword: 'another password' }
  await member.call(account.changePassword, { body: { ...passwords, keyShare: random(32) } })
  expect(await sessionOf(member)).toEqual(before)
})
