import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Target } from '../load/client.ts'
import { freePort, isOpen } from '../load/ports.ts'
import { giveTo, makePostgres } from '../load/postgres.ts'
import { type Started, start } from '../load/processes.ts'
import { sendPasts } from '../load/scenarios.ts'
import { accountRows } from './accounts.ts'
import { connectXmpp, domain } from './xmpp.ts'

const account = 'ejabberd'
const schemas = '/usr/share/ejabberd/sql'

const schema = (name: string) => readFileSync(join(schemas, `${name}.sql`), 'utf8')

const configuration = (port: number, storage: string) => `hosts: [${domain}]
loglevel: warning
default_db: sql
auth_method: sql
auth_password_format: scram
${storage}
access_rules: {everyone: {allow: all}}
listen:
  - {port: ${port}, ip: "127.0.0.1", module: ejabberd_c2s, backlog: 4096, access: everyone}
modules:
  mod_carboncopy: {}
  mod_disco: {}
  mod_mam: {default: always, request_activates_archiving: false}
  mod_offline: {}
  mod_ping: {}
  mod_roster: {}
  mod_stream_mgmt: {}
`

/** ejabberd from Debian's package, with an archive of all messages (XEP-0313) in SQLite or PostgreSQL. */
export async function ejabberd(name: string, kind: 'sqlite' | 'postgres', folder: string): Promise<Target> {
  if (!existsSync(join(schemas, 'lite.sql')))
    throw new Error(
      'ejabberd is not installed: apt-get install --no-install-recommends ejabberd erlang-p1-sqlite3 erlang-p1-pgsql',
    )
  const port = await freePort()
  const postgres = kind === 'postgres' ? await makePostgres(folder) : undefined
  const [spool, settings] = [join(folder, 'spool'), join(folder, 'ejabberd.yml')]
  const path = join(spool, 'bench.db')
  const storage = postgres
    ? `sql_type: pgsql\nsql_server: 127.0.0.1\nsql_port: ${postgres.port}\nsql_database: bench\nsql_username: bench\nsql_password: none`
    : `sql_type: sqlite\nsql_database: "${path}"`
  const env = {
    HOME: spool,
    EJABBERD_CONFIG_PATH: settings,
    EJABBERD_LOG_PATH: join(spool, 'ejabberd.log'),
    ERL_LIBS: '/usr/lib/x86_64-linux-gnu',
    ERL_CRASH_DUMP_BYTES: '0',
  }
  let running: Started | undefined

  function fillSqlite(users: number): void {
    const db = new Database(path)
    db.exec(schema('lite'))
    const insert = db.prepare(
      'insert into users (username, password, serverkey, salt, iterationcount) values (?, ?, ?, ?, ?)',
    )
    db.transaction(() => {
      for (const row of accountRows(users)) insert.run(...row)
    })()
    db.close()
    giveTo(account, path)
  }
  const target: Target = {
    name,
    async prepare(users) {
      mkdirSync(spool, { mode: 0o700 })
      giveTo(account, spool)
      writeFileSync(settings, configuration(port, storage), { mode: 0o644 })
      if (postgres) {
        await postgres.start()
        postgres.sql(schema('pg'))
        const rows = accountRows(users).map((row) => row.join('\t'))
        postgres.sql(
          `copy users (username, password, serverkey, salt, iterationcount) from stdin;\n${rows.join('\n')}\n\\.\n`,
        )
        await postgres.stop()
      } else fillSqlite(users)
      await target.start()
      await sendPasts(target)
      postgres?.settle()
      await target.stop()
    },
    async start() {
      await postgres?.start()
      const options = [
        '+K',
        'true',
        '+P',
        '250000',
        '+Q',
        '65536',
        '-noinput',
        '-mnesia',
        'dir',
        `"${spool}"`,
        '-s',
        'ejabberd',
      ]
      running = start(['erl', ...options], { user: account, cwd: spool, env })
      await isOpen(port)
    },
    async stop() {
      await running?.stop()
      await postgres?.stop()
      running = undefined
    },
    connect: (at, address) => connectXmpp(port, at, address),
    // The archive has one row for each of the two participants.
    async stored() {
      const sql = 'select count(*) / 2 from archive'
      if (postgres) return Number(postgres.sql(sql))
      const db = new Database(path, { readonly: true })
      const count = db.prepare(sql).pluck().get() as number
      db.close()
      return count
    },
    processes: () => ({ server: running ? [running.pid] : [], database: postgres?.pids() ?? [] }),
  }
  return target
}
