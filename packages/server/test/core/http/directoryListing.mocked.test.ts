import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createTestServer } from '../../support/server/testServer.ts'

/** Every directory that is listed: wraps `readdir` before the server's modules load. */
const listed = vi.hoisted((): string[] => {
  const paths: string[] = []
  const files = process.getBuiltinModule('node:fs/promises')
  const { readdir } = files
  Object.assign(files, {
    readdir(path: string, ...rest: []) {
      paths.push(path)
      return readdir(path, ...rest)
    },
  })
  return paths
})

test('no folder is listed for a file that is served, nor for one that is not there', async () => {
  const webDir = await mkdtemp(join(tmpdir(), 'privity-web-'))
  onTestFinished(() => rm(webDir, { recursive: true }))
  await mkdir(join(webDir, 'assets'))
  await writeFile(join(webDir, 'assets', 'app-1a2b.js'), 'plain')
  await using server = await createTestServer({ webDir })
  const get = async (path: string) => {
    const answer = await server.visitor().fetch(path, { headers: { accept: '*/*' } })
    return [answer.status, await answer.text()]
  }
  expect(await get('/assets/app-1a2b.js')).toEqual([200, 'plain'])
  expect(await get('/assets/app-1a2b.js?v=1')).toEqual([200, 'plain'])
  expect((await get('/assets/none.js'))[0]).toBe(404)
  await writeFile(join(webDir, 'assets', 'later-3c4d.js'), 'built while it runs')
  expect(await get('/assets/later-3c4d.js')).toEqual([200, 'built while it runs'])
  expect(listed.filter((path) => path.startsWith(webDir))).toEqual([])
})
