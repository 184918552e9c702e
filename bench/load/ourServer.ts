import type { AddressInfo } from 'node:net'
import { createApp } from '../../packages/server/src/app.ts'
import { loadConfig } from '../../packages/server/src/core/config/config.ts'

/**
 * The real server as main.ts runs it, but without rate limits: here, one address sends as much as thousands of people.
 * Argument: the data folder; database and bus are configured as for main.ts. Prints its port.
 */
const [folder] = process.argv.slice(2) as [string]
const { DATABASE_URL, VALKEY_URL, SERVER_SECRET } = process.env
const unlimited = { requests: 1e9, window: 1e9 }
const { app, close } = await createApp(
  loadConfig({ DATA_DIR: folder, DATABASE_URL, VALKEY_URL, SERVER_SECRET, LOG_LEVEL: 'warn', DEMO: '0' }),
  { rateLimits: { signIn: unlimited, signUp: unlimited, send: unlimited, other: unlimited, upload: unlimited } },
)
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(JSON.stringify({ port: (app.server.address() as AddressInfo).port }))
process.once('SIGTERM', () => void close().then(() => process.exit(0)))
