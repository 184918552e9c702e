import type * as FileSystem from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readOrCreateSecret } from '../../../src/core/secrets/secrets.ts'

const done = vi.hoisted((): string[] => [])
vi.mock('node:fs/promises', async (original) => {
  const fs = await original<typeof FileSystem>()
  return {
    ...fs,
    async open(path: string, flags: string) {
      const handle = await fs.open(path, flags)
      const sync = handle.sync.bind(handle)
      handle.sync = () => {
        done.push(`sync ${path}`)
        return sync()
      }
      return handle
    },
    link(from: string, to: string) {
      done.push(`link ${from} ${to}`)
      return fs.link(from, to)
    },
  }
})

test('a new secret and its name are on the disk before anything can be sealed under it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-secret-'))
  const path = join(folder, 'server-secret')
  expect(await readOrCreateSecret(path)).toMatch(/^[\w-]{43}$/)
  const temporary = expect.stringContaining(`${path}.`)
  expect(done.map((step) => step.split(' '))).toEqual([
    ['sync', temporary],
    ['link', temporary, path],
    ['sync', folder],
  ])
  await rm(folder, { recursive: true })
})
