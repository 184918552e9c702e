import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildImage, type Image } from './dockerfile.ts'

const project = fileURLToPath(new URL('../../../../..', import.meta.url))
/** The user `node` in the image. */
const uid = 1000

let folder: string
let image: Image
let app: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-image-'))
  await chmod(folder, 0o755)
  image = await buildImage(project, folder)
  app = join(image.root, image.workdir)
  await promisify(execFile)('chmod', ['-R', 'a-w,a+rX', image.root])
}, 600_000)
afterAll(async () => {
  await promisify(execFile)('chmod', ['-R', 'u+w', folder])
  await rm(folder, { recursive: true, force: true })
})

const isRoot = process.getuid?.() === 0

function start(command: readonly string[], env: Record<string, string>): ChildProcess {
  const [, ...rest] = command
  return spawn(process.execPath, rest, {
    cwd: app,
    env: { ...image.env, ...env },
    ...(isRoot ? { uid, gid: uid } : {}),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function codeOf(child: ChildProcess): Promise<number | null> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code
}

async function* filesIn(path: string): AsyncGenerator<string> {
  for (const entry of await readdir(path, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) yield join(entry.parentPath, entry.name)
}

test('the image holds what the server needs to run, and neither tests nor tools', async () => {
  expect((await readdir(app)).toSorted()).toEqual(['LICENSE', 'node_modules', 'package.json', 'packages'])
  expect((await readdir(join(app, 'packages'))).toSorted()).toContain('server')
  for (const name of ['contract', 'server']) {
    const inside = await readdir(join(app, 'packages', name))
    expect(inside, name).not.toContain('test')
  }
  expect(await readdir(join(app, 'packages', 'web'))).toEqual(['dist'])
  const installed = await readdir(join(app, 'node_modules'))
  for (const tool of ['vite', 'vitest', 'typescript', 'react', 'playwright', 'oxlint', 'node', 'smtp-server'])
    expect(installed, tool).not.toContain(tool)
  let bytes = 0
  for await (const path of filesIn(app)) bytes += (await lstat(path)).size
  // Without the Node base image.
  expect(bytes).toBeLessThan(80 * 1024 * 1024)
  expect(image).toMatchObject({ user: 'node', volumes: ['/data'], workdir: '/app' })
})

test.skipIf(!isRoot)(
  'an unprivileged user runs it from a tree that nobody can write to, and stops it with 0',
  async () => {
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    await chown(data, uid, uid)
    const env = {
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: data,
      FOUNDER_PASSWORD: 'a password of the founder',
      DEMO: '0',
    }
    const child = start(image.command, env)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (text: Buffer) => void (output += text.toString()))
    const url = await new Promise<string>((resolve, reject) => {
      child.stdout?.on('data', () => {
        const found = /"url":"(http:[^"]+)"/.exec(output)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.once('exit', () => reject(new Error(`it ended: ${output}`)))
    })
    expect(await (await fetch(`${url}/api/health`)).json()).not.toMatchObject({ status: 'critical' })
    const page = await fetch(url, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<html')])
    const { port } = new URL(url)
    expect(await codeOf(start(image.healthcheck, { ...env, PORT: port }))).toBe(0)
    const inFolder = start(['node', '-e', "require('fs').writeFileSync('written', '')"], {})
    expect(await codeOf(inFolder)).not.toBe(0)
    child.kill('SIGTERM')
    expect(await codeOf(child)).toBe(0)
    expect(await codeOf(start(image.healthcheck, { ...env, PORT: port }))).toBe(1)
    expect(await readdir(app)).not.toContain('written')
    expect((await readdir(data)).toSorted()).toContain('privity.db')
  },
)
