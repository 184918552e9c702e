import type * as FileSystem from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { readOrCreate } from '../../../src/core/secrets/secrets.ts'

const done = vi.hoisted((): string[] => [])
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof FileSystem>()
  const paths = new Map<number, string>()
  return {
    ...fs,
    openSync(path: string, flags: string, mode?: number) {
      const file = fs.openSync(path, flags, mode)
      paths.set(file, path)
      return file
    },
    fsyncSync(file: number) {
      done.push(`sync ${paths.get(file)}`)
      fs.fsyncSync(file)
    },
    linkSync(from: string, to: string) {
      done.push(`link ${from} ${to}`)
      fs.linkSync(from, to)
    },
  }
})

test('a new secret and its name are on the disk before anything can be sealed under it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-secret-'))
  const path = join(folder, 'server-secret')
  expect(readOrCreate(path)).toMatch(/^[\w-]{43}$/)
  const aside = expect.stringContaining(`${path}.`)
  expect(done.map((step) => step.split(' '))).toEqual([
    ['sync', aside],
    ['link', aside, path],
    ['sync', folder],
  ])
  await rm(folder, { recursive: true })
})
