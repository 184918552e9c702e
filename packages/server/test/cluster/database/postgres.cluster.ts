import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { audit } from '../../../src/core/audit/audit.ts'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db, Tx } from '../../../src/core/database/types.ts'
import { isTaken } from '../../../src/core/database/errors.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'

let server: PostgresServer
let one: Db
let other: Db
const errors: unknown[] = []

const open = () => openDb('', { postgres: { url: server.url, readers: 2 }, onError: (error) => errors.push(error) })

beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())
beforeEach(async () => {
  errors.length = 0
  ;[one, other] = await Promise.all([open(), open()])
})
afterEach(async () => {
  await one.write((tx) => tx.run('delete from settings'))
  await Promise.all([one.close(), other.close()])
})

const put =
  (key: string, value = '') =>
  (tx: Tx) =>
    tx.run('insert into settings (key, value) values (?, ?)', [key, value])
const keys = async () =>
  (await one.read.all<{ key: string }>('select key from settings order by key')).map(({ key }) => key)
const valueOf = (db: Pick<Tx, 'get'>, key: string) =>
  db.get<{ value: string }>('select value from settings where key = ?', [key]).then((row) => row?.value)

/** Reads a counter and writes it incremented: an increment is lost if two transactions interleave. */
const countUp = (key: string) => async (tx: Tx) => {
  const next = Number(await valueOf(tx, key)) + 1
  await tx.run('update settings set value = ? where key = ?', [String(next), key])
  return next
}

test('numbers are numbers, yes and no are 1 and 0, texts and bytes come back as they were', async () => {
  const row = await one.read.get(
    `select cast(9007199254740991 as bigint) as most, count(*) as counted, sum(n) as sum, 1 = 1 as yes, 1 = 2 as no,
       cast(null as text) as nothing, cast(? as text) as text, cast(? as bytea) as bytes, 'a?' as mark
     from (values (cast(1 as bigint)), (2)) as given (n)`,
    ['it’s "so" 😀', new Uint8Array([0, 255])],
  )
  expect(row).toMatchObject({ most: 9007199254740991, counted: 2, sum: 3, yes: 1, no: 0, nothing: null, mark: 'a?' })
  expect(row).toMatchObject({ text: 'it’s "so" 😀', bytes: Buffer.from([0, 255]) })
  await expect(one.read.get('select cast(9007199254740993 as bigint) as n')).rejects.toThrow(/beyond the numbers/)
})

test('calls that wait together share one transaction, and one that fails undoes only itself', async () => {
  const failing = one.write(async (tx) => {
    await put('b')(tx)
    throw new Error('no')
  })
  const results = await Promise.allSettled([one.write(put('a')), failing, one.write(put('c')), one.write(put('a'))])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
  expect(isTaken((results[3] as PromiseRejectedResult).reason, 'settings.key')).toBe(true)
  expect(JSON.stringify((results[3] as PromiseRejectedResult).reason)).not.toContain('already exists')
  expect(await keys()).toEqual(['a', 'c'])
})

test('work that swallows the failure of a statement is not answered as done', async () => {
  await one.write(put('taken'))
  const results = await Promise.allSettled([
    one.write((tx) => put('taken')(tx).catch(() => 'done')),
    one.write(put('beside')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(await keys()).toEqual(['beside', 'taken'])
})

test('a statement that takes too long is the failure of its own call, and of no other', async () => {
  const results = await Promise.allSettled([
    one.write(put('before')),
    one.write(async (tx) => {
      await tx.run('set local statement_timeout = 50')
      await tx.get('select pg_sleep(60)')
    }),
    one.write(put('after')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code: 'UNAVAILABLE' } })
  expect(await keys()).toEqual(['after', 'before'])
})

/** PostgreSQL's own error messages for a lack of space, memory or connections. */
test.each([
  ['53100', 'STORAGE_FULL'],
  ['53200', 'UNAVAILABLE'],
  ['53300', 'UNAVAILABLE'],
  ['55P03', 'UNAVAILABLE'],
])('a refusal %s is %s, and of no other call', async (sqlState, code) => {
  const results = await Promise.allSettled([
    one.write(put('before')),
    one.write(async (tx) => {
      await put('not kept')(tx)
      await tx.run(`do $$ begin raise exception using errcode = '${sqlState}'; end $$`)
    }),
    one.write(put('after')),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(results[1]).toMatchObject({ reason: { code } })
  expect(await keys()).toEqual(['after', 'before'])
})

test('the reading connections cannot write', async () => {
  await expect(one.read.all("insert into settings (key, value) values ('x', '') returning key")).rejects.toThrow(
    /UNAVAILABLE|not available|read-only/i,
  )
  expect(await keys()).toEqual([])
})

test('two that change the same rows at once lose and double nothing, and each is answered', async () => {
  await one.write(put('count', '0'))
  let runs = 0
  const counting = (db: Db) =>
    db.write((tx) => {
      runs += 1
      return countUp('count')(tx)
    })
  const answers = await Promise.all(
    Array.from({ length: 150 }, async (_, at) => {
      await new Promise((resolve) => setImmediate(resolve))
      return counting(at % 2 === 0 ? one : other)
    }),
  )
  expect(await valueOf(one.read, 'count')).toBe('150')
  expect([...answers].sort((a, b) => a - b)).toEqual(Array.from({ length: 150 }, (_, at) => at + 1))
  expect(runs).toBeGreaterThanOrEqual(150)
})

test('one that read what the other has changed since is done again', async () => {
  await one.write(put('count', '0'))
  let runs = 0
  const answer = await one.write(async (tx) => {
    runs += 1
    const read = Number(await valueOf(tx, 'count'))
    // On the first run, the other process commits between this read and this write.
    if (runs === 1) await other.write(countUp('count'))
    await tx.run('update settings set value = ? where key = ?', [String(read + 1), 'count'])
    return read + 1
  })
  expect(runs).toBe(2)
  expect(answer).toBe(2)
  expect(await valueOf(one.read, 'count')).toBe('2')
})

test('two that wait for each other are both done', async () => {
  await one.write((tx) => Promise.all([put('a', '0')(tx), put('b', '0')(tx)]))
  const arrived: (() => void)[] = []
  let runs = 0
  /** Holds both transactions until each has changed its first row. */
  const meet = () =>
    new Promise<void>((resolve) => {
      arrived.push(resolve)
      if (arrived.length === 2) arrived.forEach((go) => go())
    })
  const both = (first: string, second: string) => async (tx: Tx) => {
    runs += 1
    await countUp(first)(tx)
    if (runs <= 2) await meet()
    await countUp(second)(tx)
  }
  await Promise.all([one.write(both('a', 'b')), other.write(both('b', 'a'))])
  expect(runs).toBeGreaterThan(2)
  expect([await valueOf(one.read, 'a'), await valueOf(one.read, 'b')]).toEqual(['2', '2'])
})

test('what another process has just taken is seen when the work is done again', async () => {
  let runs = 0
  const answer = await one.write(async (tx) => {
    runs += 1
    if ((await valueOf(tx, 'name')) !== undefined) return 'taken'
    if (runs === 1) await other.write(put('name', 'of the other'))
    await put('name', 'mine')(tx)
    return 'mine'
  })
  expect(answer).toBe('taken')
  expect(await valueOf(one.read, 'name')).toBe('of the other')
})

test('work that loses a unique name twice runs a third time, and a name still taken is refused', async () => {
  let runs = 0
  const first = (names: string[]) => async (tx: Tx) => {
    runs += 1
    const taken = await tx.all<{ key: string }>('select key from settings')
    const free = names.find((name) => !taken.some(({ key }) => key === name)) as string
    if (runs < 3) await other.write(put(free))
    await put(free)(tx)
    return free
  }
  expect(await one.write(first(['a', 'b', 'c']))).toBe('c')
  expect(runs).toBe(3)
  const refused = await one.write(put('a')).catch((error: unknown) => error)
  expect(isTaken(refused, 'settings.key')).toBe(true)
})

test('what is not serializable has a transaction of its own; what is shares one', async () => {
  const transactionOf = async (tx: Tx) => (await tx.get<{ id: number }>('select txid_current() as id'))?.id
  const write = (at: number) => one.write(transactionOf, at < 3 ? 'serializable' : 'read committed')
  const ids = await Promise.all([0, 1, 2, 3, 4].map(write))
  expect(ids.slice(0, 3)).toEqual([ids[0], ids[0], ids[0]])
  expect(new Set(ids).size).toBe(3)
})

test('at READ COMMITTED, too, the changes of a call are kept together or not at all', async () => {
  const both = (first: string, second: string) => async (tx: Tx) => {
    await Promise.all([put(first)(tx), put(second)(tx)])
    return keys()
  }
  expect(await one.write(both('a', 'b'), 'read committed')).toEqual([])
  const failing = one.write(async (tx) => {
    await both('c', 'd')(tx)
    throw new Error('no')
  }, 'read committed')
  await expect(failing).rejects.toThrow('no')
  expect(await keys()).toEqual(['a', 'b'])
})

test('a table that is held is freed the next time', async () => {
  await one.write(put('secret', 'x'.repeat(2000)))
  await one.write((tx) => tx.run("delete from settings where key = 'secret'"))
  one.emptyLogSoon()
  await other.write(async (tx) => {
    await tx.run('lock table settings in share update exclusive mode')
    await one.purgeDeletedRows()
  })
  expect(one.holdsDeleted()).toBe(true)
  await one.purgeDeletedRows()
  expect(one.holdsDeleted()).toBe(false)
  const dead = await one.read.get("select n_dead_tup as dead from pg_stat_user_tables where relname = 'settings'")
  expect(dead).toEqual({ dead: 0 })
})

test('text that is no longer wanted is freed for other rows', async () => {
  await one.write(put('secret', 'x'.repeat(2000)))
  await one.write((tx) => tx.run("delete from settings where key = 'secret'"))
  one.emptyLogSoon()
  expect(one.holdsDeleted()).toBe(true)
  await one.purgeDeletedRows()
  expect(one.holdsDeleted()).toBe(false)
  const dead = await one.read.get("select n_dead_tup as dead from pg_stat_user_tables where relname = 'settings'")
  expect(dead).toEqual({ dead: 0 })
})

test('an entry of the audit log is written however often another process takes its number first', async () => {
  const entry = { action: 'tried', actorId: null, address: '203.0.113.9', at: 1 }
  let before = 6
  await one.write((tx) =>
    audit(
      {
        ...tx,
        async get<T>(sql: string, params?: Parameters<Tx['get']>[1]) {
          const row = await tx.get<T>(sql, params)
          if (before-- > 0) await other.write((faster) => audit(faster, entry))
          return row
        },
      },
      entry,
    ),
  )
  const rows = await one.read.all<{ seq: number }>(
    'select seq from audit_log join audit_addresses using (seq) order by seq',
  )
  expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

test.each([
  { cost: '4', commit: 'off', held: { cost: '1.1', commit: 'on' } },
  { cost: '1', commit: 'remote_apply', held: { cost: '1', commit: 'remote_apply' } },
])('of settings that are $cost and $commit, sessions take what does for us', async ({ cost, commit, held }) => {
  const url = new URL(server.url)
  url.searchParams.set('options', `-c random_page_cost=${cost} -c synchronous_commit=${commit}`)
  const set = await openDb('', { postgres: { url: url.href, readers: 1 }, onError: (error) => errors.push(error) })
  const ask = "select current_setting('random_page_cost') as cost, current_setting('synchronous_commit') as commit"
  expect(await set.read.get(ask)).toEqual(held)
  expect(await set.write((tx) => tx.get(ask))).toEqual(held)
  await set.close()
})
