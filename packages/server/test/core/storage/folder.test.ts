import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openFolderStorage } from '../../../src/core/storage/folder.ts'
import { testStorage } from '../../support/storage/storageCases.ts'

async function createFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'privity-objects-'))
  return { folder, storage: await openFolderStorage(folder), close: () => rm(folder, { recursive: true, force: true }) }
}

testStorage('a folder', createFolder)

test('what a killed process left half-written is cleared at the next start', async () => {
  const { folder, close } = await createFolder()
  await writeFile(join(folder, 'partial', randomUUID()), 'half')
  await openFolderStorage(folder)
  expect(await readdir(join(folder, 'partial'))).toEqual([])
  await close()
})

test('a folder that cannot be written to is found by the check', async () => {
  const { folder, storage } = await createFolder()
  await storage.check()
  await rm(folder, { recursive: true })
  await expect(storage.check()).rejects.toThrow()
})
