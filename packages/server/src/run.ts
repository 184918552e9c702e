import { type AddressInfo, isIPv6 } from 'node:net'
import { createApp } from './app.ts'
import { loadConfig } from './core/config/config.ts'
import type { Config } from './core/config/types.ts'
import { demoAccounts } from './features/config/config.ts'
import type { StartFacts } from './startFacts.ts'

export interface Running {
  facts: StartFacts
  /** Call it once the facts are printed. */
  printed(): void
  /** Serves on until a load balancer has noticed the stop. */
  drain(): Promise<void>
  /** How long (ms) work under way may take after draining. */
  drainTime: number
  /** Finishes work under way, then stops. */
  close(): Promise<void>
  /** Closes the connections that are still open. */
  cutOff(): void
}

function urlOf({ publicUrl, tls, host }: Config, port: number): string {
  if (publicUrl !== undefined) return publicUrl
  const local = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)
  const name = local ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  return `${tls === undefined ? 'http' : 'https'}://${name}:${port}`
}

function createListenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: 'another program is using that port. Stop it, or set PORT to another number.',
    EACCES: 'this user may not use that port. Set PORT to a number above 1023.',
    EADDRNOTAVAIL: 'this machine does not have that address. Set HOST to one it has.',
  }
  const reason = reasons[error.code ?? '']
  if (reason === undefined) return error
  return Object.assign(new Error(`Cannot listen on ${host}:${port}: ${reason}`), { name: 'CannotListen' })
}

/** Returns the warnings about the configuration, to be logged at the start. */
export async function warningsOf({ warnings, postgres }: Config): Promise<readonly string[]> {
  if (postgres === undefined) return warnings
  const { isUnencrypted, isUnverified } = await import('./core/database/postgres/connect.ts')
  const risk = 'the network on the way can read and alter rows'
  if (isUnencrypted(postgres.url))
    return [...warnings, `DATABASE_URL asks for no TLS: ${risk}. Add ?sslmode=verify-full.`]
  if (isUnverified(postgres.url))
    return [...warnings, `DATABASE_URL checks no certificate: ${risk}. Set sslmode=verify-full.`]
  return warnings
}

/** Starts the server and listens. */
export async function run(env: Record<string, string | undefined>): Promise<Running> {
  const config = loadConfig(env)
  const server = await createApp(config)
  for (const warning of await warningsOf(config)) server.core.log.warn(warning)
  try {
    await server.app.listen({
      host: config.host,
      port: config.port,
      backlog: 4096,
      listenTextResolver: (address) => `listening on ${address.replace(/^\w+:\/\//, '')}`,
    })
  } catch (error) {
    await server.close()
    throw createListenError(error as NodeJS.ErrnoException, config)
  }
  const { port } = server.app.server.address() as AddressInfo
  return {
    facts: {
      type: 'started',
      url: urlOf(config, port),
      dataDir: config.dataDir,
      demo: config.demo ? demoAccounts : undefined,
      founder: { username: config.founder.username, password: server.firstStart.founderPassword },
      invitation: server.firstStart.invitation,
    },
    printed: server.printed,
    drain: server.drain,
    drainTime: config.operations.drain.time,
    close: server.close,
    cutOff: () => server.app.server.closeAllConnections(),
  }
}
