import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startListening } from './listening.ts'
import { cpuTime, forgetAtEnd } from './processes.ts'

export type ServerName = 'ours' | 'floor-each' | 'floor-group' | 'floor-worker'

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** Starts a server on a free port with a new data folder; stop() ends it and removes the folder. */
export async function startServer(name: ServerName) {
  const folder = mkdtempSync(join(tmpdir(), 'privity-bench-'))
  forgetAtEnd(folder)
  const [, kind] = name.split('-')
  const { port, pid, stop } = await startListening(
    kind ? [file('../floor/server.ts'), kind, folder] : [file('../ours.ts'), folder],
  )
  return {
    port,
    cpu: () => cpuTime([pid]),
    async stop() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
