import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import { change } from '../../src/migrations/ddl.ts'
import { migrations, type Migrations } from '../../src/migrations/list.ts'
import { type Tables, tablesOfSqlite } from '../support/database/tables.ts'

/** With it several processes of one release serve one database; before it there was no other to go on. */
const first = '033-messages-by-process'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-additive-'))
})
afterAll(() => rm(folder, { recursive: true }))

let made = 0
async function tablesAfter(of: Migrations): Promise<Tables> {
  const path = join(folder, `${(made += 1)}.db`)
  const db = await openDb(path, { onError: (error) => expect.fail(String(error)), migrations: of })
  const tables = await tablesOfSqlite(db.read)
  await db.close()
  return tables
}

const tableOf = (described: string) => /^(?:unique |index |primary )?(\w+)/.exec(described)?.[1] ?? ''

/** What a process that knows only `before` would stumble over. */
function stumblingBlocks(before: Tables, after: Tables): string[] {
  const known = new Set(before.columns.map(tableOf))
  const ofKnown = (of: readonly string[], than: readonly string[]) =>
    of.filter((each) => known.has(tableOf(each)) && !than.includes(each))
  const gone = before.columns.filter((column) => !after.columns.includes(column))
  const required = ofKnown(after.columns, before.columns).filter(
    (column) => !gone.some((old) => old.split(' ')[0] === column.split(' ')[0]) && /^\S+ \S+$/.test(column),
  )
  const narrower = [
    ...ofKnown(after.indexes, before.indexes).filter((index) => !index.startsWith('index ')),
    ...ofKnown(after.references, before.references),
    ...ofKnown(after.checks, before.checks),
  ]
  return [
    ...gone.map((each) => `gone or changed: ${each}`),
    ...required.map((each) => `must be given: ${each}`),
    ...narrower.map((each) => `refuses more: ${each}`),
  ]
}

const upTo = (name: string): Migrations =>
  Object.fromEntries(Object.entries(migrations).filter(([each]) => each <= name))

test('since several processes serve one database, each migration only adds, or runs alone', async () => {
  const names = Object.keys(migrations).sort()
  expect(names).toContain(first)
  for (const [at, name] of names.entries()) {
    if (name < first) continue
    const blocks = stumblingBlocks(await tablesAfter(upTo(names[at - 1] ?? '')), await tablesAfter(upTo(name)))
    if (migrations[name]?.alone === true) expect([name, blocks]).not.toEqual([name, []])
    else expect([name, blocks]).toEqual([name, []])
  }
})

const planted: [string, string[], RegExp | undefined][] = [
  ['a table', ['create table more (id text primary key) strict'], undefined],
  ['a column that may be empty', ['alter table users add column more text'], undefined],
  ['a column with a default', ['alter table users add column more integer not null default 0'], undefined],
  ['an index', ['create index more on users (first_name)'], undefined],
  [
    'a column taken away',
    ['alter table alert_windows drop column held_back'],
    /gone or changed: alert_windows\.held_back/,
  ],
  ['a column renamed', ['alter table users rename column first_name to given_name'], /gone or changed/],
  ['a table renamed', ['alter table settings rename to choices'], /gone or changed: settings\.key/],
  ['a unique index', ['create unique index more on users (first_name)'], /refuses more: unique users/],
]

test.each(planted)('%s is found to be what it is', async (_, statements, expected) => {
  const next: Migrations = { ...migrations, '999-planted': { up: (db) => change(db, statements) } }
  const blocks = stumblingBlocks(await tablesAfter(migrations), await tablesAfter(next)).join('\n')
  if (expected === undefined) expect(blocks).toBe('')
  else expect(blocks).toMatch(expected)
})
