import { vi } from 'vitest'
import type { Connection } from '@privity/contract/connections'
import type { User } from '@privity/contract/session'
import {
  createTestServer,
  type TestServer,
  type TestServerOptions,
} from '../../../server/test/support/server/testServer.ts'
import {
  type Client,
  type ClientEvents,
  type Clock,
  createClient,
  createMemoryDevice,
  type Device,
  type FileCrypto,
  type Store,
} from '../../src/index.ts'
import { deriveQuickly } from './derivation.ts'
import { createDeviceClock, type DeviceClock } from './deviceClock.ts'
import { createNetwork, type Network } from './network.ts'

/** One browser tab: the real client, with what stands between it and the server in the test's hands. */
export interface Tab {
  client: Client
  device: Device
  network: Network
}

export interface Person extends Tab {
  user: User
  username: string
  password: string
  recoveryKey: string
}

interface TabOptions {
  /** Milliseconds by which the device's clock is ahead. */
  ahead?: number
  clock?: Clock
  /** Versions of Argon2id's cost, newest first. */
  passwordVersions?: readonly [number, ...number[]]
}

export interface Stage extends AsyncDisposable {
  server: TestServer
  /** A tab nobody is signed in with. A `device` of another tab makes them tabs of one browser, with its cookies. */
  tab(like?: Tab, options?: TabOptions): Tab
  signUp(name: string): Promise<Person>
  /** The same person in another browser. */
  signIn(person: Person): Promise<Person>
  connect(one: Person, other: Person): Promise<Connection>
  /** Two connected people whose sockets are open. */
  pair(): Promise<{ anna: Person; ben: Person; connectionId: string }>
  /** Moves time for the server and every client, like a machine that slept. */
  advance(milliseconds: number): Promise<void>
}

/** Real passwords, servers and sockets on a machine that may be busy. */
vi.setConfig({ testTimeout: 30_000 })

const origin = 'http://privity.test'

export interface StageOptions extends TestServerOptions {
  /** Argon2id as in production. */
  slowPasswords?: boolean
  /** Draws pictures small, as a browser does. */
  createThumbnail?: FileCrypto['createThumbnail']
}

export async function createStage(options: StageOptions = {}): Promise<Stage> {
  const server = await createTestServer(options)
  const clients = new Set<Client>()
  const clock: DeviceClock = createDeviceClock(() => server.clock.even())
  let people = 0

  function tab(like?: Tab, { ahead = 0, clock: given = clock, passwordVersions }: TabOptions = {}): Tab {
    const network = createNetwork(origin, () => server.url, like?.network, !server.core.config.loopback)
    const device = like?.device ?? createMemoryDevice()
    const { fetch, openSocket } = network
    const derive = options.slowPasswords ? {} : { deriveMasterKey: deriveQuickly }
    const { createThumbnail } = options
    const client = createClient({
      origin,
      ...(createThumbnail && { fileCrypto: { createThumbnail } }),
      device,
      fetch,
      openSocket,
      clock: ahead === 0 ? given : { ...given, now: () => given.now() + ahead },
      ...derive,
      ...(passwordVersions && { passwordVersions }),
    })
    clients.add(client)
    return { client, device, network }
  }

  const stage: Stage = {
    server,
    tab,
    async signUp(name) {
      people += 1
      const username = `${name}${people}`
      const password = `the password of ${username}`
      const made = tab()
      const email = `${username}@example.com`
      const given = { username, password, email, firstName: name, lastName: 'Example' }
      const { user, recoveryKey } = await made.client.account.signUp(given)
      return { ...made, user, username, password, recoveryKey }
    },
    async signIn(person) {
      const made = tab()
      await made.client.account.signIn(person)
      return { ...person, ...made }
    },
    connect: (one, other) => one.client.connections.create(other.user.connectionCode),
    async pair() {
      const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
      const { id: connectionId } = await stage.connect(anna, ben)
      await Promise.all([connected(anna), connected(ben)])
      return { anna, ben, connectionId }
    },
    async advance(milliseconds) {
      // Lets pending work set its timers by the time before.
      await new Promise((resolve) => setImmediate(resolve))
      await server.advance(milliseconds)
      clock.wake()
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.close()
      await server.close()
    },
  }
  return stage
}

/** Answers in a new browser the question about each contact whom it meets for the first time. */
export async function meetContacts({ client }: Tab): Promise<void> {
  await client.connections.list()
  for (const connectionId of (await client.trust.states()).keys()) await client.trust.confirm(connectionId)
}

/** The next event of this kind. */
export function next<K extends keyof ClientEvents>({ client }: Pick<Tab, 'client'>, type: K): Promise<ClientEvents[K]> {
  return new Promise((resolve) => {
    const off = client.on(type, (event) => {
      off()
      resolve(event)
    })
  })
}

/** Every event of this kind from now on, in the order they come. */
export function collect<K extends keyof ClientEvents>({ client }: Tab, type: K): ClientEvents[K][] {
  const events: ClientEvents[K][] = []
  client.on(type, (event) => void events.push(event))
  return events
}

/** Resolves once the store's value passes. */
export function reaches<T>(store: Store<T>, passes: (value: T) => boolean): Promise<T> {
  return new Promise((resolve) => {
    let off = () => {}
    const look = () => {
      const value = store.get()
      if (!passes(value)) return false
      off()
      resolve(value)
      return true
    }
    if (!look()) off = store.subscribe(look)
  })
}

export const connected = ({ client }: Tab) => reaches(client.live, (state) => state === 'connected')
/** Lets time go on, while there is nothing to wait for on the wire, until the socket is open. */
export async function reconnected(stage: Stage, { client }: Tab): Promise<void> {
  for (;;) {
    const state = client.live.get()
    if (state === 'connected') return
    if (state === 'connecting') await reaches(client.live, (next) => next !== 'connecting')
    else await stage.advance(1_000)
  }
}

export const sentAll = ({ client }: Tab) => reaches(client.outbox, (items) => items.length === 0)

/** Returns the messages of a conversation, oldest first: the text, the file's name, or the reason. */
export async function texts({ client }: Tab, connectionId: string): Promise<string[]> {
  return (await client.messages.list(connectionId)).map(textOf)
}

export function textOf({ body }: Pick<ClientEvents['message'], 'body'>): string {
  if (body.kind === 'text') return body.text
  if (body.kind === 'deleted') return 'deleted'
  return body.kind === 'file' ? body.name : body.reason.sentence
}
