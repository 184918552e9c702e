import { startPostgres } from './cluster/postgres.mjs'
import { startS3 } from './cluster/s3.mjs'
import { runMain } from './project.mjs'
import { playwright, runSteps, vitest } from './steps.mjs'
import { buildWebClient } from './webClient.mjs'

/** Takes private servers away when the task is done, or this process is told to end. */
async function withServers(servers, task) {
  const stopAll = () => Promise.all(servers.map((server) => server.stop()))
  const end = () => void stopAll().finally(() => process.exit(1))
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    await task(...servers)
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    await stopAll()
  }
}

/** On a private PostgreSQL that skips the disk: what it takes to keep its promises there has tests of its own. */
async function withPostgres(task) {
  await withServers([await startPostgres({ durable: false })], ({ url }) => task(url))
}

/** Beside it an object store that holds the files. */
async function withPostgresAndS3(task) {
  const s3 = await startS3()
  const env = {
    TEST_S3_ENDPOINT: s3.endpoint,
    TEST_S3_BUCKET: s3.bucket,
    TEST_S3_REGION: s3.region,
    TEST_S3_ACCESS_KEY_ID: s3.accessKeyId,
    TEST_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
  await withServers([s3], () => withPostgres((url) => task(url, env)))
}

/** Of the server's tests, those of the features that keep files. Those of retention look for bytes on the disk. */
const ofFiles = [
  'uploads',
  'downloads',
  'downloadEnds',
  'authorizations',
  'litter',
  'registering',
  'accountDeletion.test',
  'policyRaces',
  'slowBodies',
]

/** What reaches the server's storage; drawing is the same on every database. */
const journeysOfStorage = [
  'access',
  'conversation',
  'documents',
  'expiry',
  'fileAccess',
  'files',
  'recovery',
  'secondFactor',
  'transfers',
  'trust',
].map((name) => `/${name}.spec.ts`)

const steps = {
  server: () => withPostgres((url) => vitest('server', ['--project', 'server'], { TEST_DATABASE_URL: url })),
  cluster: () => vitest('cluster', ['--config', 'vitest.cluster.config.ts']),
  files: () =>
    withPostgresAndS3((url, env) =>
      vitest('files', ['--project', 'server', ...ofFiles.map((name) => `test/${name}`)], {
        TEST_DATABASE_URL: url,
        ...env,
      }),
    ),
  build: buildWebClient,
  journeys: () =>
    withPostgresAndS3((url, env) => playwright('journeys', journeysOfStorage, { JOURNEY_DATABASE_URL: url, ...env })),
}

/** `npm run test:cluster` runs every step; `npm run test:cluster -- server` only that. */
await runMain(() => runSteps(steps, process.argv.slice(2)))
