import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createTalk, fileFields, randomFile, registerFile, type Talk } from '../../support/scenes/conversation.ts'
import { expectRefused, newAddress, put, startPut } from '../../support/scenes/uploads.ts'

const most = 128 * 1024 * 1024
let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  const options = { rateLimits: { upload: many, other: many } }
  server = await createTestServer({ env: { ACCOUNT_FILES_MB: '128' }, options })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

/** Sends a file that leaves only this much of Anna's quota. */
async function leave(room: number): Promise<string> {
  const bytes = randomFile(10)
  const { filePath } = await registerFile(talk.anna, bytes)
  const { id } = await talk.send(talk.anna, fileFields(filePath, bytes.length))
  await server.core.db.write((tx) => tx.run('update files set size = ? where message_id = ?', [most - room, id]))
  return id
}

const putSome = async (size: number) => put(talk.anna, await newAddress(talk.anna), randomFile(size))

test('the files of an account, including sent ones, share its quota and leave others theirs', async () => {
  await leave(100)
  await expectRefused(putSome(101), 409, 'FILES_FULL')
  expect((await putSome(60)).status).toBe(200)
  await expectRefused(putSome(41), 409, 'FILES_FULL')
  expect((await putSome(40)).status).toBe(200)
  expect((await put(talk.ben, await newAddress(talk.ben), randomFile(101))).status).toBe(200)
})

test('a refused address is as good as before', async () => {
  const id = await leave(10)
  const address = await newAddress(talk.anna)
  await expectRefused(put(talk.anna, address, randomFile(11)), 409, 'FILES_FULL')
  await server.core.db.write((tx) => tx.run('update files set size = 10 where message_id = ?', [id]))
  expect((await put(talk.anna, address, randomFile(11))).status).toBe(200)
})

test('of two that arrive at once and fit only one by one, one is taken', async () => {
  await leave(100)
  const addresses = [await newAddress(talk.anna), await newAddress(talk.anna)]
  const answers = await Promise.all(addresses.map((address) => put(talk.anna, address, randomFile(80))))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test('room comes back with what breaks off, with a connection that ends, and with what expires', async () => {
  await leave(100)
  const broken = startPut(server, talk.anna, await newAddress(talk.anna), 'content-length: 80', randomFile(10))
  const arrives = 'select 1 from uploads where owner_id = ? and started_at is not null'
  const isArriving = () => server.core.db.read.get(arrives, [talk.anna.user.id])
  while ((await isArriving()) === undefined) await newAddress(talk.ben)
  await expectRefused(putSome(80), 409, 'FILES_FULL')
  broken.socket.destroy()
  await broken.closed
  while ((await isArriving()) !== undefined) await newAddress(talk.ben)
  expect((await putSome(80)).status).toBe(200)

  await expectRefused(putSome(80), 409, 'FILES_FULL')
  await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
  await server.app.settled()
  expect((await putSome(80)).status).toBe(200)

  talk = await createTalk(server)
  await leave(100)
  await server.advance(limits.retention)
  const { user, password } = talk.anna
  await talk.anna.call(session.login, { body: { username: user.username, password } })
  expect((await putSome(101)).status).toBe(200)
})
