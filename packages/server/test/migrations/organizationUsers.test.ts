import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import { openSqlite } from '../../src/core/database/sqlite/driver.ts'
import { migrations } from '../../src/migrations/list.ts'

const people = [
  ['Jürgen', 'Müller', 'jm', 'super_admin', 1],
  ['Amara', 'Osei', 'amara.osei', 'user', 1],
  ['Ben', 'Ito', 'ben', 'user', 0],
] as const

test('users of an earlier version are found, sorted and counted after the update', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-migration-'))
  const path = join(folder, 'privity.db')
  const old = openSqlite(path)
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: old }) })
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } })
  expect((await migrator.migrateTo('010-recovery-key-renewals')).error).toBeUndefined()
  old.exec("insert into organizations (id, name, type, created_at) values ('o', 'Chambers', 'Legal', 1)")
  for (const [first, last, name, role, isActive] of people)
    old
      .prepare(
        `insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
         password_hash, is_active, created_at) values (?, ?, ?, ?, ?, ?, 'o', ?, 'none', ?, 1)`,
      )
      .run([`id ${name}`, name, `${name}@example.com`, first, last, role, name, isActive])
  old.close()

  const db = await openDb(path, {
    onError(error) {
      throw error
    },
  })
  const { read } = db
  expect(await read.all('select username, name_key from users order by organization_id, name_key, id')).toEqual([
    { username: 'amara.osei', name_key: 'amara osei' },
    { username: 'ben', name_key: 'ben ito' },
    { username: 'jm', name_key: 'jurgen muller' },
  ])
  expect(
    (await read.all<{ word: string }>("select word from user_words where user_id = 'id amara.osei'")).map(
      ({ word }) => word,
    ),
  ).toEqual(['amara.osei@example.com', 'com', 'example.com', 'osei@example.com'])
  expect(await read.all('select role, is_active, users from user_counts order by role, is_active')).toEqual([
    { role: 'super_admin', is_active: 1, users: 1 },
    { role: 'user', is_active: 0, users: 1 },
    { role: 'user', is_active: 1, users: 1 },
  ])
  await db.close()
  await rm(folder, { recursive: true })
})
