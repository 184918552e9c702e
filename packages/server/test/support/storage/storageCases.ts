import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { partBytes } from '../../../src/core/storage/s3/upload.ts'
import type { Storage } from '../../../src/core/storage/types.ts'

export interface OpenedStorage {
  storage: Storage
  close(): Promise<void>
}

export const write = (storage: Storage, id: string, ...chunks: Buffer[]) =>
  pipeline(Readable.from(chunks, { objectMode: false }), storage.create(id))

export const read = (storage: Storage, id: string) => buffer(storage.open(id))

async function memoryInUse(): Promise<number> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  // Buffers are released one turn later than the objects that referenced them.
  await new Promise((resolve) => void setImmediate(resolve))
  collect()
  return process.memoryUsage().arrayBuffers
}

/** The tests that every storage must pass. */
export function testStorage(name: string, open: () => Promise<OpenedStorage>): void {
  describe(name, { timeout: 60_000 }, () => {
    let storage: Storage
    let close: () => Promise<void>
    beforeEach(async () => ({ storage, close } = await open()))
    afterEach(() => close())

    const nothingLeft = async () => {
      expect(await storage.list()).toEqual([])
      expect(await storage.partials()).toEqual([])
    }

    test.each([0, 1, partBytes - 1, partBytes, partBytes + 1, 2 * partBytes, 2 * partBytes + 1])(
      'an object of %d bytes is there whole once its stream has finished, and gone when removed',
      async (size) => {
        const [id, bytes] = [randomUUID(), randomBytes(size)]
        const begun = Date.now()
        await write(storage, id, bytes.subarray(0, 5), bytes.subarray(5))
        expect(await storage.size(id)).toBe(size)
        expect((await read(storage, id)).equals(bytes)).toBe(true)
        const [listed, ...more] = await storage.list()
        expect(listed?.id).toBe(id)
        // S3 stores whole seconds.
        expect(listed?.modifiedAt).toBeGreaterThan(begun - 2000)
        expect(more).toEqual([])
        expect(await storage.partials()).toEqual([])
        await storage.remove(id)
        await storage.remove(id)
        expect(await storage.size(id)).toBeUndefined()
        await nothingLeft()
      },
    )

    test('100 MB go in and come out without being held in memory', async () => {
      const [id, piece, pieces] = [randomUUID(), randomBytes(1024 * 1024), 100]
      const [sent, received] = [createHash('sha256'), createHash('sha256')]
      const before = await memoryInUse()
      let most = 0
      const look = async () => void (most = Math.max(most, (await memoryInUse()) - before))
      async function* body() {
        for (let at = 0; at < pieces; at++) {
          const bytes = Buffer.concat([Buffer.from([at]), piece])
          sent.update(bytes)
          yield bytes
          if (at % 10 === 9) await look()
        }
      }
      await pipeline(body, storage.create(id))
      let size = 0
      let looked = 0
      for await (const chunk of storage.open(id) as AsyncIterable<Buffer>) {
        received.update(chunk)
        size += chunk.length
        if (size - looked > 10_000_000) {
          looked = size
          await look()
        }
      }
      expect(size).toBe(pieces * (piece.length + 1))
      expect(received.digest('hex')).toBe(sent.digest('hex'))
      expect(most).toBeLessThan(40 * 1024 * 1024)
    })

    test.each([0, 300_000, partBytes + 1, 4 * partBytes])(
      'one that breaks off after %d bytes leaves nothing',
      async (size) => {
        const id = randomUUID()
        async function* broken() {
          yield randomBytes(size)
          throw new Error('cut off')
        }
        const object = storage.create(id)
        const closed = new Promise((resolve) => void object.once('close', resolve))
        await expect(pipeline(broken, object)).rejects.toThrow('cut off')
        await closed
        expect(await storage.size(id)).toBeUndefined()
        await nothingLeft()
      },
    )

    test('half-written bytes are found and can be destroyed, and are no object', async () => {
      const id = randomUUID()
      const object = storage.create(id).on('error', () => {})
      await new Promise((resolve) => void object.write(randomBytes(3 * partBytes + 1), resolve))
      const [partial, ...more] = await storage.partials()
      expect([partial?.id, more]).toEqual([id, []])
      expect(await storage.list()).toEqual([])
      await partial?.remove()
      await partial?.remove()
      expect(await storage.partials()).toEqual([])
      object.destroy()
      await once(object, 'close')
      await nothingLeft()
    })

    test('of two that write one id, what is there is one of them whole', async () => {
      const [id, one, other] = [randomUUID(), randomBytes(partBytes + 5), randomBytes(partBytes + 9)]
      const outcomes = await Promise.allSettled([write(storage, id, one), write(storage, id, other)])
      expect(outcomes.map(({ status }) => status)).toContain('fulfilled')
      const bytes = await read(storage, id)
      expect([one, other].filter((each) => each.equals(bytes))).toHaveLength(1)
      expect(await storage.partials()).toEqual([])
    })

    test('many read one object at once, and one that stops reading disturbs none', async () => {
      const [id, bytes] = [randomUUID(), randomBytes(5_000_000)]
      await write(storage, id, bytes)
      const stopping = storage.open(id)
      await once(stopping, 'readable')
      stopping.destroy()
      const all = await Promise.all(Array.from({ length: 8 }, () => read(storage, id)))
      expect(all.every((each) => each.equals(bytes))).toBe(true)
    })

    test('what nobody stored has no size and cannot be opened', async () => {
      const id = randomUUID()
      expect(await storage.size(id)).toBeUndefined()
      await expect(read(storage, id)).rejects.toThrow()
      await storage.remove(id)
    })

    test('an id that is no id reaches nothing', async () => {
      for (const id of ['../lock.db', '', 'partial', 'check', `${randomUUID()}/../x`, `${randomUUID()}?acl`]) {
        expect(() => storage.open(id)).toThrow('not an object id')
        expect(() => storage.create(id)).toThrow('not an object id')
        await expect(storage.remove(id)).rejects.toThrow('not an object id')
      }
    })

    test('the check passes, and leaves nothing that is taken for an object', async () => {
      await storage.check()
      await nothingLeft()
    })
  })
}
