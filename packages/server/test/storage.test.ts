import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStorage, type Storage } from '../src/core/storage.ts'

let folder: string
let storage: Storage
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'privity-objects-'))
  storage = await openStorage(folder)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const partials = () => readdir(join(folder, 'partial'))

test('an object is there whole once its stream has finished', async () => {
  const [id, bytes] = [randomUUID(), randomBytes(3_000_001)]
  await pipeline(Readable.from([bytes.subarray(0, 5), bytes.subarray(5)]), storage.create(id))
  expect(await storage.size(id)).toBe(bytes.length)
  expect((await buffer(storage.open(id))).equals(bytes)).toBe(true)
  expect((await storage.list()).map((object) => object.id)).toEqual([id])
  expect(await partials()).toEqual([])
  await storage.remove(id)
  await storage.remove(id)
  expect(await storage.size(id)).toBeUndefined()
})

test('an empty object works', async () => {
  const id = randomUUID()
  await pipeline(Readable.from([]), storage.create(id))
  expect(await storage.size(id)).toBe(0)
  expect(await buffer(storage.open(id))).toHaveLength(0)
})

test('one that breaks off leaves nothing', async () => {
  const id = randomUUID()
  async function* broken() {
    yield randomBytes(300_000)
    throw new Error('cut off')
  }
  const object = storage.create(id)
  const closed = new Promise((resolve) => void object.once('close', resolve))
  await expect(pipeline(broken, object)).rejects.toThrow('cut off')
  await closed
  expect(await storage.size(id)).toBeUndefined()
  expect(await partials()).toEqual([])
})

test('what a killed process left half-written is cleared at the next start', async () => {
  await writeFile(join(folder, 'partial', randomUUID()), 'half')
  await openStorage(folder)
  expect(await partials()).toEqual([])
})

test('an id that is no id reaches no file', () => {
  for (const id of ['../lock.db', '', 'partial', `${randomUUID()}/../x`]) {
    expect(() => storage.open(id)).toThrow('not an object id')
    expect(() => storage.create(id)).toThrow('not an object id')
  }
})

test('a folder that cannot be written to is found by the check', async () => {
  await storage.check()
  await rm(folder, { recursive: true })
  await expect(storage.check()).rejects.toThrow()
})
