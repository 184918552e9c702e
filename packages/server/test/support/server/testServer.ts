import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { connections, type Connection } from '@privity/contract/connections'
import type { NewKeys } from '@privity/contract/keys'
import { session, type User } from '@privity/contract/session'
import { type App, createApp, type Options } from '../../../src/app.ts'
import { loadConfig } from '../../../src/core/config/config.ts'
import type { Core } from '../../../src/core/core.ts'
import { createFakeClock, type FakeClock } from './fakeClock.ts'
import { databaseEnv, dropDatabaseOf, onPostgres } from '../database/testDatabase.ts'
import { type Caller, createCaller, nextAddress } from './caller.ts'
import { acceptFirstPassword, deriveQuickly } from './founderPassword.ts'
import { untilIdle, watchQuestions } from './pendingQueries.ts'
import { makeKeys } from './memberKeys.ts'
import { placeMigrated } from '../database/migratedFile.ts'
import { s3Env } from './s3Env.ts'
import { connectSocket, type TestSocket } from './testSocket.ts'

export interface Member extends Caller {
  user: User
  password: string
  /** Undefined for a plain client without keys. */
  keys: NewKeys | undefined
  /** Opens an authenticated socket of this member; resolves once the contacts have been notified. */
  socket(): Promise<TestSocket>
}

export interface TestServer {
  readonly url: string
  readonly core: Core
  readonly app: App
  readonly clock: FakeClock
  readonly dataDir: string
  /** FOUNDER_PASSWORD, or the password generated at the first start. */
  readonly founderPassword: string
  /** A browser in which nobody is signed in. */
  visitor(address?: string): Caller
  /** Creates a member, by default with well-formed random keys. */
  signUp(
    username?: string,
    options?: { keys?: boolean; address?: string; recoveryKeyUnsaved?: boolean },
  ): Promise<Member>
  /** Connects two members by code. */
  connect(one: Member, other: Member): Promise<Connection>
  /** Advances the clock, and waits until due jobs have finished and open sockets have passed their heartbeat. */
  advance(milliseconds: number): Promise<void>
  /** Starts the server again after `app.close()`. */
  start(): Promise<void>
  /** Restarts the server on the same data folder; cookies stay valid, the address changes. */
  restart(): Promise<void>
  close(): Promise<void>
}

export interface TestServerOptions {
  env?: Record<string, string>
  options?: Omit<Options, 'clock'>
  /** The folder of the built web client. */
  webDir?: string
  /** Existing data folder to use; it is not removed at close. */
  dataDir?: string
  /** Leaves the founder's first password in force, which must be replaced. */
  isFounderNew?: boolean
  /** Shared clock, for servers on the same database. */
  clock?: FakeClock
}

/**
 * The real server on a free port with its own data folder and clock. `await using` or `close()` stops it and removes
 * the folder.
 */
export async function createTestServer({
  env = {},
  options = {},
  webDir,
  dataDir,
  isFounderNew = false,
  clock = createFakeClock(),
}: TestServerOptions = {}): Promise<TestServer & AsyncDisposable> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'privity-test-')))
  if (dataDir === undefined && options.migrations === undefined && !onPostgres) await placeMigrated(folder)
  const database = await databaseEnv(folder)
  const loaded = loadConfig({
    PORT: '0',
    LOG_LEVEL: 'silent',
    TRUST_PROXY: '1',
    DATA_DIR: folder,
    ...database,
    ...s3Env(basename(folder)),
    ...env,
  })
  const config = webDir === undefined ? loaded : { ...loaded, webDir }
  let app: App
  let url: string
  let members = 0
  let founderPassword = config.founder.password
  const sockets = new Set<TestSocket>()

  async function start(): Promise<void> {
    const quick: Options = { passwordCost: { memory: 8, passes: 1 }, deriveFounderSecret: deriveQuickly }
    app = await createApp(config, { ...quick, ...options, clock })
    founderPassword ??= app.firstStart.founderPassword
    if (app.firstStart.founderPassword !== undefined && !isFounderNew) await acceptFirstPassword(app.core)
    await app.app.listen({ port: 0, host: config.host })
    app.printed()
    await app.settled()
    url = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`
    if (onPostgres) watchQuestions(url, app.core.db)
  }

  async function close(): Promise<void> {
    await app.close()
    if (dataDir !== undefined) return
    await rm(folder, { recursive: true, force: true })
    await dropDatabaseOf(folder)
  }

  const isBehindProxy = !config.loopback
  const visitor = (address?: string) => createCaller(() => url, address ?? (isBehindProxy ? nextAddress() : undefined))

  await start()
  return {
    get url() {
      return url
    },
    get core() {
      return app.core
    },
    get app() {
      return app
    },
    clock,
    dataDir: folder,
    get founderPassword() {
      if (founderPassword === undefined)
        throw new Error('Give this server a FOUNDER_PASSWORD: it had its first start before.')
      return founderPassword
    },
    visitor,
    async signUp(username, { keys: withKeys = true, address, recoveryKeyUnsaved } = {}) {
      members += 1
      const name = username ?? `member${members}`
      const caller = visitor(address)
      const password = `password of ${name}`
      const keys = withKeys ? makeKeys(clock.now()) : undefined
      const body = { username: name, password, firstName: `First ${name}`, lastName: `Last ${name}`, keys }
      const { session: _session, ...user } = await caller.call(session.register, {
        body: { ...body, email: `${name}@example.com`, recoveryKeyUnsaved },
      })
      const socket = async () => {
        const connected = await connectSocket(url, caller, user.id)
        // Wait for the notices to the contacts, so that a socket that opens next does not receive them by chance.
        await untilIdle(url)
        sockets.add(connected)
        void connected.closed.then(() => sockets.delete(connected))
        return connected
      }
      return { ...caller, user, password, keys, socket }
    },
    connect: (one, other) => one.call(connections.create, { body: { connectionCode: other.user.connectionCode } }),
    async advance(milliseconds) {
      clock.advance(milliseconds)
      await app.settled()
      await Promise.all([...sockets].map((socket) => socket.settled()))
    },
    start,
    async restart() {
      await app.close()
      await start()
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
