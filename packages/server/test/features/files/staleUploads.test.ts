import { once } from 'node:events'
import { Writable } from 'node:stream'
import { files } from '@privity/contract/files'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { createTalk, randomFile, registerFile, type Talk, upload } from '../../support/scenes/conversation.ts'
import { expectRefused, idIn, newAddress, objects, put, startPut, untilArriving } from '../../support/scenes/uploads.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { upload: many, other: many } } })
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

describe('a broken upload', () => {
  const gone = async (uploadURL: string) => {
    while ((await server.core.db.read.get('select 1 from uploads where id = ?', [idIn(uploadURL)])) !== undefined)
      await talk.anna.call(files.listPending, {})
  }

  test.each([
    ['with a length', 'content-length: 1000000', randomFile(300_000)],
    ['in chunks', 'transfer-encoding: chunked', Buffer.concat([Buffer.from('493e0\r\n'), randomFile(300_000)])],
  ])('%s leaves no litter, and its address is used up', async (_name, head, bytes) => {
    const before = await objects(server)
    const uploadURL = await newAddress(talk.anna)
    const { socket, closed } = startPut(server, talk.anna, uploadURL, head, bytes)
    await untilArriving(server, uploadURL)
    socket.destroy()
    await closed
    await gone(uploadURL)
    expect(await objects(server)).toEqual(before)
    await expectRefused(put(talk.anna, uploadURL), 404, 'UPLOAD_NOT_FOUND')
  })

  test('by a full disk is refused as such, leaves no litter, and the next one works', async () => {
    const before = await objects(server)
    const { storage } = server.core
    const { create } = storage
    const full = () => {
      const real = create(idIn(uploadURL))
      let room = 100_000
      return new Writable({
        write(chunk: Buffer, encoding, done) {
          room -= chunk.length
          if (room < 0) done(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }))
          else real.write(chunk, encoding, done)
        },
        destroy: (error, done) => void real.destroy().once('close', () => done(error)),
      })
    }
    const uploadURL = await newAddress(talk.anna)
    storage.create = full
    await expectRefused(put(talk.anna, uploadURL, randomFile(5_000_000)), 507, 'STORAGE_FULL')
    storage.create = create
    expect(await objects(server)).toEqual(before)
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [idIn(uploadURL)])).toEqual([])
    expect((await upload(talk.anna, randomFile(10))).response.status).toBe(200)
  })
})

describe('what a stopped server left', () => {
  test('partial, unfinished and unknown uploads are gone at the next start', async () => {
    const { anna } = talk
    const kept = await registerFile(anna, randomFile(10))
    const cut = idIn(await newAddress(anna))
    const finished = idIn((await upload(anna, randomFile(10))).uploadURL)
    const unknown = '01900000-0000-7000-8000-00000000beef'
    const { core } = server
    for (const id of [cut, unknown]) {
      const writing = core.storage.create(id)
      writing.end(randomFile(10))
      await once(writing, 'close')
    }
    await core.db.write((tx) => tx.run('update uploads set started_at = created_at where id = ?', [cut]))
    const partial = core.storage.create('01900000-0000-7000-8000-00000000dead')
    partial.write(randomFile(10))
    await new Promise((resolve) => void partial.write(randomFile(10), resolve))
    await server.restart()
    partial.destroy()
    const left = await objects(server)
    expect(left).toContain(idIn(kept.filePath))
    expect(left).toContain(finished)
    for (const id of [cut, unknown, '01900000-0000-7000-8000-00000000dead']) expect(left).not.toContain(id)
    expect(await server.core.db.read.all('select 1 from uploads where id = ?', [cut])).toEqual([])
  })

  test('expired bytes that were removed before their row: the row goes too', async () => {
    const { filePath } = await talk.sendFile(talk.anna)
    await server.core.storage.remove(idIn(filePath))
    await expectRefused(talk.anna.fetch(filePath), 404, 'FILE_NOT_FOUND')
    await server.core.db.write((tx) => tx.run('update files set expires_at = 1 where id = ?', [idIn(filePath)]))
    await server.restart()
    expect(await server.core.db.read.all('select 1 from files where id = ?', [idIn(filePath)])).toEqual([])
    expect(await talk.anna.call(messages.unreadCounts, {})).toEqual([])
  })
})
