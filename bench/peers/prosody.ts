import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Target } from '../load/client.ts'
import { freePort, isOpen } from '../load/ports.ts'
import { giveTo, makePostgres } from '../load/postgres.ts'
import { type Started, start } from '../load/processes.ts'
import { sendPasts } from '../load/scenarios.ts'
import { accountFields } from './accounts.ts'
import { connectXmpp, domain, nameOf } from './xmpp.ts'

const account = 'prosody'

const configuration = (port: number, store: string, storage: string) => `data_path = "${store}"
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
${storage}
VirtualHost "${domain}"
`

/** Prosody from Debian's package, with an archive of all messages (XEP-0313) in its own files or PostgreSQL. */
export async function prosody(name: string, kind: 'files' | 'postgres', folder: string): Promise<Target> {
  if (!existsSync('/usr/bin/prosody'))
    throw new Error(
      'prosody is not installed: apt-get install --no-install-recommends prosody lua-dbi-postgresql lua-event',
    )
  const port = await freePort()
  const postgres = kind === 'postgres' ? await makePostgres(folder) : undefined
  const [store, settings] = [join(folder, 'store'), join(folder, 'prosody.cfg.lua')]
  const storage = postgres
    ? `storage = "sql"\nsql = { driver = "PostgreSQL", host = "127.0.0.1", port = ${postgres.port}, database = "bench", username = "bench", password = "none" }`
    : 'storage = "internal"'
  let running: Started | undefined

  function writeAccounts(users: number): void {
    const folders = [store, join(store, domain), join(store, domain, 'accounts')]
    for (const each of folders.slice(1)) mkdirSync(each, { mode: 0o700 })
    const fields = Object.entries(accountFields).map(([key, value]) => `["${key}"] = ${JSON.stringify(value)};`)
    for (let at = 0; at < users; at++) {
      const file = join(folders[2] as string, `${nameOf(at)}.dat`)
      writeFileSync(file, `return {\n${fields.join('\n')}\n};\n`, { mode: 0o644 })
    }
    for (const each of folders) giveTo(account, each)
  }
  async function insertAccounts(users: number): Promise<void> {
    // Prosody creates its tables when it first looks up an account, even one that does not exist.
    await connectXmpp(port, 0).catch(() => {})
    for (const [key, value] of Object.entries(accountFields))
      postgres?.sql(`insert into prosody (host, "user", store, key, type, value)
        select '${domain}', 'u' || at, 'accounts', '${key}', '${typeof value}', '${value}' from generate_series(0, ${users - 1}) at;`)
  }
  const target: Target = {
    name,
    async prepare(users) {
      mkdirSync(store, { mode: 0o700 })
      giveTo(account, store)
      writeFileSync(settings, configuration(port, store, storage), { mode: 0o644 })
      if (postgres === undefined) writeAccounts(users)
      await target.start()
      if (postgres !== undefined) await insertAccounts(users)
      await sendPasts(target)
      postgres?.settle()
      await target.stop()
    },
    async start() {
      await postgres?.start()
      running = start(['prosody', '--config', settings, '-F'], { user: account, cwd: store })
      await isOpen(port)
    },
    async stop() {
      await running?.stop()
      await postgres?.stop()
      running = undefined
    },
    connect: (at, address) => connectXmpp(port, at, address),
    // The archive has one entry for each of the two participants.
    async stored() {
      if (postgres) return Number(postgres.sql('select count(*) / 2 from prosodyarchive'))
      const archive = join(store, domain, 'archive')
      const lists = readdirSync(archive).filter((file) => file.endsWith('.list'))
      const entries = lists.map((file) => readFileSync(join(archive, file), 'latin1').match(/^item\(/gm)?.length ?? 0)
      return entries.reduce((sum, count) => sum + count, 0) / 2
    },
    processes: () => ({ server: running ? [running.pid] : [], database: postgres?.pids() ?? [] }),
  }
  return target
}
