import { mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, vi } from 'vitest'
import type { BackedUp } from '../../src/operator/backup.ts'
import { createFakeClock } from '../support/server/fakeClock.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import { selectAudit } from '../support/scenes/auditEntries.ts'
import { adminJson, runAdmin } from '../support/server/adminCommand.ts'
import { createTalk, randomFile } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

vi.setConfig({ testTimeout: 60_000 })

const test = sqliteTest('backups')

let folder: string
let server: TestServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-lost-'))
  // The operator's command line uses the machine's clock.
  server = await createTestServer({ clock: createFakeClock(Date.now()) })
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const entries = async () =>
  (await selectAudit(server.core.db.read))
    .filter(({ action }) => action === 'backup_made')
    .map(({ details }) => details)

test('a backup says which files are missing, and one without any of them is refused', async () => {
  const talk = await createTalk(server)
  const [lost] = [await talk.sendFile(talk.anna, randomFile(500)), await talk.sendFile(talk.anna, randomFile(500))]
  const objects = join(server.dataDir, 'objects')
  await rename(objects, join(folder, 'aside'))
  const refused = await runAdmin(server.dataDir, ['backup', join(folder, 'none')])
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('are DATA_DIR, S3_BUCKET and S3_PREFIX') })
  expect(await readdir(folder)).toEqual(['aside'])
  expect(await entries()).toEqual([])
  await rename(join(folder, 'aside'), objects)
  await rm(join(objects, lost.filePath.slice(-36)))
  const some = await runAdmin(server.dataDir, ['backup', join(folder, 'some')])
  expect(some).toMatchObject({ code: 0, output: expect.stringContaining('missing in the storage: 1 files') })
  expect(await entries()).toEqual([expect.stringContaining('"missing":1')])
})

test('what is just being destroyed with its connection is not missed', async () => {
  const talk = await createTalk(server)
  const { filePath } = await talk.sendFile(talk.anna, randomFile(500))
  // The state during a deletion: the connection and the bytes are gone, the file's row is still there.
  await rm(join(server.dataDir, 'objects', filePath.slice(-36)))
  await server.core.db.write((tx) => tx.run("update files set connection_id = 'ended'"))
  const made = await adminJson<BackedUp>(server.dataDir, ['backup', join(folder, 'backup')])
  expect(made).toMatchObject({ objects: 0, missing: 0 })
})
