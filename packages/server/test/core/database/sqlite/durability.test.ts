import { copyFileSync, statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../../src/core/database/database.ts'
import type { Db, DbOptions, Tx } from '../../../../src/core/database/types.ts'

let folder: string
let path: string
const opened: Db[] = []
const errors: unknown[] = []
let uncertain = 0

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-durability-'))
  path = join(folder, 'privity.db')
  errors.length = 0
  uncertain = 0
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  await rm(folder, { recursive: true, force: true })
})

async function open(syncLog?: DbOptions['syncLog'], at = path): Promise<Db> {
  const db = await openDb(at, {
    onError: (error) => errors.push(error),
    onUncertain: () => void (uncertain += 1),
    ...(syncLog && { syncLog }),
  })
  opened.push(db)
  return db
}

const put = (key: string, value: string) => (tx: Tx) =>
  tx.run('insert into settings (key, value) values (?, ?)', [key, value])
const keysOf = async (db: Db) =>
  (await db.read.all<{ key: string }>('select key from settings order by key')).map(({ key }) => key)
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

test('a write is answered, and tells others, only once the disk has it', async () => {
  let syncs = 0
  let synced = () => {}
  const db = await open(() => {
    syncs += 1
    return new Promise((resolve) => void (synced = resolve))
  })
  const order: string[] = []
  const first = db.write(async (tx) => {
    tx.afterCommit(() => order.push('hook'))
    await put('first', '')(tx)
  })
  void first.then(() => order.push('answer'))
  while (syncs === 0) await nextTurn()
  const second = db.write(put('second', ''))
  for (let i = 0; i < 20; i++) await nextTurn()
  expect(order).toEqual([])
  expect(syncs).toBe(1)
  synced()
  await first
  expect(order).toEqual(['hook', 'answer'])
  while (syncs === 1) await nextTurn()
  synced()
  await second
})

test('what only reads syncs nothing', async () => {
  let syncs = 0
  const db = await open(async (log) => {
    syncs += 1
    await log.datasync()
  })
  await db.write((tx) => tx.all('select key from settings'))
  expect(syncs).toBe(0)
  await db.write(put('a', ''))
  expect(syncs).toBe(1)
})

test('after a failed sync all calls fail, and nothing is written until a restart', async () => {
  let works = true
  const db = await open(async (log) => {
    await log.datasync()
    if (!works) throw Object.assign(new Error('the disk is gone'), { code: 'EIO' })
  })
  await db.write(put('before', ''))
  works = false
  let hooks = 0
  const written = (key: string) =>
    db.write(async (tx) => {
      tx.afterCommit(() => (hooks += 1))
      await put(key, '')(tx)
    })
  const together = await Promise.allSettled([written('a'), written('b')])
  works = true
  const later = await Promise.allSettled([written('c')])
  expect([...together, ...later].map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  // Once: the later write was never attempted.
  expect([hooks, uncertain]).toEqual([0, 1])
  await db.close()
  opened.length = 0
  const again = await open()
  expect(await keysOf(again)).toEqual(expect.arrayContaining(['before']))
  expect(await keysOf(again)).not.toContain('c')
  await again.write(put('after', ''))
})

test('a failed sync is no refusal, not even for want of space: the call may have been done', async () => {
  const db = await open(async () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  for (const key of ['a', 'b']) await expect(db.write(put(key, ''))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  // Another connection sees what the first call has committed.
  expect(await keysOf(db)).toContain('a')
})

test('a power cut at any moment loses nothing that was answered', async () => {
  /** Files that are certainly on the disk after a sync: copies made when it began. */
  let began = 0
  let done = 0
  const db = await open(async (log) => {
    const number = (began += 1)
    copyFileSync(`${path}-wal`, join(folder, `cut${number}.db-wal`))
    copyFileSync(path, join(folder, `cut${number}.db`))
    await log.datasync()
    done = number
  })
  const answeredBy: string[][] = []
  for (let round = 0; round < 12; round++) {
    const keys = Array.from({ length: 40 }, (_, at) => `r${round}-${at}`)
    await Promise.all(
      keys.map(async (key) => {
        await db.write(put(key, 'x'.repeat(500)))
        ;(answeredBy[done] ??= []).push(key)
      }),
    )
    if (round % 5 === 4) await db.purgeDeletedRows()
  }
  expect(answeredBy.flat()).toHaveLength(12 * 40)
  const answered: string[] = []
  for (let number = 1; number <= began; number++) {
    answered.push(...(answeredBy[number] ?? []))
    const cut = await open(undefined, join(folder, `cut${number}.db`))
    expect(await keysOf(cut)).toEqual(expect.arrayContaining(answered))
    expect(await cut.read.all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
  }
  expect(began).toBeGreaterThanOrEqual(12)
})

test('checkpoints run beside the writing, and neither waits long for the other', async () => {
  const db = await open()
  const before = statSync(path).size
  let row = 0
  const batch = () =>
    db.write(async (tx) => {
      for (let i = 0; i < 400; i++) await put(`k${row++}`, 'x'.repeat(200))(tx)
    })
  while (statSync(path).size === before && row < 400_000) await batch()
  expect(row).toBeGreaterThanOrEqual(8000)
  expect(row).toBeLessThan(400_000)
  await db.purgeDeletedRows()
  expect(statSync(`${path}-wal`).size).toBe(0)
  expect(await db.read.get('select count(*) as n from settings')).toEqual({ n: row })
  expect(errors).toEqual([])
})
