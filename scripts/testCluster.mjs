import { startPostgres } from './cluster/postgres.mjs'
import { runMain } from './project.mjs'
import { runSteps, vitest } from './steps.mjs'

/** On a private PostgreSQL that skips the disk: what it takes to keep its promises there has tests of its own. */
async function withPostgres(task) {
  const server = await startPostgres({ durable: false })
  const stop = () => void server.stop().finally(() => process.exit(1))
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  try {
    await task(server.url)
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
    await server.stop()
  }
}

const steps = {
  server: () => withPostgres((url) => vitest('server', ['--root', 'packages/server'], { TEST_DATABASE_URL: url })),
  cluster: () => vitest('cluster', ['--config', 'vitest.cluster.config.ts']),
}

/** `npm run test:cluster` runs every step; `npm run test:cluster -- server` only that. */
await runMain(() => runSteps(steps, process.argv.slice(2)))
