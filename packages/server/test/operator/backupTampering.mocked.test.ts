import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { loadConfig } from '../../src/core/config/config.ts'
import { backUp } from '../../src/operator/backup.ts'
import type * as BackupFiles from '../../src/operator/backupFiles.ts'
import { openOperator } from '../../src/operator/operator.ts'
import { restore } from '../../src/operator/restore.ts'
import { createTestServer } from '../support/server/testServer.ts'
import { createTalk } from '../support/scenes/conversation.ts'
import { sqliteTest } from '../support/database/sqliteTest.ts'

const test = sqliteTest('backups')

vi.setConfig({ testTimeout: 30_000 })

/** The file to replace between the check and the copy. */
const exchanged = vi.hoisted(() => ({ name: 'none' }))
const copied = vi.hoisted(() => [] as string[])
vi.mock('../../src/operator/backupFiles.ts', async (original) => {
  const files = await original<typeof BackupFiles>()
  return {
    ...files,
    async copyDurably(from: string, to: string) {
      if (from.includes(exchanged.name)) await appendFile(from, 'x')
      copied.push(from)
      await files.copyDurably(from, to)
    },
  }
})

test('what is exchanged in a backup while it is restored is not taken over', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-backup-'))
  await using server = await createTestServer()
  const talk = await createTalk(server)
  await talk.sendFile(talk.anna)
  const operator = await openOperator(loadConfig({ DATA_DIR: server.dataDir }), false, server.clock)
  const backup = join(folder, 'backup')
  await backUp(operator, backup)
  await operator.close()
  const home = join(folder, 'home')
  await mkdir(home)
  await cp(join(server.dataDir, 'server-secret'), join(home, 'server-secret'))
  for (const name of ['privity.db', '/objects/']) {
    const altered = join(folder, `altered ${name.replaceAll('/', '')}`)
    await cp(backup, altered, { recursive: true })
    exchanged.name = name
    await expect(restore(loadConfig({ DATA_DIR: home }), altered, server.clock)).rejects.toThrow(
      'does not match the backup',
    )
    expect((await readdir(home)).sort()).toEqual(['lock.db', 'server-secret'])
  }
  exchanged.name = 'none'
  const forged = join(folder, 'forged')
  await cp(backup, forged, { recursive: true })
  const manifest = JSON.parse(await readFile(join(forged, 'manifest.json'), 'utf8')) as object
  await writeFile(join(forged, 'manifest.json'), JSON.stringify({ ...manifest, madeAt: 1 }))
  copied.length = 0
  await expect(restore(loadConfig({ DATA_DIR: home }), forged, server.clock)).rejects.toThrow(
    'was not signed by the server',
  )
  expect(copied).toEqual([join(forged, 'privity.db')])
  expect(await restore(loadConfig({ DATA_DIR: home }), backup, server.clock)).toMatchObject({ objects: 1 })
  await rm(folder, { recursive: true })
})
