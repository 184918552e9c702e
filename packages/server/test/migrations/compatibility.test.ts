import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import { change } from '../../src/migrations/ddl.ts'
import { migrations, type Migrations, type Step } from '../../src/migrations/list.ts'
import { type Tables, tablesOfSqlite } from '../support/database/tables.ts'

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

/** The changes that break a process that knows only the schema `before`. */
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

const upTo = (of: Migrations, last: string): Migrations =>
  Object.fromEntries(Object.entries(of).filter(([name]) => name <= last))

/** The later migrations that break old processes without running alone, and those that run alone without need. */
async function wronglyMarked(of: Migrations): Promise<string[]> {
  const names = Object.keys(of).sort()
  const found: string[] = []
  for (const [index, name] of names.entries()) {
    const before = names[index - 1]
    if (before === undefined) continue
    const blocks = stumblingBlocks(await tablesAfter(upTo(of, before)), await tablesAfter(upTo(of, name)))
    if (of[name]?.alone === true ? blocks.length === 0 : blocks.length > 0) found.push([name, ...blocks].join('\n'))
  }
  return found
}

test('each later migration only adds, or runs alone', async () => {
  expect(await wronglyMarked(migrations)).toEqual([])
})

const adds: Step = { up: (db) => change(db, ['create table more (id text primary key) strict']) }
const removes: Step = { up: (db) => change(db, ['alter table alert_windows drop column held_back']) }

test('a planted migration that is wrongly marked is found, among others', async () => {
  const right: Migrations = { ...migrations, '900-adds': adds, '901-removes': { ...removes, alone: true } }
  expect(await wronglyMarked(right)).toEqual([])
  const wrong: Migrations = { ...migrations, '900-adds': { ...adds, alone: true }, '901-removes': removes }
  expect(await wronglyMarked(wrong)).toEqual([
    '900-adds',
    expect.stringMatching(/^901-removes\ngone or changed: alert_windows\.held_back/),
  ])
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
