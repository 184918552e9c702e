import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Cluster, startCluster } from '../../../server/test/cluster/support/cluster.ts'
import { createLine, type Line } from '../../../server/test/cluster/support/line.ts'
import { type Client, createClient, createMemoryDevice, createNodeConnection } from '../../src/index.ts'
import { deriveQuickly } from '../support/derivation.ts'

let cluster: Cluster
const lines: Line[] = []
const clients: Client[] = []
beforeAll(async () => {
  cluster = await startCluster()
})
afterAll(async () => {
  for (const client of clients) client.close()
  for (const line of lines) await line.close()
  await cluster.close()
})

const soon = { timeout: 30_000, interval: 50 }

interface Person {
  client: Client
  /** Which process new connections of this browser lead to. */
  home: number
  texts: string[]
  /** The connection code. */
  code: string
}

/** The real client; its balancer prefers one process, and takes another that is up where that one is not. */
async function signUp(name: string, home: number): Promise<Person> {
  const person: Pick<Person, 'home' | 'texts'> = { home, texts: [] }
  const line = await createLine(() => {
    const { nodes } = cluster
    const node = [0, 1, 2].map((n) => nodes[(person.home + n) % 3]).find((each) => each?.isUp() === true)
    return node && Number(new URL(node.url).port)
  })
  lines.push(line)
  const client = createClient({
    origin: `http://127.0.0.1:${line.port}`,
    device: createMemoryDevice(),
    ...createNodeConnection(),
    deriveMasterKey: deriveQuickly,
  })
  clients.push(client)
  client.on('message', ({ body }) => {
    if (body.kind === 'text') person.texts.push(body.text)
  })
  const password = `the password of ${name}`
  const given = { username: name, password, email: `${name}@example.com`, firstName: name, lastName: 'X' }
  const { user } = await client.account.signUp(given)
  await vi.waitFor(() => expect(client.live.get()).toBe('connected'), soon)
  return Object.assign(person, { client, code: user.connectionCode })
}

async function pair(one: Person, other: Person): Promise<string> {
  const { id } = await one.client.connections.create(other.code)
  return id
}

test('a browser whose process is killed continues at another one and misses nothing', async () => {
  const [anna, ben] = [await signUp('anna', 0), await signUp('ben', 1)]
  const connectionId = await pair(anna, ben)
  await anna.client.messages.send(connectionId, 'First')
  await vi.waitFor(() => expect(ben.texts).toContain('First'), soon)

  await cluster.nodes[1].stop('SIGKILL')
  await vi.waitFor(() => expect(ben.client.live.get()).not.toBe('connected'), soon)
  await anna.client.messages.send(connectionId, 'While you were away')
  await ben.client.messages.send(connectionId, 'From elsewhere')
  await vi.waitFor(() => expect(ben.client.live.get()).toBe('connected'), soon)
  await vi.waitFor(() => expect(anna.texts).toContain('From elsewhere'), soon)
  await anna.client.messages.send(connectionId, 'Live again')
  await vi.waitFor(() => expect(ben.texts).toContain('Live again'), soon)
  const both = await Promise.all([anna, ben].map(({ client }) => client.messages.list(connectionId)))
  for (const listed of both)
    expect(listed.map(({ body }) => body.kind === 'text' && body.text)).toEqual([
      'First',
      'While you were away',
      'From elsewhere',
      'Live again',
    ])
  await cluster.nodes[1].start()
})
