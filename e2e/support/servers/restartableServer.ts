import { test as base } from '../members/pair.ts'
import { preparedDataDir } from './prepared.ts'
import { type ServerProcess, startServer } from './server.ts'

/** The same pair with a server in a process of its own, started as in production, which can be killed. */
export const test = base.extend<{ server: ServerProcess }>({
  server: async ({ serverEnv, prepared }, use, info) => {
    const server = await startServer(serverEnv, prepared && preparedDataDir(prepared))
    await use(server)
    await server.stop()
    if (info.status !== info.expectedStatus) await info.attach('server log', { body: server.log() })
  },
})
