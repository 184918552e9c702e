import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import Fastify from 'fastify'
import type { Config } from '../core/config/types.ts'
import { syncPath } from '../core/dataFolder/dataFolder.ts'
import { loggerOptions } from '../core/log.ts'
import { openS3Storage } from '../core/storage/s3/storage.ts'
import type { Storage } from '../core/storage/types.ts'
import { copyDurably } from './backupFiles.ts'

/** The storage of encrypted files, as a backup reads it and a restore writes it. */
export interface Objects {
  /** Returns false if the file no longer exists. */
  copyOut(id: string, target: string): Promise<boolean>
  /** Resolves once the copy is durable. */
  copyIn(id: string, from: string): Promise<void>
  /** Succeeds if it is gone already. */
  remove(id: string): Promise<void>
  /** Returns the size and hash of the file, if it exists. */
  measure(id: string): Promise<{ bytes: number; sha256: string } | undefined>
}

async function measureStream(stream: AsyncIterable<Buffer>): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('base64url') }
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'

/** Accesses files of the data folder, which a running server may destroy meanwhile. */
function createFolderObjects(folder: string): Objects {
  return {
    async copyOut(id, target) {
      try {
        await copyDurably(join(folder, id), target)
        return true
      } catch (error) {
        if (isMissing(error)) return false
        throw error
      }
    },
    async copyIn(id, from) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await copyDurably(from, join(folder, id))
      await chmod(join(folder, id), 0o600)
      await syncPath(folder)
    },
    remove: (id) => rm(join(folder, id), { force: true }),
    measure: (id) =>
      measureStream(createReadStream(join(folder, id))).catch((error: unknown) => {
        if (isMissing(error)) return undefined
        throw error
      }),
  }
}

function createStorageObjects(storage: Storage): Objects {
  const exists = async (id: string) => (await storage.size(id)) !== undefined
  return {
    async copyOut(id, target) {
      try {
        await pipeline(storage.open(id), createWriteStream(target, { mode: 0o600 }))
        await syncPath(target)
        return true
      } catch (error) {
        if (await exists(id)) throw error
        return false
      }
    },
    copyIn: (id, from) => pipeline(createReadStream(from), storage.create(id)),
    remove: (id) => storage.remove(id),
    async measure(id) {
      return (await exists(id)) ? measureStream(storage.open(id)) : undefined
    },
  }
}

/** Does not open a folder as a Storage, because that removes the partial files of a running server. */
export async function openObjects(config: Config): Promise<Objects> {
  if (config.s3 === undefined) return createFolderObjects(join(config.dataDir, 'objects'))
  const { log } = Fastify({ logger: { ...loggerOptions({ logLevel: 'error' }), stream: process.stderr } })
  return createStorageObjects(await openS3Storage(config.s3, log))
}
