import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../load/client.ts'
import { freePort, waitUntilOpen } from '../load/ports.ts'
import { changeOwner, makePostgres } from '../load/postgres.ts'
import { type Started, start } from '../load/processes.ts'
import { sendHistory } from '../load/scenarios.ts'
import { storedKeys } from './scram.ts'
import { connectXmpp, domain, nameOf } from './xmpp.ts'

const account = 'ejabberd'

const configuration = (port: number, databasePort: number) => `hosts: [${domain}]
loglevel: warning
default_db: sql
auth_method: sql
auth_password_format: scram
sql_type: pgsql
sql_server: 127.0.0.1
sql_port: ${databasePort}
sql_database: bench
sql_username: bench
sql_password: none
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

/** The lines of ejabberd's table of users: name, stored key, server key, salt (base64) and iterations. */
function accountLines(users: number): string {
  const keys = [storedKeys.storedKey, storedKeys.serverKey, storedKeys.salt].map((bytes) => bytes.toString('base64'))
  return Array.from({ length: users }, (_, i) => [nameOf(i), ...keys, storedKeys.iterations].join('\t')).join('\n')
}

/** ejabberd from Debian's package, with an archive of all messages (XEP-0313) in PostgreSQL. */
export async function ejabberd(name: string, folder: string): Promise<Target> {
  const port = await freePort()
  const postgres = await makePostgres(folder)
  const [spool, settings] = [join(folder, 'spool'), join(folder, 'ejabberd.yml')]
  const env = {
    HOME: spool,
    EJABBERD_CONFIG_PATH: settings,
    EJABBERD_LOG_PATH: join(spool, 'ejabberd.log'),
    ERL_LIBS: '/usr/lib/x86_64-linux-gnu',
    ERL_CRASH_DUMP_BYTES: '0',
  }
  let running: Started | undefined

  const target: Target = {
    name,
    async prepare(users) {
      mkdirSync(spool, { mode: 0o700 })
      changeOwner(account, spool)
      writeFileSync(settings, configuration(port, postgres.port), { mode: 0o644 })
      await postgres.start()
      postgres.sql(readFileSync('/usr/share/ejabberd/sql/pg.sql', 'utf8'))
      postgres.sql(
        `copy users (username, password, serverkey, salt, iterationcount) from stdin;\n${accountLines(users)}\n\\.\n`,
      )
      await postgres.stop()
      await target.start()
      await sendHistory(target)
      postgres.settle()
      await target.stop()
    },
    async start() {
      await postgres.start()
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
      await waitUntilOpen(port)
    },
    async stop() {
      await running?.stop()
      await postgres.stop()
      running = undefined
    },
    connect: (at, address) => connectXmpp(port, at, address),
    // The archive has one row for each of the two participants.
    stored: async () => Number(postgres.sql('select count(*) / 2 from archive')),
    processes: () => ({ server: running ? [running.pid] : [], database: postgres.pids() }),
  }
  return target
}
