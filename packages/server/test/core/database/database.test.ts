import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db, Tx } from '../../../src/core/database/types.ts'
import { openSqlite } from '../../../src/core/database/sqlite/driver.ts'

let folder: string
let path: string
let db: Db
const hookErrors: unknown[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-db-'))
  path = join(folder, 'privity.db')
  db = await openDb(path, { onError: (error) => hookErrors.push(error) })
  hookErrors.length = 0
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true, force: true })
})

const put =
  (key: string, value = '') =>
  (tx: Tx) =>
    tx.run('insert into settings (key, value) values (?, ?)', [key, value])
const keys = async () =>
  (await db.read.all<{ key: string }>('select key from settings order by key')).map(({ key }) => key)

test('is durable and strict as the plan says', async () => {
  const raw = openSqlite(path)
  expect(raw.prepare('pragma journal_mode').get([])).toEqual({ journal_mode: 'wal' })
  const tables = raw
    .prepare(
      "select name from pragma_table_list where schema = 'main' and strict = 0 and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all([])
  expect(tables).toEqual([])
  raw.close()
  const pragmas = await db.write(async (tx) => [
    await tx.get('pragma synchronous'),
    await tx.get('pragma secure_delete'),
    await tx.get('pragma foreign_keys'),
  ])
  expect(pragmas).toEqual([{ synchronous: 1 }, { secure_delete: 1 }, { foreign_keys: 1 }])
})

test('calls that wait together share one transaction, and one that throws undoes only itself', async () => {
  const failing = db.write(async (tx) => {
    await put('b')(tx)
    throw new Error('no')
  })
  const results = await Promise.allSettled([db.write(put('a')), failing, db.write(put('c')), db.write(put('a'))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(await keys()).toEqual(['a', 'c'])
})

test('a call that failed is answered once the changes that it may have failed by are durable', async () => {
  const before = db.write(put('a'))
  const failing = db.write(async (tx) => {
    await put('b')(tx)
    throw new Error('no')
  })
  expect(await failing.catch(keys)).toEqual(['a'])
  await before
})

test('calls share a transaction whatever they are isolated from: SQLite has one writer', async () => {
  await db.close()
  const batches: number[] = []
  const watch = { batch: (calls: number) => void batches.push(calls), repeated() {} }
  db = await openDb(path, { onError: (error) => hookErrors.push(error), watch })
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => db.write(put(`${at}`), at % 2 === 0 ? 'serializable' : 'read committed')),
  )
  expect(batches).toEqual([20])
})

test('where too many wait, more are refused, and all that waited are written', async () => {
  const calls = Array.from({ length: 10_005 }, () => db.write(async () => undefined))
  const results = await Promise.allSettled(calls)
  expect(results.slice(0, 10_000).every(({ status }) => status === 'fulfilled')).toBe(true)
  for (const late of results.slice(10_000))
    expect(late).toMatchObject({ status: 'rejected', reason: { code: 'UNAVAILABLE' } })
  await db.write(put('later'))
})

test('nobody reads what is not committed, the writer reads its own', async () => {
  const seen: string[][] = []
  await Promise.all([
    db.write(async (tx) => {
      await put('first')(tx)
      seen.push(await keys())
    }),
    db.write(async (tx) => {
      const own = await tx.all<{ key: string }>('select key from settings')
      seen.push(
        own.map(({ key }) => key),
        await keys(),
      )
    }),
  ])
  expect(seen).toEqual([[], ['first'], []])
  expect(await keys()).toEqual(['first'])
})

test('the reading connection cannot write', async () => {
  await expect(db.read.all("insert into settings (key, value) values ('x', '') returning key")).rejects.toThrow(
    /readonly/,
  )
})

test('hooks run once durable, before the answer, and never for a call that failed', async () => {
  const order: string[] = []
  const right = db.write(async (tx) => {
    tx.afterCommit(() =>
      order.push(`hook ${(openSqlite(path).prepare('select count(*) as n from settings').get([]) as { n: number }).n}`),
    )
    await put('a')(tx)
  })
  const wrong = db.write(async (tx) => {
    tx.afterCommit(() => order.push('never'))
    await put('a')(tx)
  })
  await Promise.allSettled([right.then(() => order.push('answer')), wrong])
  expect(order).toEqual(['hook 1', 'answer'])
})

test('a hook that throws is reported and spoils nothing', async () => {
  await db.write(async (tx) => {
    tx.afterCommit(() => {
      throw new Error('a hook')
    })
    await put('a')(tx)
  })
  expect(await keys()).toEqual(['a'])
  expect(hookErrors).toHaveLength(1)
})

test('when the commit itself fails, all of the batch are told and nothing is kept', async () => {
  const breaksTheCommit = db.write(async (tx) => {
    await tx.run('pragma defer_foreign_keys = on')
    await tx.run(
      `insert into sessions (id, user_id, token_hash, key_share, created_at, last_used_at, address, device)
       values ('1', 'nobody', '', '', 0, 0, '', '')`,
    )
  })
  const results = await Promise.allSettled([db.write(put('a')), breaksTheCommit, db.write(put('c'))])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(await keys()).toEqual([])
  await db.write(put('later'))
  expect(await keys()).toEqual(['later'])
})

test('a full disk refuses what does not fit with STORAGE_FULL, and loses nothing', async () => {
  await db.write(put('before'))
  await db.write((tx) => tx.run("delete from settings where key = 'nothing'"))
  const { page_count: used } = (await db.write((tx) => tx.get<{ page_count: number }>('pragma page_count'))) as {
    page_count: number
  }
  await db.write((tx) => tx.get(`pragma max_page_count = ${used + 4}`))

  const results = await Promise.allSettled([
    db.write(put('small')),
    db.write(put('huge', 'x'.repeat(100_000))),
    db.write(put('small too')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code: 'STORAGE_FULL' } })
  expect(await keys()).toEqual(['before', 'small', 'small too'])

  await db.write((tx) => tx.get('pragma max_page_count = 1000000'))
  await db.write(put('huge', 'x'.repeat(100_000)))
  expect(await keys()).toContain('huge')
})

test('when SQLite rolls back by itself, the rest of the batch is written again', async () => {
  let runs = 0
  const results = await Promise.allSettled([
    db.write((tx) => {
      runs += 1
      return put('a')(tx)
    }),
    db.write((tx) => tx.run("insert or rollback into settings (key, value) values ('a', '')")),
    db.write(put('c')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(runs).toBe(2)
  expect(await keys()).toEqual(['a', 'c'])
})

/** Updates that match no row, by every method. */
const changesNothing: [string, (tx: Tx) => Promise<unknown>][] = [
  ['delete', (tx) => tx.run("delete from settings where key = 'nothing'")],
  ['returning', (tx) => tx.get("delete from settings where key = 'nothing' returning key")],
  ['kysely', (tx) => tx.kysely.updateTable('settings').set({ value: 'x' }).where('key', '=', 'nothing').execute()],
  ['conflict', (tx) => tx.run("insert into settings (key, value) values ('taken', 'x') on conflict do nothing")],
  ['constraint', (tx) => put('taken', 'x')(tx).catch(() => undefined)],
]

test.each(changesNothing)(
  'calls that fail after a write that changed nothing (%s) make no other run again',
  async (...[, write]) => {
    await db.write(put('taken'))
    let runs = 0
    const good = (at: number) => (tx: Tx) => {
      runs += 1
      return put(`good ${at}`)(tx)
    }
    const bad = async (tx: Tx) => {
      runs += 1
      await write(tx)
      throw new Error('not found')
    }
    const calls = Array.from({ length: 100 }, (_, at) => [db.write(good(at)), db.write(bad)]).flat()
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(100)
    expect(runs).toBe(200)
    expect(await keys()).toHaveLength(101)
    expect(await db.read.get("select value from settings where key = 'taken'")).toEqual({ value: '' })
  },
)

/** Updates that change a row, by every method. */
const changes: [string, (tx: Tx) => Promise<unknown>][] = [
  ['run', put('undone')],
  ['returning', (tx) => tx.get("insert into settings (key, value) values ('undone', '') returning key")],
  ['several returned', (tx) => tx.all("update settings set value = 'undone' returning key")],
  ['kysely', (tx) => tx.kysely.updateTable('settings').set({ value: 'undone' }).execute()],
  ['a schema', (tx) => tx.run('create table undone (a)')],
  ['then nothing', async (tx) => [await put('undone')(tx), await tx.run("delete from settings where key = 'nothing'")]],
]

test.each(changes)(
  'a call that fails after it changed something (%s) is undone, and no other is',
  async (...[, write]) => {
    await db.write(put('kept', 'as it was'))
    let runs = 0
    const results = await Promise.allSettled([
      db.write(put('before')),
      db.write(async (tx) => {
        runs += 1
        await write(tx)
        throw new Error('no')
      }),
      db.write(put('after')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toBe(1)
    expect(await keys()).toEqual(['after', 'before', 'kept'])
    expect(await db.read.get("select value from settings where key = 'kept'")).toEqual({ value: 'as it was' })
    const undone =
      "select name from sqlite_schema where name = 'undone' union select name from organizations where name = 'undone'"
    expect(await db.read.all(undone)).toEqual([])
  },
)

test('closing writes what waits', async () => {
  const written = db.write(put('last'))
  await db.close()
  await written
  await expect(db.write(put('after'))).rejects.toThrow(/closed/)
  db = await openDb(path, { onError() {} })
  expect(await keys()).toEqual(['last'])
})

test('a store written by a newer version is refused', async () => {
  await db.write((tx) => tx.run("insert into kysely_migration (name, timestamp) values ('999-future', '')"))
  await db.close()
  await expect(openDb(path, { onError() {} })).rejects.toThrow(/999-future/)
  const raw = openSqlite(path)
  raw.exec("delete from kysely_migration where name = '999-future'")
  raw.close()
  db = await openDb(path, { onError() {} })
})
