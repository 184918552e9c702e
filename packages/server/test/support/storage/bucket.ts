import { randomUUID } from 'node:crypto'
import { loadConfig } from '../../../src/core/config/config.ts'
import type { S3Config } from '../../../src/core/config/types.ts'
import type { S3Timing } from '../../../src/core/storage/s3/client.ts'
import { openS3Storage } from '../../../src/core/storage/s3/storage.ts'
import { createLines } from '../founder/alerts.ts'
import { s3Env } from '../server/s3Env.ts'

/** Configuration for the bucket of TEST_S3_*, with a unique prefix. */
export function ownS3Config(): S3Config {
  const config = loadConfig(s3Env(randomUUID())).s3
  if (config === undefined)
    throw new Error('TEST_S3_* name no bucket: these tests are started by npm run test:cluster.')
  return config
}

/** Opens a storage with a unique prefix in that bucket; its objects are deleted with the private object store. */
export async function openOwnS3(more: Partial<S3Config> = {}, timing?: S3Timing) {
  const { log, lines } = createLines()
  const config = { ...ownS3Config(), ...more }
  return { storage: await openS3Storage(config, log, timing), config, lines, close: async () => {} }
}
