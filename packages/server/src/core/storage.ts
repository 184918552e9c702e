import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import { openFolderStorage } from './folderStorage.ts'

/** The ciphertext of files, by id. Ids are UUIDs: they become names of files or of objects. */
export interface Storage {
  /** Durable and visible under its id when the stream has finished; destroyed, it leaves nothing. */
  create(id: string): Writable
  open(id: string): Readable
  /** Bytes, or undefined if there is no such object. */
  size(id: string): Promise<number | undefined>
  /** Fine when it is gone already. */
  remove(id: string): Promise<void>
  /** Whether so many bytes can come in and leave the database, where it shares their disk, room to go on. */
  hasRoomFor(bytes: number): Promise<boolean>
  /** Every stored object, for finding ones that nothing refers to. */
  list(): Promise<{ id: string; modifiedAt: number }[]>
  /** What is being written, and what a killed process left half-written: `remove` destroys that. */
  partials(): Promise<HalfWritten[]>
  /** Throws when the store cannot be written to. */
  check(): Promise<void>
}

export interface HalfWritten {
  id: string
  remove(): Promise<void>
}

/** In the S3 bucket that the configuration names, otherwise in the data folder. */
export async function openStorage({ dataDir, s3 }: Config, log: FastifyBaseLogger): Promise<Storage> {
  if (s3 === undefined) return openFolderStorage(join(dataDir, 'objects'))
  // Only where it is wanted, as the client of PostgreSQL.
  const { openS3Storage } = await import('./s3Storage.ts')
  return openS3Storage(s3, log)
}
