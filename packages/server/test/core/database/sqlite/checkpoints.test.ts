import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StatementSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createCheckpoints } from '../../../../src/core/database/sqlite/checkpoints.ts'
import { openDb } from '../../../../src/core/database/database.ts'
import type { Db, Tx } from '../../../../src/core/database/types.ts'
import { openSqlite } from '../../../../src/core/database/sqlite/driver.ts'

let folder: string
let path: string
let db: Db

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-log-'))
  path = join(folder, 'privity.db')
  db = await openDb(path, { onError() {} })
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const put =
  (key: string, value = '') =>
  (tx: Tx) =>
    tx.run('insert into settings (key, value) values (?, ?)', [key, value])

test('emptying the log leaves deleted bytes in neither file', async () => {
  const secret = 'a text nobody may find again'
  await db.write(put('secret', secret))
  await db.purgeDeletedRows()
  await db.write((tx) => tx.run("delete from settings where key = 'secret'"))
  await db.purgeDeletedRows()
  for (const file of [path, `${path}-wal`]) expect((await readFile(file)).includes(secret)).toBe(false)
})

test('a thread that cannot open the database is replaced when it is wanted again', async () => {
  const late = join(folder, 'late')
  const checkpoints = createCheckpoints(join(late, 'privity.db'))
  await expect(checkpoints.run('PASSIVE')).rejects.toThrow(/unable to open/)
  await expect(checkpoints.run('PASSIVE')).rejects.toThrow(/unable to open/)
  await mkdir(late)
  await checkpoints.run('PASSIVE')
  await checkpoints.close()
})

test('a log that could not be emptied is known to hold what was deleted, whoever asked for it', async () => {
  await db.write(put('a'))
  const reader = openSqlite(path)
  reader.exec('begin')
  reader.prepare('select * from settings').get([])
  await db.write(put('b'))
  await expect(db.purgeDeletedRows()).rejects.toThrow()
  expect(db.holdsDeleted()).toBe(true)
  reader.close()
  await db.purgeDeletedRows()
  expect(db.holdsDeleted()).toBe(false)
})

test('a log that many small batches have filled is begun again instead of growing on', async () => {
  /** The WAL's salt, which changes each time that SQLite restarts the log. */
  const salt = async () => (await readFile(`${path}-wal`)).toString('hex', 16, 24)
  const putSome = async (from: string) => {
    for (let n = 0; n < 250; n++) await db.write(put(`${from} ${n}`))
  }
  await putSome('first')
  const first = await salt()
  await putSome('second')
  let tries = 0
  const writeAndRead = async () => {
    await db.write(put(`try ${(tries += 1)}`))
    return salt()
  }
  await expect.poll(writeAndRead).not.toBe(first)
  const rows = await db.read.all('select key from settings')
  expect(rows).toHaveLength(500 + tries)
})

describe('a full disk', () => {
  /** Refuses each commit as SQLite does where the log cannot grow, for as long as `isFull` says so. */
  function fillDisk(isFull: () => boolean) {
    const { run } = StatementSync.prototype
    return vi.spyOn(StatementSync.prototype, 'run').mockImplementation(function (this: StatementSync, ...values) {
      if (this.sourceSQL === 'commit' && isFull())
        throw Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: 13 })
      return run.apply(this, values)
    })
  }
  const keys = async () =>
    (await db.read.all<{ key: string }>('select key from settings order by 1')).map(({ key }) => key)

  test('whose last space the log holds lets a write pass once the log is moved into the database', async () => {
    await db.write(put('a', 'what the log holds'))
    using _ = fillDisk(() => !readFileSync(path).includes('what the log holds'))
    await db.write(put('b'))
    expect(await keys()).toEqual(['a', 'b'])
  })

  test('that stays full refuses what is written, and nothing of it is kept', async () => {
    const full = fillDisk(() => true)
    await expect(db.write(put('a'))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    full.mockRestore()
    await db.write(put('b'))
    expect(await keys()).toEqual(['b'])
  })
})
