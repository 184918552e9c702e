import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { files } from '@privity/contract/files'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Storage } from '../../../src/core/storage/types.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createCaller } from '../../support/server/caller.ts'
import { makeKeys } from '../../support/server/memberKeys.ts'
import { type ServerProcess, startProcess } from '../../support/server/serverProcess.ts'
import { openOwnS3 } from '../../support/storage/bucket.ts'
import { s3Env } from '../../support/server/s3Env.ts'
import { createTalk, randomFile } from '../../support/scenes/conversation.ts'
import { idIn } from '../../support/scenes/uploads.ts'
import { useS3 } from '../support/s3.ts'

useS3()

let folder: string
let server: ServerProcess
let storage: Storage
let prefix: string
const start = async () => {
  const env = { DATA_DIR: folder, TRUST_PROXY: '1', LOG_LEVEL: 'warn', DEMO: '0', ...s3Env(prefix) }
  server = await startProcess(env)
}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-kill-'))
  prefix = randomUUID()
  storage = (await openOwnS3({ prefix: `${prefix}/` })).storage
  await start()
})
afterEach(async () => {
  await server.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function signUp() {
  const caller = createCaller(() => server.facts.url)
  const body = { username: 'anna', password: 'a long password', firstName: 'A', lastName: 'B', email: 'a@example.com' }
  await caller.call(session.register, { body: { ...body, keys: makeKeys(Date.now()) } })
  return caller
}

/** A body of many parts that stops once the bucket holds some of them. */
function endless(onArrived: () => Promise<void>): RequestInit {
  let pulled = 0
  const body = new ReadableStream({
    async pull(controller) {
      pulled += 1
      controller.enqueue(randomFile(1_000_000))
      if (pulled < 40) return
      if (pulled > 40) await new Promise(() => {})
      while ((await storage.partials()).length === 0);
      await onArrived()
    },
  })
  return { method: 'PUT', body, duplex: 'half' } as RequestInit
}

test('killed while it receives a file in parts, the server destroys them after its next start', async () => {
  const anna = await signUp()
  const { uploadURL } = await anna.call(files.createUpload, {})
  const cut = endless(async () => void (await server.stop('SIGKILL')))
  await expect(anna.fetch(uploadURL, cut)).rejects.toThrow()
  expect((await storage.partials()).map(({ id }) => id)).toEqual([idIn(uploadURL)])
  await start()
  while ((await storage.partials()).length > 0) await anna.call(session.getUser, {})
  expect(await storage.list()).toEqual([])
  const register = await anna.refused(files.register, { body: { fileURL: uploadURL } })
  expect(register.body.code).toBe('UPLOAD_NOT_FOUND')
})

test('stopped while it receives a file in parts, the server leaves nothing of it', async () => {
  const anna = await signUp()
  const { uploadURL } = await anna.call(files.createUpload, {})
  const stopped = Promise.withResolvers<number | null>()
  const cut = endless(async () => stopped.resolve(await server.stop('SIGTERM')))
  await expect(anna.fetch(uploadURL, cut)).rejects.toThrow()
  expect(await stopped.promise).toBe(0)
  expect(await storage.partials()).toEqual([])
  await start()
  expect(await storage.list()).toEqual([])
})

test('an object that no row names is gone after the next start; a known file stays', async () => {
  const anna = await signUp()
  const { uploadURL } = await anna.call(files.createUpload, {})
  expect((await anna.fetch(uploadURL, { method: 'PUT', body: randomFile(1000) })).status).toBe(200)
  await anna.call(files.register, { body: { fileURL: uploadURL } })
  const unknown = randomUUID()
  const writing = storage.create(unknown)
  writing.end(randomFile(10))
  await new Promise((resolve) => void writing.once('close', resolve))
  expect((await storage.list()).map(({ id }) => id).sort()).toEqual([unknown, idIn(uploadURL)].sort())
  await server.stop('SIGKILL')
  await start()
  while ((await storage.list()).length > 1) await anna.call(session.getUser, {})
  expect((await storage.list()).map(({ id }) => id)).toEqual([idIn(uploadURL)])
})

test('a file that has expired is gone from the bucket', async () => {
  await using own = await createTestServer({ env: s3Env(randomUUID()) })
  const { anna, sendFile } = await createTalk(own)
  const { filePath } = await sendFile(anna)
  expect((await own.core.storage.list()).map(({ id }) => id)).toEqual([idIn(filePath)])
  await own.advance(25 * 60 * 60_000)
  expect(await own.core.storage.list()).toEqual([])
})
