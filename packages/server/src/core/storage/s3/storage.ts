import type { FastifyBaseLogger } from 'fastify'
import { type Page, readObjects, readUploads } from './responses.ts'
import { prepareBucket } from './lifecycle.ts'
import { createS3Client, type S3Timing } from './client.ts'
import type { S3Config } from '../../config/types.ts'
import { openS3Object } from './download.ts'
import { isMissing, toStorageError } from './errors.ts'
import { createS3Object, type Memory } from './upload.ts'
import type { Storage } from '../types.ts'

const uuid = /^[0-9a-f-]{36}$/
/** Bytes of bodies that uploads of this process may hold in memory. */
const mostMemory = 512 * 1024 * 1024
const orStorageError = (error: unknown) => {
  throw toStorageError(error)
}

/** Stores objects in a bucket, each under the prefix and its id. */
export async function openS3Storage(config: S3Config, log: FastifyBaseLogger, timing?: S3Timing): Promise<Storage> {
  const s3 = createS3Client(config, timing)
  const memory: Memory = { held: 0, most: mostMemory }
  const keyOf = (id: string) => {
    if (!uuid.test(id)) throw new Error('not an object id')
    return config.prefix + id
  }
  const idOf = (key: string) => {
    const id = key.slice(config.prefix.length)
    return key.startsWith(config.prefix) && uuid.test(id) ? id : undefined
  }

  async function* pages<Entry>(query: Record<string, string>, readPage: (xml: string) => Page<Entry>) {
    let next: Record<string, string> | undefined = {}
    let before = ''
    while (next !== undefined) {
      const { body } = await s3.call({ method: 'GET', key: '', query: { ...query, prefix: config.prefix, ...next } })
      const page: Page<Entry> = readPage(body)
      yield page.entries
      next = page.next
      if (JSON.stringify(next) === before) throw new Error('the object store’s list does not end')
      before = JSON.stringify(next)
    }
  }

  async function list(): ReturnType<Storage['list']> {
    const found: Awaited<ReturnType<Storage['list']>> = []
    for await (const entries of pages({ 'list-type': '2' }, readObjects))
      for (const { key, modifiedAt } of entries) {
        const id = idOf(key)
        if (id !== undefined) found.push({ id, modifiedAt })
      }
    return found
  }

  async function partials(): ReturnType<Storage['partials']> {
    const found: Awaited<ReturnType<Storage['partials']>> = []
    for await (const entries of pages({ uploads: '' }, readUploads))
      for (const { key, uploadId } of entries) {
        const id = idOf(key)
        if (id !== undefined) found.push({ id, remove: () => removeUpload(key, uploadId) })
      }
    return found
  }

  async function removeUpload(key: string, uploadId: string): Promise<void> {
    await remove({ key, query: { uploadId } })
  }

  async function remove(what: { key: string; query?: Record<string, string> }): Promise<void> {
    await s3.call({ method: 'DELETE', ...what }).catch((error: unknown) => {
      if (!isMissing(error)) throw toStorageError(error)
    })
  }

  async function size(key: string): Promise<number | undefined> {
    try {
      const { headers } = await s3.call({ method: 'HEAD', key })
      return Number(headers['content-length'])
    } catch (error) {
      if (isMissing(error)) return undefined
      throw toStorageError(error)
    }
  }

  const check = (attempts?: number) =>
    s3.call({ method: 'PUT', key: `${config.prefix}check`, body: Buffer.alloc(0), ...(attempts && { attempts }) })

  await prepareBucket(s3, config, log, () => check(1))
  return {
    create: (id) => createS3Object(s3, keyOf(id), memory),
    open: (id) => openS3Object(s3, keyOf(id)),
    size: async (id) => size(keyOf(id)),
    remove: async (id) => remove({ key: keyOf(id) }),
    hasRoomFor: async () => true,
    list: () => list().catch(orStorageError),
    partials: () => partials().catch(orStorageError),
    async check() {
      await check().catch(orStorageError)
    },
  }
}
