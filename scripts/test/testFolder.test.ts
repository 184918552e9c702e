import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

type Task<T> = (env: { TMPDIR: string }) => T
interface TestFolder {
  hasSpace(folder: string, bytes?: number): boolean
  inTestFolder<T>(task: Task<T>, options: { place: string; env: { TMPDIR?: string } }): Promise<T>
}
const program = fileURLToPath(new URL('../testFolder.mjs', import.meta.url))
const { hasSpace, inTestFolder } = (await import(program)) as TestFolder

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'privity-place-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a folder has room where it is there and as many bytes are free', () => {
  const folder = makeFolder()
  expect(hasSpace(folder, 1)).toBe(true)
  expect(hasSpace(folder, Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(hasSpace(join(folder, 'missing'), 1)).toBe(false)
})

test('what tests put down goes with their folder, also after a failure', async () => {
  const place = makeFolder()
  const seen: string[] = []
  const task: Task<string> = ({ TMPDIR }) => {
    seen.push(TMPDIR)
    writeFileSync(join(TMPDIR, 'left behind'), '')
    if (seen.length === 2) throw new Error('a test failed')
    return 'an answer'
  }
  expect(await inTestFolder(task, { place, env: {} })).toBe('an answer')
  await expect(inTestFolder(task, { place, env: {} })).rejects.toThrow('a test failed')
  expect(seen.map((folder) => existsSync(folder))).toEqual([false, false])
})

test('it is in memory where there is room, and elsewhere where there is none or TMPDIR says so', async () => {
  const place = makeFolder()
  const placeOf = (options: { place: string; env: { TMPDIR?: string } }) =>
    inTestFolder(({ TMPDIR }) => dirname(TMPDIR), options)
  expect(await placeOf({ place, env: {} })).toBe(hasSpace(place) ? place : tmpdir())
  expect(await placeOf({ place: join(place, 'missing'), env: {} })).toBe(tmpdir())
  expect(await placeOf({ place, env: { TMPDIR: tmpdir() } })).toBe(tmpdir())
})

test('programs that tests start as another user may write there', async () => {
  const mode = await inTestFolder(({ TMPDIR }) => statSync(TMPDIR).mode & 0o7777, { place: makeFolder(), env: {} })
  expect(mode).toBe(0o1777)
})
