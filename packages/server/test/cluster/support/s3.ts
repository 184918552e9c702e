import { afterAll, beforeAll } from 'vitest'

/** A private object store, see scripts/cluster/s3.mjs. */
interface S3Server {
  endpoint: string
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  stop(): Promise<void>
}

const script = new URL('../../../../../scripts/cluster/s3.mjs', import.meta.url).href

/** Starts one for all tests of a file, and sets TEST_S3_* while they run. */
export function useS3(): void {
  let server: S3Server
  beforeAll(async () => {
    const { startS3 } = (await import(script)) as { startS3(): Promise<S3Server> }
    server = await startS3()
    Object.assign(process.env, {
      TEST_S3_ENDPOINT: server.endpoint,
      TEST_S3_BUCKET: server.bucket,
      TEST_S3_REGION: server.region,
      TEST_S3_ACCESS_KEY_ID: server.accessKeyId,
      TEST_S3_SECRET_ACCESS_KEY: server.secretAccessKey,
    })
  })
  afterAll(async () => {
    for (const name of Object.keys(process.env)) if (name.startsWith('TEST_S3_')) delete process.env[name]
    await server.stop()
  })
}
