import { mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolderStorage } from '../../../src/core/storage/folder.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { expectRefused, newAddress, objects, put } from '../../support/scenes/uploads.ts'

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
