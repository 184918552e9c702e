import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolderStorage } from '../../../src/core/storage/folder.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk, randomFile } from '../../support/scenes/conversation.ts'
import { expectRefused, newAddress, objects, put, startPut, untilArriving } from '../../support/scenes/uploads.ts'

test('a folder has room for what fits beside a reserve, and for no more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-room-'))
  const storage = await openFolderStorage(folder)
  expect(await storage.hasSpaceFor(Number.MAX_SAFE_INTEGER)).toBe(false)
  // A file of the whole free space is too large.
  const { bsize, bavail } = await statfs(folder)
  expect(await storage.hasSpaceFor(bsize * bavail)).toBe(false)
  await rm(folder, { recursive: true })
})

test('files that leave the database no room are refused before a byte is stored; messages go on', async () => {
  await using server = await createTestServer()
  const talk = await createTalk(server)
  const path = await newAddress(talk.anna)
  const { hasSpaceFor } = server.core.storage
  const asked: number[] = []
  server.core.storage.hasSpaceFor = async (bytes) => {
    asked.push(bytes)
    return false
  }
  await expectRefused(put(talk.anna, path), 507, 'STORAGE_FULL')
  expect([asked, await objects(server)]).toEqual([[10], []])
  await talk.send(talk.anna)
  server.core.storage.hasSpaceFor = hasSpaceFor
  // The refused upload did not use up the address.
  expect((await put(talk.anna, path)).status).toBe(200)
})

test('space that uploads under way will take is not given to another', async () => {
  await using server = await createTestServer()
  const [anna, ben] = [await server.signUp(), await server.signUp()]
  const free = 15_000_000
  server.core.storage.hasSpaceFor = async (bytes) => bytes <= free
  const [first, second] = [await newAddress(anna), await newAddress(ben)]
  const under = startPut(server, anna, first, 'content-length: 10000000', randomFile(300_000))
  await untilArriving(server, first)
  await expectRefused(put(ben, second, randomFile(10_000_000)), 507, 'STORAGE_FULL')
  under.socket.destroy()
  await under.closed
  await expect.poll(async () => (await put(ben, second, randomFile(10_000_000))).status).toBe(200)
})
