import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { partBytes } from '../../../src/core/storage/s3/upload.ts'
import type { S3Timing } from '../../../src/core/storage/s3/client.ts'
import type { Storage } from '../../../src/core/storage/types.ts'
import { openOwnS3 } from '../../support/storage/bucket.ts'
import { read, write } from '../../support/storage/storageCases.ts'
import { useS3 } from '../support/s3.ts'
import { createS3Proxy, type Fault, faults, type S3Proxy } from '../support/s3Proxy.ts'

useS3()
const quick: S3Timing = { silenceTimeoutMs: 2_000, callTimeoutMs: 60_000, retryPauseMs: 10 }

let proxy: S3Proxy
/** `storage` uses the proxy, `direct` bypasses it. */
let storage: Storage
let direct: Storage
let opened: Awaited<ReturnType<typeof openOwnS3>>
let id: string
beforeEach(async () => {
  proxy = await createS3Proxy()
  opened = await openOwnS3({ endpoint: proxy.endpoint }, quick)
  storage = opened.storage
  const { prefix } = opened.config
  direct = (await openOwnS3({ prefix })).storage
  id = randomUUID()
  proxy.seen.length = 0
})
afterEach(() => proxy[Symbol.asyncDispose]())

const nothingLeft = async () => {
  expect(await direct.list()).toEqual([])
  expect(await direct.partials()).toEqual([])
}
const count = (fits: RegExp) => proxy.seen.filter((name) => fits.test(name)).length

const once500: Fault = { answer: 500 }
const kinds: [string, RegExp][] = [
  ['the PUT of a small body', /^PUT .*[0-9a-f]{12}$/],
  ['the begin of an upload in parts', /^POST .*\?uploads=$/],
  ['a part', /partNumber=2/],
  ['putting the parts together', /^POST .*uploadId=/],
  ['the look at what was stored', /^HEAD /],
]

describe('an upload comes through whole', () => {
  for (const [kind, fits] of kinds)
    test.each<[string, Fault]>([
      ['is answered by 500', once500],
      ['is answered by 503 SlowDown', { answer: 503, code: 'SlowDown' }],
      ['breaks off before its answer', { cutAnswer: 0 }],
      ['gets no answer', { hang: true }],
      ['is cut off', { cutRequest: 0 }],
    ])(`when ${kind} %s once`, async (_name, fault) => {
      const bytes = randomBytes(kind.includes('small') ? 100_000 : 2 * partBytes + 3)
      proxy.fault = faults(fits, fault, 1)
      await write(storage, id, bytes)
      expect((await read(direct, id)).equals(bytes)).toBe(true)
      expect((await direct.list()).map((object) => object.id)).toEqual([id])
    })

  test.each([100_000, 2 * partBytes])(
    'when bytes of %d changed on the way once: the store refuses them',
    async (size) => {
      const bytes = randomBytes(size)
      const fits = /^PUT /
      proxy.fault = faults(fits, { spoilRequest: true }, 1)
      await write(storage, id, bytes)
      expect((await read(direct, id)).equals(bytes)).toBe(true)
      expect(count(fits)).toBe(size > partBytes ? 3 : 2)
    },
  )

  test('when one answer to a page of a list fails', async () => {
    await write(direct, id, randomBytes(10))
    proxy.fault = faults(/^GET /, once500, 1)
    expect((await storage.list()).map((object) => object.id)).toEqual([id])
  })
})

describe('an upload is refused and leaves nothing', () => {
  const bytes = randomBytes(2 * partBytes + 1)

  test.each<[string, RegExp, Fault, string]>([
    ['a store that fails again and again', /^(PUT|POST) /, once500, 'UNAVAILABLE'],
    ['parts that fail again and again', /partNumber=2/, once500, 'UNAVAILABLE'],
    ['a connection that breaks again and again', /partNumber=1/, { cutRequest: 100 }, 'UNAVAILABLE'],
    ['bytes that change on the way every time', /partNumber=1/, { spoilRequest: true }, 'UNAVAILABLE'],
    ['a store that is full', /partNumber=2/, { answer: 507, code: 'XMinioStorageFull' }, 'STORAGE_FULL'],
    ['a quota that is used up', /partNumber=2/, { answer: 403, code: 'QuotaExceeded' }, 'STORAGE_FULL'],
    ['keys that lost their right', /partNumber=1/, { answer: 403, code: 'AccessDenied' }, 'UNAVAILABLE'],
    ['an upload without an id', /\?uploads=$/, { answer: 200, body: '<html>' }, 'UNAVAILABLE'],
    ['parts that are not put together', /^POST .*uploadId=/, { answer: 200, body: '' }, 'UNAVAILABLE'],
    ['a failure in an answer of 200', /^POST .*uploadId=/, { answer: 200, code: 'InternalError' }, 'UNAVAILABLE'],
    ['an answer that is too long', /\?uploads=$/, { answer: 200, body: 'x'.repeat(5_000_000) }, 'UNAVAILABLE'],
  ])('by %s', async (_name, fits, fault, code) => {
    proxy.fault = faults(fits, fault)
    const object = storage.create(id)
    object.on('error', () => {})
    object.end(bytes)
    const failed = new Promise<unknown>((resolve) => void object.once('error', resolve))
    const closed = new Promise((resolve) => void object.once('close', resolve))
    expect(await failed).toMatchObject({ code })
    await closed
    expect(await direct.size(id)).toBeUndefined()
    // If the client never got the upload's id, the cleanup job aborts it.
    for (const partial of await direct.partials()) await partial.remove()
    await nothingLeft()
  })

  test('and what is full is not asked again', async () => {
    proxy.fault = faults(/^PUT /, { answer: 507 })
    await expect(write(storage, id, randomBytes(10))).rejects.toMatchObject({ code: 'STORAGE_FULL' })
    expect(count(/^PUT /)).toBe(1)
  })
})

test('a store that takes nothing stops the sender after a few parts', async () => {
  proxy.fault = faults(/partNumber=/, { hang: true })
  const object = storage.create(id).on('error', () => {})
  const piece = randomBytes(1024 * 1024)
  let taken = 0
  const pump = () => {
    while (!object.destroyed && object.write(piece, (error) => void (taken += error ? 0 : piece.length)));
    object.once('drain', pump)
  }
  pump()
  await new Promise((resolve) => void object.once('close', resolve))
  expect(taken).toBeGreaterThanOrEqual(2 * partBytes)
  expect(taken).toBeLessThanOrEqual(3 * partBytes)
  await nothingLeft()
})

describe('a download', () => {
  const bytes = randomBytes(partBytes + 1_000_000)
  const get = /^GET /

  test.each<[string, Fault, number]>([
    ['broke off in the middle', { cutAnswer: 3_000_000 }, 1],
    ['broke off again and again, and got on each time', { cutAnswer: 1_000_000 }, 8],
    ['fell silent in the middle', { hangAnswer: 3_000_000 }, 1],
    ['broke off before the first byte', { cutAnswer: 0 }, 3],
    ['was answered by 500', once500, 2],
  ])('that %s comes whole', async (_name, fault, times) => {
    await write(direct, id, bytes)
    proxy.fault = faults(get, fault, times)
    expect((await read(storage, id)).equals(bytes)).toBe(true)
    expect(count(get)).toBe(times + 1)
  })

  test.each<[string, Fault, string]>([
    ['never gets on', { cutAnswer: 0 }, 'UNAVAILABLE'],
    ['is refused', { answer: 403, code: 'AccessDenied' }, 'UNAVAILABLE'],
    ['asks for what is gone', { answer: 404, code: 'NoSuchKey' }, 'FILE_NOT_FOUND'],
  ])('that %s ends with an error', async (_name, fault, code) => {
    await write(direct, id, bytes)
    proxy.fault = faults(get, fault)
    await expect(read(storage, id)).rejects.toMatchObject({ code })
  })

  test('is not mixed from two objects', async () => {
    await write(direct, id, bytes)
    const other = randomBytes(bytes.length)
    const first = faults(get, { cutAnswer: 2_000_000 }, 1)
    let replaced: Promise<void> | undefined
    proxy.fault = (...request) => {
      const fault = first(...request)
      if (fault !== undefined) replaced = write(direct, id, other)
      return fault
    }
    const reading = storage.open(id)
    await once(reading, 'readable')
    await replaced
    await expect(reading.toArray()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('that is given up while the store is silent ends at once', async () => {
    await write(direct, id, bytes)
    const patient = (await openOwnS3({ endpoint: proxy.endpoint })).storage
    proxy.fault = faults(get, { hang: true })
    proxy.seen.length = 0
    const reading = patient.open(id)
    reading.on('error', () => {})
    reading.resume()
    while (count(get) === 0) await direct.size(id)
    reading.destroy()
    await once(reading, 'close')
  })
})

describe('a list', () => {
  const truncated = '<IsTruncated>true</IsTruncated>'
  test.each([
    ['no XML', 'hello'],
    ['half a list', '<ListBucketResult><Contents><Key>x</Key>'],
    ['another answer', '<Other></Other>'],
    ['one that goes on nowhere', `<ListBucketResult>${truncated}</ListBucketResult>`],
    [
      'one that never ends',
      `<ListBucketResult>${truncated}<NextContinuationToken>a</NextContinuationToken></ListBucketResult>`,
    ],
    ['nothing', ''],
  ])('that is %s is an error, and no empty list', async (_name, body) => {
    proxy.fault = faults(/^GET /, { answer: 200, body })
    await expect(storage.list()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    await expect(storage.partials()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })

  test('of half-written objects goes on where its page says', async () => {
    const other = randomUUID()
    const { prefix } = opened.config
    const page = (key: string, more: string) =>
      `<ListMultipartUploadsResult>${more}<Upload><Key>${prefix}${key}</Key><UploadId>u</UploadId></Upload></ListMultipartUploadsResult>`
    const next = `${truncated}<NextKeyMarker>a&amp;b</NextKeyMarker><NextUploadIdMarker>c</NextUploadIdMarker>`
    const later = faults(/key-marker=a%26b.*upload-id-marker=c/, { answer: 200, body: page(other, '') })
    const first = faults(/^GET .*uploads=/, { answer: 200, body: page(id, next) })
    proxy.fault = (...request) => later(...request) ?? first(...request)
    expect((await storage.partials()).map((partial) => partial.id)).toEqual([id, other])
  })

  test('passes over names that are no ids, and entities that are none', async () => {
    const entry = (key: string) => `<Contents><Key>${key}</Key><LastModified>x</LastModified></Contents>`
    const body = `<!DOCTYPE x [<!ENTITY a "b">]><ListBucketResult>${['../x', '&a;', '', '&lt;', `other/${id}`].map(entry).join('')}</ListBucketResult>`
    proxy.fault = faults(/^GET /, { answer: 200, body })
    expect(await storage.list()).toEqual([])
  })
})

test('the check finds a store that takes nothing, and says so without a key', async () => {
  proxy.fault = faults(/^PUT /, { answer: 403, code: 'AccessDenied' })
  const failed = await storage.check().catch((error: unknown) => inspect(error))
  expect(failed).toContain('403')
  expect(failed).not.toContain(process.env['TEST_S3_SECRET_ACCESS_KEY'])
})
