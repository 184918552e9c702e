import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChromium } from './chromium.mjs'
import { findCaddy } from './cluster/caddy.mjs'
import { findPostgres, startPostgres } from './cluster/postgres.mjs'
import { findPromtool } from './cluster/prometheus.mjs'
import { findRedis } from './cluster/redis.mjs'
import { findSwift, startS3 } from './cluster/s3.mjs'
import { otherJourneys, storageJourneys } from './journeys.mjs'
import { Refusal, runMain } from './project.mjs'
import { runPlaywright, runSteps, runVitest } from './steps.mjs'
import { buildWebClient } from './webClient.mjs'

let isInterrupted = false

/** Stops a private server when the task is done. An interrupt ends the task (child.mjs), and thereby the server. */
async function withServer(server, task) {
  try {
    if (isInterrupted) throw new Refusal('Interrupted.')
    await task(server)
  } finally {
    await server.stop()
  }
}

/** A private PostgreSQL without fsync: the cluster tests cover durability. */
async function withPostgres(task) {
  await withServer(await startPostgres({ durable: false }), ({ url }) => task(url))
}

/** Adds an object store for the files. */
async function withPostgresAndS3(task) {
  const s3 = await startS3()
  const env = {
    TEST_S3_ENDPOINT: s3.endpoint,
    TEST_S3_BUCKET: s3.bucket,
    TEST_S3_REGION: s3.region,
    TEST_S3_ACCESS_KEY_ID: s3.accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
  await withServer(s3, () => withPostgres((url) => task(url, env)))
}

/**
 * Server tests of the features that store files. Tests of retention are excluded because they look for bytes on the
 * disk.
 */
const fileTests = [
  'features/files/uploads',
  'features/files/accountQuota',
  'features/files/downloads',
  'features/files/transferAborts',
  'features/files/authorizations',
  'features/files/staleUploads',
  'features/files/registration',
  'features/account/deletion.test',
  'features/organization/policyRaces',
  'core/http/bodyTimeouts',
]

/** Runs first, so that a missing program is reported before any test runs. */
async function findPrograms() {
  for (const find of [findPostgres, findRedis, findSwift, findCaddy, findPromtool, findChromium]) await find()
}

const steps = {
  programs: findPrograms,
  server: () => withPostgres((url) => runVitest('server', ['--project', 'server'], { TEST_DATABASE_URL: url })),
  cluster: () => runVitest('cluster', ['--config', 'vitest.cluster.config.ts']),
  files: () =>
    withPostgresAndS3((url, env) =>
      runVitest('files', ['--project', 'server', ...fileTests.map((name) => `test/${name}`)], {
        TEST_DATABASE_URL: url,
        ...env,
      }),
    ),
  build: buildWebClient,
  journeys: () =>
    withPostgresAndS3((url, env) => runPlaywright('journeys', storageJourneys, { JOURNEY_DATABASE_URL: url, ...env })),
  others: () => runPlaywright('others', otherJourneys),
}

/**
 * Puts all files of tests and private servers into one temporary folder and deletes it when they have ended, even after
 * a failure.
 */
async function inOwnFolder(task) {
  const folder = await mkdtemp(join(tmpdir(), 'privity-cluster-'))
  // PostgreSQL and Swift run as other users.
  await chmod(folder, 0o1777)
  process.env.TMPDIR = folder
  try {
    return await task()
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10 })
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => (isInterrupted = true))

/** `npm run test:cluster` runs every step; `npm run test:cluster -- server` only that. */
await runMain(() => inOwnFolder(() => runSteps(steps, process.argv.slice(2))))
