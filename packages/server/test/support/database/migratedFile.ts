import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../../../src/core/database/database.ts'

const name = 'privity.db'
let made: Promise<Buffer> | undefined

async function make(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-migrated-'))
  const file = join(folder, name)
  const db = await openDb(file, {
    onError: (error) => {
      throw error
    },
  })
  await db.close()
  const bytes = await readFile(file)
  // At once: a process of tests that is killed at its end has no time to tidy up.
  await rm(folder, { recursive: true })
  return bytes
}

/** Puts a migrated and empty database into this folder. It is made once for all servers of a process. */
export async function placeMigrated(dataDir: string): Promise<void> {
  made ??= make()
  await writeFile(join(dataDir, name), await made)
}
