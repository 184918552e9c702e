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
  // Now, because a test process that is killed at its end cannot clean up.
  await rm(folder, { recursive: true })
  return bytes
}

/** Copies a migrated, empty database into this folder. It is created once per process. */
export async function placeMigrated(dataDir: string): Promise<void> {
  made ??= make()
  await writeFile(join(dataDir, name), await made)
}
