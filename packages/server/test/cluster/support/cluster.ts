import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connections, type Connection } from '@privity/contract/connections'
import { session } from '@privity/contract/session'
import { openDb } from '../../../src/core/database/database.ts'
import type { Db } from '../../../src/core/database/types.ts'
import type { Member } from '../../support/server/testServer.ts'
import { type Caller, createCaller, nextAddress } from '../../support/server/caller.ts'
import { makeKeys } from '../../support/server/memberKeys.ts'
import { type ServerProcess, startProcess } from '../../support/server/serverProcess.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { createLine, type Line } from './line.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { type RedisServer, startRedis } from './redis.ts'

/** One of the processes, with connections of its own to the database and to Valkey. */
export interface Node {
  readonly url: string
  readonly process: ServerProcess
  readonly toPostgres: Line
  readonly toRedis: Line
  start(): Promise<void>
  /** Resolves with the exit code. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
  isUp(): boolean
  /** Kills it and deletes its folder. */
  remove(): Promise<void>
}

export interface Cluster {
  readonly nodes: readonly [Node, Node, Node]
  readonly postgres: PostgresServer
  readonly redis: RedisServer
  /** Connection of the test to the shared database. */
  readonly db: Db
  /** URL of a balancer that passes each connection to the next running process. */
  readonly url: string
  /** Creates a member who calls through the balancer. */
  signUp(name?: string): Promise<Member>
  /** Creates a member who calls one process. */
  signUpAt(node: Node): Promise<Member>
  connect(one: Member, other: Member): Promise<Connection>
  close(): Promise<void>
}

export const secret = 'a secret that all processes of this test share'
export const founderPassword = 'the password of the founder'

/** The environment variables that all processes of a deployment share. */
export const sharedEnv = (databaseUrl: string, valkeyUrl: string) => ({
  DATABASE_URL: databaseUrl,
  DATABASE_READERS: '3',
  VALKEY_URL: valkeyUrl,
  SERVER_SECRET: secret,
  FOUNDER_PASSWORD: founderPassword,
})

let members = 0

/** The same browser, calling another process. */
export function at<T extends Caller>(caller: T, url: string | (() => string)): T {
  const other = createCaller(typeof url === 'string' ? () => url : url, caller.address)
  for (const [name, value] of caller.cookies) other.cookies.set(name, value)
  return { ...caller, ...other }
}

/** Creates a member who calls the server that `url` returns. */
export async function signUpMember(name: string | undefined, url: () => string): Promise<Member> {
  members += 1
  const username = name ?? `member${members}`
  const caller = createCaller(url, nextAddress())
  const password = `password of ${username}`
  const keys = makeKeys(Date.now())
  const body = { username, password, firstName: `First ${username}`, lastName: `Last ${username}` }
  const user = await caller.call(session.register, { body: { ...body, email: `${username}@example.com`, keys } })
  return { ...caller, user, password, keys, socket: () => connectSocket(url(), caller, user.id) }
}

export const connectMembers = (one: Member, other: Member): Promise<Connection> =>
  one.call(connections.create, { body: { connectionCode: other.user.connectionCode } })

async function createNode(postgres: PostgresServer, redis: RedisServer, more: Record<string, string>): Promise<Node> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-node-'))
  const toPostgres = await createLine(() => postgres.port)
  const toRedis = await createLine(() => redis.port)
  const databaseUrl = new URL(postgres.url)
  databaseUrl.port = String(toPostgres.port)
  const valkeyUrl = new URL(redis.url)
  valkeyUrl.port = String(toRedis.port)
  const env = {
    DATA_DIR: folder,
    ...sharedEnv(databaseUrl.href, valkeyUrl.href),
    TRUST_PROXY: '1',
    DEMO: '0',
    ...more,
  }
  let process: ServerProcess | undefined
  let url = ''

  async function stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const stopped = process
    process = undefined
    return (await stopped?.stop(signal)) ?? null
  }

  return {
    get url() {
      return url
    },
    get process() {
      if (process === undefined) throw new Error('this process was not started')
      return process
    },
    toPostgres,
    toRedis,
    async start() {
      process = await startProcess(env)
      url = process.facts.url.replace('localhost', '127.0.0.1')
    },
    stop,
    isUp: () => process !== undefined,
    async remove() {
      await stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Starts three processes that share a private PostgreSQL and Redis, behind a balancer; `envOf` returns the own
 * variables of one.
 */
export async function startCluster(envOf: (n: 0 | 1 | 2) => Record<string, string> = () => ({})): Promise<Cluster> {
  const postgres = await startPostgres()
  const redis = await startRedis({ password: 'not for the log' })
  const nodes = [
    await createNode(postgres, redis, envOf(0)),
    await createNode(postgres, redis, envOf(1)),
    await createNode(postgres, redis, envOf(2)),
  ] as const
  // Concurrently, so that they race for the first start.
  await Promise.all(nodes.map((node) => node.start()))
  let turn = 0
  const balancer = await createLine(() => {
    const up = nodes.filter((node) => node.isUp())
    turn += 1
    const next = up[turn % Math.max(1, up.length)]
    return next && Number(new URL(next.url).port)
  })
  const db = await openDb('', {
    postgres: { url: postgres.url, readers: 1 },
    onError: (error) => console.error(error),
  })
  const balanced = `http://127.0.0.1:${balancer.port}`

  return {
    nodes,
    postgres,
    redis,
    db,
    url: balanced,
    signUp: (name) => signUpMember(name, () => balanced),
    signUpAt: (node) => signUpMember(undefined, () => node.url),
    connect: connectMembers,
    async close() {
      await db.close()
      for (const node of nodes) await node.remove()
      await balancer.close()
      for (const { toPostgres, toRedis } of nodes) await Promise.all([toPostgres.close(), toRedis.close()])
      await Promise.all([postgres.stop(), redis.stop()])
    },
  }
}
