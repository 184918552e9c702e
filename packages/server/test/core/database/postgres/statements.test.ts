import { beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../src/core/config/config.ts'
import { isStale } from '../../../../src/core/database/errors.ts'
import { padToPowerOfTwo, placeholders } from '../../../../src/core/database/statements.ts'
import { explainStart, describeDatabase } from '../../../../src/core/database/postgres/check.ts'
import { createStatements } from '../../../../src/core/database/postgres/statements.ts'

let statementOf: ReturnType<typeof createStatements>
beforeEach(() => {
  statementOf = createStatements()
})

test.each([
  ['select 1', 'select 1'],
  ['select ? where a = ?', 'select $1 where a = $2'],
  ["select '?' where a = ? -- why?\n and b = ?", "select '?' where a = $1 -- why?\n and b = $2"],
  [`select 'it''s ?' as "so?" where a = ?`, `select 'it''s ?' as "so?" where a = $1`],
])('placeholders of %s', (sql, expected) => {
  expect(statementOf(sql).text).toBe(expected)
})

test('a text is prepared under one name, and no two texts under the same', () => {
  expect(statementOf('select 1 as a')).toBe(statementOf('select 1 as a'))
  expect(statementOf('select 1 as a').name).not.toBe(statementOf('select 1 as b').name)
})

test('texts that differ by their length only cannot fill the server with prepared statements', () => {
  const names = Array.from({ length: 3000 }, (_, at) => statementOf(`select ${at}`).name)
  expect(names.filter((name) => name !== undefined).length).toBeLessThanOrEqual(1000)
  expect(statementOf('select 2999')).toBe(statementOf('select 2999'))
  expect(statementOf('select 1500')).toMatchObject({ text: 'select 1500', name: undefined })
  expect(statementOf('select 7').name).toBe(names[7])
})

test('lists of 500 lengths are ten texts, and ask for the same', () => {
  const lists = Array.from({ length: 500 }, (_, at) => Array.from({ length: at + 1 }, (_each, n) => `id ${n}`))
  expect(new Set(lists.map((list) => placeholders(padToPowerOfTwo(list)))).size).toBe(10)
  for (const list of lists) expect([...new Set(padToPowerOfTwo(list))]).toEqual(list)
  expect(padToPowerOfTwo(['a', 'b', 'c'])).toEqual(['a', 'b', 'c', 'a'])
  expect([padToPowerOfTwo([]), placeholders([])]).toEqual([[], 'null'])
})

test('a stale prepared statement is recognized in every language of PostgreSQL', () => {
  const said = (message: string, more: object) => Object.assign(new Error(message), { code: '0A000', ...more })
  expect(isStale(said('gecachter Plan darf den Ergebnistyp nicht ändern', { routine: 'RevalidateCachedQuery' }))).toBe(
    true,
  )
  expect(isStale(said('cached plan must not change result type', {}))).toBe(true)
  expect(isStale(said('VACUUM is not supported', { routine: 'other' }))).toBe(false)
})

test.each([
  ['delete from messages where id = ?', ['messages']],
  ['update "users" set name = ?', ['users']],
  ['insert into a (x) values (?) on conflict (x) do update set x = ?', ['a']],
  ['insert into a (x) values (?)', []],
  ['select * from a for update', []],
])('tables whose rows %s replaces', (sql, tables) => {
  expect(statementOf(sql).replaces).toEqual(tables)
})

test('the address of a database is named without its password', () => {
  const url = 'postgresql://me:hunter2@db.example.org:5433/privity?sslmode=require'
  expect(describeDatabase(url)).toBe('me@db.example.org:5433/privity')
  const refused = explainStart(url, Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }))
  expect(String(refused)).toMatch(/me@db\.example\.org:5433\/privity.*nothing answers there/)
  expect(String(refused)).not.toContain('hunter2')
})

test.each(['mysql://me:hunter2@host/x', 'postgresql://me:hunter2@host', 'hunter2', 'postgresql://me:hunter2@ho st/x'])(
  '%s is refused as DATABASE_URL, and not repeated',
  (url) => {
    expect(() => loadConfig({ DATABASE_URL: url })).toThrow(/DATABASE_URL/)
    expect(() => loadConfig({ DATABASE_URL: url })).not.toThrow(/hunter2/)
  },
)

test('DATABASE_URL chooses PostgreSQL', () => {
  const url = 'postgresql://me@host/privity'
  expect(loadConfig({}).postgres).toBeUndefined()
  expect(loadConfig({ DATABASE_URL: url }).postgres).toEqual({ url, readers: 8 })
  expect(() => loadConfig({ DATABASE_URL: url, DATABASE_READERS: '0' })).toThrow(/DATABASE_READERS/)
})
