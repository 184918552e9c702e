import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../load/client.ts'
import { freePort, waitUntilOpen } from '../load/ports.ts'
import { changeOwner, makePostgres } from '../load/postgres.ts'
import { type Started, start } from '../load/processes.ts'
import { sendHistory } from '../load/scenarios.ts'
import { storedKeys } from './scram.ts'
import { connectXmpp, domain } from './xmpp.ts'

const account = 'prosody'

const configuration = (port: number, store: string, databasePort: number) => `data_path = "${store}"
pidfile = "${store}/prosody.pid"
log = { warn = "${store}/prosody.log" }
interfaces = { "127.0.0.1" }
c2s_ports = { ${port} }
s2s_ports = { }
network_settings = { tcp_backlog = 4096 }
modules_enabled = { "roster", "saslauth", "disco", "ping", "offline", "mam", "smacks", "carbons" }
modules_disabled = { "s2s", "tls", "http", "posix" }
authentication = "internal_hashed"
c2s_require_encryption = false
archive_expires_after = "never"
default_archive_policy = true
storage = "sql"
sql = { driver = "PostgreSQL", host = "127.0.0.1", port = ${databasePort}, database = "bench", username = "bench", password = "none" }
VirtualHost "${domain}"
`

const accountFields = {
  stored_key: storedKeys.storedKey.toString('hex'),
  server_key: storedKeys.serverKey.toString('hex'),
  salt: storedKeys.salt.toString(),
  iteration_count: storedKeys.iterations,
}

/** Prosody from Debian's package, with an archive of all messages (XEP-0313) in PostgreSQL. */
export async function prosody(name: string, folder: string): Promise<Target> {
  const port = await freePort()
  const postgres = await makePostgres(folder)
  const [store, settings] = [join(folder, 'store'), join(folder, 'prosody.cfg.lua')]
  let running: Started | undefined

  async function insertAccounts(users: number): Promise<void> {
    // Prosody creates its tables when it first looks up an account, even one that does not exist.
    await connectXmpp(port, 0).catch(() => {})
    for (const [key, value] of Object.entries(accountFields))
      postgres.sql(`insert into prosody (host, "user", store, key, type, value)
        select '${domain}', 'u' || at, 'accounts', '${key}', '${typeof value}', '${value}' from generate_series(0, ${users - 1}) at;`)
  }
  const target: Target = {
    name,
    async prepare(users) {
      mkdirSync(store, { mode: 0o700 })
      changeOwner(account, store)
      writeFileSync(settings, configuration(port, store, postgres.port), { mode: 0o644 })
      await target.start()
      await insertAccounts(users)
      await sendHistory(target)
      postgres.settle()
      await target.stop()
    },
    async start() {
      await postgres.start()
      running = start(['prosody', '--config', settings, '-F'], { user: account, cwd: store })
      await waitUntilOpen(port)
    },
    async stop() {
      await running?.stop()
      await postgres.stop()
      running = undefined
    },
    connect: (at, address) => connectXmpp(port, at, address),
    // The archive has one entry for each of the two participants.
    stored: async () => Number(postgres.sql('select count(*) / 2 from prosodyarchive')),
    processes: () => ({ server: running ? [running.pid] : [], database: postgres.pids() }),
  }
  return target
}
