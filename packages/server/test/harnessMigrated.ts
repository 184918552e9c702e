import { rmSync } from 'node:fs'
import { copyFile, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDb } from '../src/core/db.ts'

const name = 'privity.db'
let made: Promise<string> | undefined

async function make(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-migrated-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, name)
  const db = await openDb(file, {
    onError: (error) => {
      throw error
    },
  })
  await db.close()
  return file
}

/** Puts a migrated and empty database into this folder. It is made once for all servers of a process. */
export async function placeMigrated(dataDir: string): Promise<void> {
  made ??= make()
  await copyFile(await made, join(dataDir, name))
}
