import { existsSync } from 'node:fs'
import type { Target } from '../load/client.ts'
import { logProgress } from '../load/processes.ts'
import { ejabberd } from './ejabberd.ts'
import { floor } from './floor.ts'
import { ours } from './ours.ts'
import { prosody } from './prosody.ts'

/** Every server that can be measured, by name; each is created in a folder of its own. */
export const servers = {
  'ours-sqlite': (name, folder) => ours(name, folder, { kind: 'sqlite' }),
  'ours-pg': (name, folder) => ours(name, folder, { kind: 'postgres' }),
  'ejabberd-pg': ejabberd,
  'prosody-pg': prosody,
  'floor-each': (name, folder) => floor(name, 'each', folder),
  'floor-group': (name, folder) => floor(name, 'group', folder),
  'floor-worker': (name, folder) => floor(name, 'worker', folder),
  'floor-pg': (name, folder) => floor(name, 'pg', folder),
} satisfies Record<string, (name: string, folder: string) => Promise<Target>>

export type ServerName = keyof typeof servers
export const serverNames = Object.keys(servers) as ServerName[]

const programs: [part: string, file: string, packages: string][] = [
  ['ejabberd', '/usr/share/ejabberd/sql/pg.sql', 'ejabberd erlang-p1-pgsql'],
  ['prosody', '/usr/bin/prosody', 'prosody lua-dbi-postgresql lua-event'],
  ['pg', '/usr/lib/postgresql', 'postgresql'],
]

/** Returns how to get a missing program of this server, or undefined if none is missing. */
export function missingPrograms(name: string): string | undefined {
  const missing = programs.filter(([part, file]) => name.includes(part) && !existsSync(file))
  if (missing.length === 0) return undefined
  const packages = missing.map(([, , names]) => names).join(' ')
  return `it is not installed. On Debian: apt-get install --no-install-recommends ${packages} (and stop the services that it starts)`
}

/** Creates these servers with their accounts and message history, without starting them. */
export async function prepareServers(
  names: readonly ServerName[],
  folderOf: (name: string) => string,
  users: number,
): Promise<Target[]> {
  const targets: Target[] = []
  for (const name of names) {
    const target = await servers[name](name, folderOf(name))
    await target.prepare(users)
    targets.push(target)
    logProgress(`${name} is prepared`)
  }
  return targets
}
