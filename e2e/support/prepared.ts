import { cp, rm } from 'node:fs/promises'
import { createClient, createMemoryDevice, createNodeConnection } from '@privity/client'
import { amara, helen, type Person } from './people.ts'
import { startServer } from './server.ts'

const variable = 'PREPARED_DATA_DIR'

/** A data folder in which Amara and Helen have accounts and are connected; made once for a whole run. */
export function preparedDataDir(): string {
  const dir = process.env[variable]
  if (!dir) throw new Error('The prepared data folder is missing: global set-up has not run.')
  return dir
}

/** Signs both up and connects them through the client that a browser uses too; answers what removes the folder. */
export async function prepare(): Promise<() => Promise<void>> {
  const server = await startServer({})
  const enter = async (person: Person) => {
    const client = createClient({ origin: server.origin, device: createMemoryDevice(), ...createNodeConnection() })
    return { client, user: (await client.account.signUp(person)).user }
  }
  // One after the other: the first account administers.
  const first = await enter(amara)
  const second = await enter(helen)
  await first.client.connections.create(second.user.connectionCode)
  for (const { client } of [first, second]) {
    await client.account.signOut()
    client.close()
  }
  const dir = `${server.dataDir}-prepared`
  await server.stop(async (dataDir) => cp(dataDir, dir, { recursive: true }))
  process.env[variable] = dir
  return () => rm(dir, { recursive: true, force: true })
}
