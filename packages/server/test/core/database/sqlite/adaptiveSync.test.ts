import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import { createAdaptiveSync } from '../../../../src/core/database/sqlite/adaptiveSync.ts'

async function createDisk() {
  const path = join(tmpdir(), `privity-${randomUUID()}`)
  const file = await open(path, 'w')
  const disk = { takes: 0.2, now: 0, inPlace: 0, failure: undefined as Error | undefined }
  function syncInPlace() {
    if (disk.failure) throw disk.failure
    disk.inPlace += 1
    disk.now += disk.takes
  }
  return {
    disk,
    onPool: vi.spyOn(file, 'datasync'),
    sync: createAdaptiveSync(file, { now: () => disk.now, syncInPlace }),
    async [Symbol.asyncDispose]() {
      await file.close()
      await rm(path)
    },
  }
}

test('a quick disk is waited for in place', async () => {
  await using opened = await createDisk()
  const { disk, onPool, sync } = opened
  for (let i = 0; i < 300; i++) await sync(3)
  expect(disk.inPlace).toBe(300)
  expect(onPool).not.toHaveBeenCalled()
})

test('one slow sync leaves to the thread pool what would have taken its time', async () => {
  await using opened = await createDisk()
  const { disk, onPool, sync } = opened
  disk.takes = 3.5
  await sync(3)
  disk.takes = 0.2
  for (let i = 0; i < 50; i++) await sync(3)
  expect([disk.inPlace, onPool.mock.calls.length]).toEqual([47, 4])
})

test('a slow disk holds up the thread ever more rarely, until it is quick again', async () => {
  await using opened = await createDisk()
  const { disk, onPool, sync } = opened
  disk.takes = 8
  for (let i = 0; i < 27; i++) await sync(3)
  expect([disk.inPlace, onPool.mock.calls.length]).toEqual([3, 24])
  for (let i = 0; i < 2000; i++) await sync(3)
  const [held, left] = [disk.inPlace, onPool.mock.calls.length]
  for (let i = 0; i < 1010; i++) await sync(3)
  expect([disk.inPlace - held, onPool.mock.calls.length - left]).toEqual([10, 1000])
  disk.takes = 0.2
  for (let i = 0; i < 200; i++) await sync(3)
  expect(disk.inPlace).toBeGreaterThan(held + 100)
})

test('many rows are left to the thread pool, and say nothing of the disk', async () => {
  await using opened = await createDisk()
  const { disk, onPool, sync } = opened
  disk.takes = 8
  for (let i = 0; i < 5; i++) await sync(200)
  expect([disk.inPlace, onPool.mock.calls.length]).toEqual([0, 5])
  disk.takes = 0.2
  await sync(3)
  expect(disk.inPlace).toBe(1)
})

test('a sync that fails, in place or on another thread, fails for who waits', async () => {
  await using opened = await createDisk()
  const { disk, onPool, sync } = opened
  disk.takes = 8
  await sync(3)
  onPool.mockRejectedValueOnce(new Error('on the pool'))
  await expect(sync(3)).rejects.toThrow('on the pool')
  for (let i = 0; i < 7; i++) await sync(3)
  disk.failure = new Error('in place')
  await expect(sync(3)).rejects.toThrow('in place')
})
