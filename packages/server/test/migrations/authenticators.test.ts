import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import { openDb } from '../../src/core/database/database.ts'
import { openSqlite } from '../../src/core/database/sqlite/driver.ts'
import { migrations } from '../../src/migrations/list.ts'

test('apps in use stay, and a set-up that was under way goes on, after the update', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-migration-'))
  const path = join(folder, 'privity.db')
  const old = openSqlite(path)
  const kysely = new Kysely<unknown>({ dialect: new SqliteDialect({ database: old }) })
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => migrations } })
  expect((await migrator.migrateTo('015-proposed-passwords')).error).toBeUndefined()
  old.exec("insert into organizations (id, name, type, created_at) values ('o', 'Chambers', 'Legal', 1)")
  for (const name of ['used', 'begun'])
    old
      .prepare(
        `insert into users (id, username, email, first_name, last_name, role, organization_id, connection_code,
         password_hash, is_active, created_at) values (?, ?, ?, 'A', 'B', 'user', 'o', ?, 'none', 1, 1)`,
      )
      .run([name, name, `${name}@example.com`, name])
  const insert = old.prepare(
    `insert into authenticator_apps (user_id, secret, created_at, session_id, confirmed_at, last_step)
     values (?, ?, ?, ?, ?, ?)`,
  )
  insert.run(['used', 'sealed one', 5, null, 6, 7])
  insert.run(['begun', 'sealed other', 8, 'session', null, 0])
  old.close()

  const db = await openDb(path, {
    onError(error) {
      throw error
    },
  })
  expect(await db.read.all('select * from authenticator_apps', [])).toEqual([
    { user_id: 'used', secret: 'sealed one', created_at: 5, confirmed_at: 6, last_step: 7 },
  ])
  expect(await db.read.all('select * from authenticator_setups', [])).toEqual([
    { user_id: 'begun', secret: 'sealed other', created_at: 8, session_id: 'session' },
  ])
  await db.close()
  await rm(folder, { recursive: true })
})
