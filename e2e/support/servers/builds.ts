import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, createApp } from '../../../packages/server/src/app.ts'
import { loadConfig } from '../../../packages/server/src/core/config/config.ts'

const built = fileURLToPath(new URL('../../../packages/web/dist', import.meta.url))

/** A server over a copy of the built web client that can be rebuilt, as `npm start` does after a change. */
export interface ServedBuild extends AsyncDisposable {
  origin: string
  /** Stops, renames every script, as a changed source does, and starts again. */
  rebuild(): Promise<void>
}

export async function serveBuild(): Promise<ServedBuild> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-build-'))
  const webDir = join(folder, 'web')
  await cp(built, webDir, { recursive: true })
  const env = { DATA_DIR: join(folder, 'data'), PORT: '0', DEMO: '0', LOG_LEVEL: 'silent' }
  const config = { ...loadConfig(env), webDir }
  let port = 0
  let builds = 0
  let running: App

  async function start(): Promise<void> {
    running = await createApp(config)
    await running.app.listen({ host: config.host, port })
    const address = running.app.server.address()
    if (typeof address === 'object' && address) ({ port } = address)
  }

  /** Renames every script, and changes every file that names one. */
  async function nameAnew(): Promise<void> {
    builds += 1
    const assets = (await readdir(join(webDir, 'assets'))).map((name) => join('assets', name))
    const scripts = assets.filter((path) => path.endsWith('.js'))
    const names = new Set(scripts.map((path) => basename(path)))
    const anew = (name: string) => (names.has(name) ? name.replace(/\.js$/, `-${builds}.js`) : name)
    const pages = (await readdir(webDir, { recursive: true })).filter((name) => name.endsWith('.html'))
    for (const path of [...scripts, ...pages, 'sw.js']) {
      const text = await readFile(join(webDir, path), 'utf8')
      const changed = text
        .replaceAll(/[\w.-]{1,80}\.js/g, anew)
        .replace(/"version":"\w+"/, `"version":"build${builds}"`)
      await rm(join(webDir, path))
      await writeFile(join(webDir, dirname(path), anew(basename(path))), changed)
    }
  }

  await start()
  return {
    origin: `http://127.0.0.1:${port}`,
    async rebuild() {
      await running.close()
      await nameAnew()
      await start()
    },
    async [Symbol.asyncDispose]() {
      await running.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
