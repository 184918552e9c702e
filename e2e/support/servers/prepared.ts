import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, createMemoryDevice } from '@privity/client'
import type { Page } from '@playwright/test'
import { amara, helen, type Person } from '../members/people.ts'
import { createDatabase, dropDatabase, onPostgres } from './postgres.ts'
import { startServer } from './server.ts'
import { createConnection, readSignedIn, type SignedIn, takeOver } from '../members/signedInState.ts'

/** State of Amara and Helen when a journey begins: they have accounts, or are connected, too. Created once per run. */
export type Prepared = 'accounts' | 'connected'

const variable = 'PREPARED_FOLDER'

function preparedFolder(): string {
  const folder = process.env[variable]
  if (!folder) throw new Error('What journeys begin with is missing: global set-up has not run.')
  return folder
}

export const preparedDataDir = (prepared: Prepared) => join(preparedFolder(), prepared)
const browsersFile = (folder: string) => join(folder, 'browsers.json')

type PreparedBrowser = SignedIn & { recoveryKey: string }

/**
 * Opens the dashboard of one of them in a browser where they have signed up; resolves with the recovery key, like
 * signUp.
 */
export async function enterPrepared(page: Page, origin: string, { username }: Person): Promise<string> {
  const browsers = JSON.parse(await readFile(browsersFile(preparedFolder()), 'utf8')) as Record<string, PreparedBrowser>
  const browser = browsers[username]
  if (!browser) throw new Error(`${username} is not prepared.`)
  await takeOver(page, origin, browser)
  return browser.recoveryKey
}

async function keep(dataDir: string, prepared: Prepared): Promise<void> {
  await cp(dataDir, preparedDataDir(prepared), { recursive: true })
  if (onPostgres) await createDatabase(preparedDataDir(prepared), dataDir)
}

/**
 * Signs both up and connects them, through the client that a browser uses, too; resolves with the function that removes
 * the folder.
 */
export async function prepare(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-prepared-'))
  process.env[variable] = folder
  const server = await startServer({})
  const signUp = async (person: Person) => {
    const device = createMemoryDevice()
    const { cookies, ...connection } = createConnection()
    const client = createClient({ origin: server.origin, device, ...connection })
    const { user, recoveryKey } = await client.account.signUp(person)
    return { client, user, browser: async () => ({ ...(await readSignedIn(device, cookies())), recoveryKey }) }
  }
  // In sequence: the first account becomes the administrator.
  const first = await signUp(amara)
  const second = await signUp(helen)
  await server.pause((dataDir) => keep(dataDir, 'accounts'))
  await first.client.connections.create(second.user.connectionCode)
  const browsers: Record<string, PreparedBrowser> = {}
  for (const { client, user, browser } of [first, second]) {
    browsers[user.username] = await browser()
    client.close()
  }
  await server.stop((dataDir) => keep(dataDir, 'connected'))
  await writeFile(browsersFile(folder), JSON.stringify(browsers), { mode: 0o600 })
  return async () => {
    for (const prepared of onPostgres ? (['accounts', 'connected'] as const) : [])
      await dropDatabase(preparedDataDir(prepared))
    await rm(folder, { recursive: true, force: true })
  }
}
