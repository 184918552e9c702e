import { isDeepStrictEqual } from 'node:util'
import type { FastifyBaseLogger } from 'fastify'
import type { S3Config } from '../../config/types.ts'
import type { PartialObject, Storage } from '../types.ts'
import { createS3Client, type S3Request, type S3Timing } from './client.ts'
import { openS3Object } from './download.ts'
import { isMissing, toStorageError } from './errors.ts'
import { prepareBucket } from './lifecycle.ts'
import { readPage, textOf } from './responses.ts'
import { createS3Object, type UploadMemory } from './upload.ts'

const uuid = /^[0-9a-f-]{36}$/
/** Bytes of bodies that uploads of this process may hold in memory. */
const maxMemory = 512 * 1024 * 1024

function throwStorageError(error: unknown): never {
  throw toStorageError(error)
}

/** Stores objects in a bucket, each under the prefix and its id. */
export async function openS3Storage(config: S3Config, log: FastifyBaseLogger, timing?: S3Timing): Promise<Storage> {
  const s3 = createS3Client(config, timing)
  const memory: UploadMemory = { held: 0, limit: maxMemory }
  const { prefix } = config
  const keyOf = (id: string) => {
    if (!uuid.test(id)) throw new Error('not an object id')
    return prefix + id
  }
  const idOf = (key = '') => {
    const id = key.slice(prefix.length)
    return key.startsWith(prefix) && uuid.test(id) ? id : undefined
  }

  /** Yields the XML of every entry of a list. */
  async function* entriesOf(query: Record<string, string>, root: string, entry: string) {
    let next: Record<string, string> | undefined = {}
    while (next !== undefined) {
      const { body } = await s3.call({ method: 'GET', key: '', query: { ...query, prefix, ...next } })
      const page: ReturnType<typeof readPage> = readPage(body, root, entry)
      if (isDeepStrictEqual(page.next, next)) throw new Error('the object store’s list does not end')
      yield* page.entries
      next = page.next
    }
  }

  async function list(): ReturnType<Storage['list']> {
    const found: Awaited<ReturnType<Storage['list']>> = []
    for await (const object of entriesOf({ 'list-type': '2' }, 'ListBucketResult', 'Contents')) {
      const id = idOf(textOf(object, 'Key'))
      if (id !== undefined) found.push({ id, modifiedAt: Date.parse(textOf(object, 'LastModified') ?? '') })
    }
    return found
  }

  async function partials(): Promise<PartialObject[]> {
    const found: PartialObject[] = []
    for await (const upload of entriesOf({ uploads: '' }, 'ListMultipartUploadsResult', 'Upload')) {
      const [id, uploadId] = [idOf(textOf(upload, 'Key')), textOf(upload, 'UploadId')]
      if (id !== undefined && uploadId !== undefined)
        found.push({ id, remove: () => remove({ key: keyOf(id), query: { uploadId } }) })
    }
    return found
  }

  async function remove(target: Pick<S3Request, 'key' | 'query'>): Promise<void> {
    try {
      await s3.call({ method: 'DELETE', ...target })
    } catch (error) {
      if (!isMissing(error)) throwStorageError(error)
    }
  }

  async function size(key: string): Promise<number | undefined> {
    try {
      const { headers } = await s3.call({ method: 'HEAD', key })
      return Number(headers['content-length'])
    } catch (error) {
      return isMissing(error) ? undefined : throwStorageError(error)
    }
  }

  async function check(maxAttempts?: number): Promise<void> {
    await s3.call({ method: 'PUT', key: `${prefix}check`, ...(maxAttempts && { maxAttempts }) })
  }

  await prepareBucket(s3, config, log, () => check(1))
  return {
    create: (id) => createS3Object(s3, keyOf(id), memory),
    open: (id) => openS3Object(s3, keyOf(id)),
    size: async (id) => size(keyOf(id)),
    remove: async (id) => remove({ key: keyOf(id) }),
    hasSpaceFor: async () => true,
    list: () => list().catch(throwStorageError),
    partials: () => partials().catch(throwStorageError),
    check: () => check().catch(throwStorageError),
  }
}
