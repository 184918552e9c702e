import { createReadStream } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/core/config/config.ts'
import { openStorage } from '../../../src/core/storage/storage.ts'
import { backUp } from '../../../src/operator/backup.ts'
import { openOperator } from '../../../src/operator/operator.ts'
import { restore } from '../../../src/operator/restore.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { createTalk, randomFile } from '../../support/scenes/conversation.ts'
import { useS3 } from '../support/s3.ts'

useS3()

const names = ['ENDPOINT', 'BUCKET', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map((name) => `S3_${name}`)
const storeOf = (prefix: string): Record<string, string> => ({
  ...Object.fromEntries(names.map((name) => [name, process.env[`TEST_${name}`] as string])),
  S3_PREFIX: prefix,
})

test('files of an S3 store are backed up, and restored into one, each as it was', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-copies-'))
  const [from, to] = [storeOf('from/'), storeOf('to/')]
  const server = await createTestServer({ env: from })
  const talk = await createTalk(server)
  const sent = [await talk.sendFile(talk.anna, randomFile(70_000)), await talk.sendFile(talk.ben, randomFile(10))]
  const gone = await talk.sendFile(talk.anna, randomFile(100))
  // A file deleted between the copy of the rows and the copy of the files: the backup is complete without it.
  await server.core.storage.remove(gone.filePath.slice(-36))
  const operator = await openOperator(loadConfig({ DATA_DIR: server.dataDir, ...from }), false, server.clock)
  const backup = await backUp(operator, join(folder, 'backup'))
  await operator.close()
  expect(backup.objects).toBe(2)
  expect((await readdir(join(backup.folder, 'objects'))).toSorted()).toEqual(
    sent.map(({ filePath }) => filePath.slice(-36)).toSorted(),
  )

  const home = join(folder, 'home')
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  const forged = join(folder, 'forged')
  await cp(backup.folder, forged, { recursive: true })
  const manifest = JSON.parse(await readFile(join(forged, 'manifest.json'), 'utf8')) as object
  await writeFile(join(forged, 'manifest.json'), JSON.stringify({ ...manifest, madeAt: 1 }))
  const config = loadConfig({ DATA_DIR: home, ...to })
  await expect(restore(config, forged, server.clock)).rejects.toThrow('was not signed by the server')
  const store = await openStorage(config, server.core.log)
  expect(await store.list()).toEqual([])
  // A file that an earlier attempt has already copied is kept.
  const there = sent[0]?.filePath.slice(-36) ?? ''
  await pipeline(createReadStream(join(backup.folder, 'objects', there)), store.create(there))
  const restored = await restore(config, backup.folder, server.clock)
  expect(restored.objects).toBe(2)
  expect(await readdir(home)).not.toContain('objects')
  const second = await createTestServer({ env: to, dataDir: home })
  const anna = second.visitor()
  await anna.call(session.login, { body: { username: talk.anna.user.username, password: talk.anna.password } })
  const [first] = sent
  const answer = await anna.fetch(first?.filePath ?? '')
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(Buffer.from(first?.bytes ?? []))
  await second.close()
  await server.close()
  await rm(folder, { recursive: true })
})
