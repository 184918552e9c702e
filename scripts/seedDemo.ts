/**
 * Creates and connects the two demo accounts of a server with DEMO on, through the client that a browser uses: node
 * scripts/seedDemo.ts ADDRESS ACCOUNTS (the JSON that the server reports when it has started). Existing accounts and
 * connections stay as they are.
 */
import { type Client, CallError, createClient, createMemoryDevice, createNodeConnection } from '@privity/client'
import type { User } from '@privity/contract/session'

interface Credentials {
  username: string
  password: string
}

interface Account extends Credentials {
  firstName: string
  lastName: string
}

const [, , origin, accounts] = process.argv
if (!origin || !accounts) throw new Error('Give the address of the server, and the accounts.')
const demo = JSON.parse(accounts) as Credentials & { other: Credentials }

const newClient = (): Client => createClient({ origin, device: createMemoryDevice(), ...createNodeConnection() })

const hasCode = (error: unknown, code: string) => error instanceof CallError && error.code === code

/** Signs the account in or creates it. Undefined if it has a second factor, which this script cannot provide. */
async function signInOrUp(client: Client, account: Account): Promise<User | undefined> {
  const email = `${account.username}@example.com`
  try {
    return (await client.account.signUp({ ...account, email })).user
  } catch (error) {
    if (!hasCode(error, 'USERNAME_TAKEN')) throw error
    const result = await client.account.signIn(account)
    return result.status === 'open' ? result.user : undefined
  }
}

/** As by each other's link, so that no browser that signs in later has to ask who the contact is. */
async function connect(one: Client, other: Client, code: string): Promise<void> {
  try {
    const { id } = await one.connections.create(code, await other.trust.ownFingerprint())
    await other.trust.confirmByLink(id, await one.trust.ownFingerprint())
  } catch (error) {
    if (!hasCode(error, 'ALREADY_CONNECTED')) throw error
  }
}

const [first, second] = [newClient(), newClient()]
try {
  // In sequence: on a fresh server, the first account becomes the administrator.
  const one = await signInOrUp(first, { ...demo, firstName: 'Demo', lastName: 'Osei' })
  const other = await signInOrUp(second, { ...demo.other, firstName: 'Demo', lastName: 'Whitford' })
  if (one && other) await connect(first, second, other.connectionCode)
  await Promise.all([one && first.account.signOut(), other && second.account.signOut()])
} finally {
  first.close()
  second.close()
}
