import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/types.ts'
import { openFolderStorage } from './folder.ts'
import type { Storage } from './types.ts'

/** Opens the S3 bucket of the configuration, otherwise the data folder. operator/objects.ts chooses for backups. */
export async function openStorage({ dataDir, s3 }: Config, log: FastifyBaseLogger): Promise<Storage> {
  if (s3 === undefined) return openFolderStorage(join(dataDir, 'objects'))
  // Loaded on demand, like the client of PostgreSQL.
  const { openS3Storage } = await import('./s3/storage.ts')
  return openS3Storage(s3, log)
}
