import { founderSessions } from '@privity/contract/founder/session'
import { createHash, randomBytes } from 'node:crypto'
import { reportKeys } from '@privity/contract/founder/reportKeys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deriveFounderSecret } from '../../../server/src/features/founder/session/verifier.ts'
import { createTestServer, type TestServer } from '../../../server/test/support/server/testServer.ts'
import {
  createFounderClient,
  createMemoryKeyStore,
  deriveFounderMasterKey,
  type FounderClient,
} from '../../src/founder/index.ts'
import { createNodeConnection } from '../../src/index.ts'
import { deriveFounderSignIn } from '@privity/e2ee/founder'

/** Quick instead of Argon2id; what follows it is real, on both sides. */
const deriveMasterKey = async (password: string, salt: string) =>
  new Uint8Array(createHash('sha256').update(`${salt}/${password}`).digest())
const derived = async (password: string, salt: string) =>
  (await deriveFounderSignIn(await deriveMasterKey(password, salt))).authKey
const options = { options: { deriveFounderSecret: derived } }

let server: TestServer
beforeAll(async () => {
  server = await createTestServer(options)
})
afterAll(() => server.close())

interface Browser {
  client: FounderClient
  bodies: string[]
  /** The status of each response, by its method and path. */
  statuses: string[]
  wrapKeyStore: ReturnType<typeof createMemoryKeyStore>
}

function openBrowser(at: TestServer = server, wrapKeyStore = createMemoryKeyStore()): Browser {
  const { fetch } = createNodeConnection()
  const bodies: string[] = []
  const statuses: string[] = []
  const watched: typeof fetch = async (input, init) => {
    if (typeof init?.body === 'string') bodies.push(init.body)
    const response = await fetch(input, init)
    statuses.push(`${init?.method ?? 'GET'} ${new URL(response.url).pathname} ${response.status}`)
    return response
  }
  const client = createFounderClient({ origin: at.url, fetch: watched, wrapKeyStore, deriveMasterKey })
  return { client, bodies, statuses, wrapKeyStore }
}

describe('signing in', () => {
  test('browser and server derive the same of a password', async () => {
    for (const password of ['correct horse battery', 'Maßstab ﬁ 🔑', ' spaces ']) {
      const salt = randomBytes(16).toString('base64url')
      const { authKey } = await deriveFounderSignIn(await deriveFounderMasterKey(password, salt))
      expect(authKey).toBe(await deriveFounderSecret(password, salt))
    }
  }, 30_000)

  test('sends nothing that is the password, and is told of a wrong one', async () => {
    const { client, bodies } = openBrowser()
    await expect(client.signIn('wrong')).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
    expect(await client.signIn(server.founderPassword)).toEqual({
      status: 'open',
      session: { isFounder: true, username: 'founder', session: expect.any(Object) },
    })
    expect(bodies.length).toBeGreaterThan(2)
    for (const body of bodies) expect(body).not.toContain(server.founderPassword)
  })
})

describe('the password of the first start', () => {
  test('opens nothing but its replacement, which makes the first report keys', async () => {
    await using own = await createTestServer({ ...options, isFounderNew: true })
    const { client } = openBrowser(own)
    const outcome = await client.signIn(own.founderPassword)
    expect(outcome).toMatchObject({ status: 'open', session: { mustReplacePassword: true } })
    await expect(client.call(reportKeys.list, {})).rejects.toMatchObject({ code: 'FOUNDER_PASSWORD_GENERATED' })
    await client.changePassword({ password: own.founderPassword, newPassword: 'a password of my own' })
    expect((await client.call(reportKeys.list, {})).keys).toHaveLength(1)
    expect(await client.unlockReports('a password of my own')).toEqual(await client.reportKeys())
  })
})

test('replacing the password of the first start sends no request that the server refuses', async () => {
  await using own = await createTestServer({ ...options, isFounderNew: true })
  const { client, statuses } = openBrowser(own)
  await client.signIn(own.founderPassword)
  await client.changePassword({ password: own.founderPassword, newPassword: 'a password of my own' })
  expect(statuses.filter((each) => !/ 20\d$/.test(each))).toEqual([])
  expect(statuses).toContain('GET /api/founder/report-keys 200')
})

describe('report keys', () => {
  test('are made at the first sign-in, and are the same in every browser and after a reload', async () => {
    const one = openBrowser()
    await one.client.signIn(server.founderPassword)
    const keys = await one.client.reportKeys()
    const again = openBrowser()
    await again.client.signIn(server.founderPassword)
    expect(await again.client.reportKeys()).toEqual(keys)
    expect(keys?.seeds.get(keys.current)).toHaveLength(32)
    expect((await one.client.call(reportKeys.list, {})).keys).toHaveLength(1)
  })

  test('are locked where the browser has lost its derived key, until the password is entered', async () => {
    const { client, wrapKeyStore } = openBrowser()
    await client.signIn(server.founderPassword)
    const keys = await client.reportKeys()
    await wrapKeyStore.clear()
    expect(await client.reportKeys()).toBeUndefined()
    await expect(client.unlockReports('wrong')).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
    expect(await client.unlockReports(server.founderPassword)).toEqual(keys)
    expect(await client.reportKeys()).toEqual(keys)
  })

  test('open nothing in a browser whose session was ended elsewhere, nor in another session', async () => {
    await using own = await createTestServer(options)
    const [one, other] = [openBrowser(own), openBrowser(own)]
    await one.client.signIn(own.founderPassword)
    const stored = await one.wrapKeyStore.get()
    await other.client.signIn(own.founderPassword)
    const browsers = await other.client.call(founderSessions.listSessions, {})
    const id = browsers.find(({ current }) => !current)?.id as string
    await other.client.call(founderSessions.endSession, { params: { id } })
    await expect(one.client.reportKeys()).rejects.toMatchObject({ code: 'NOT_FOUNDER' })
    // Copied from its disk into a browser with a session.
    await other.wrapKeyStore.put(stored as NonNullable<typeof stored>)
    expect(await other.client.reportKeys()).toBeUndefined()
  })

  test('are closed in this browser by signing out', async () => {
    const { client, wrapKeyStore } = openBrowser()
    await client.signIn(server.founderPassword)
    await client.signOut()
    expect(await wrapKeyStore.get()).toBeUndefined()
  })

  test('never reach the server in a form that it could open', async () => {
    await using own = await createTestServer(options)
    const { client, bodies } = openBrowser(own)
    await client.signIn(own.founderPassword)
    const keys = await client.reportKeys()
    const seed = Buffer.from(keys?.seeds.get(keys.current) ?? []).toString('base64url')
    expect(seed).toHaveLength(43)
    const kept = JSON.stringify(await own.core.db.read.all('select * from founder_report_keys'))
    for (const text of [...bodies, kept]) expect(text).not.toContain(seed)
  })

  test('two browsers that sign in first at the same moment agree on one', async () => {
    await using own = await createTestServer(options)
    const [one, two] = [openBrowser(own), openBrowser(own)]
    await Promise.all([one, two].map(({ client }) => client.signIn(own.founderPassword)))
    const [first, second] = [await one.client.reportKeys(), await two.client.reportKeys()]
    expect(first?.current).toBe(second?.current)
    expect((await one.client.call(reportKeys.list, {})).keys).toHaveLength(1)
  })

  test('open with a new password, which the old one does not any more', async () => {
    await using own = await createTestServer(options)
    const { client } = openBrowser(own)
    await client.signIn(own.founderPassword)
    const before = await client.reportKeys()
    await expect(client.changePassword({ password: 'wrong', newPassword: 'a new password' })).rejects.toMatchObject({
      code: 'WRONG_PASSWORD',
    })
    await client.changePassword({ password: own.founderPassword, newPassword: 'a new password' })
    expect(await client.reportKeys()).toEqual(before)
    const other = openBrowser(own)
    await expect(other.client.signIn(own.founderPassword)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
    await other.client.signIn('a new password')
    expect(await other.client.reportKeys()).toEqual(before)
  })

  test('are locked in a tab with an earlier password’s key, and none is published in their place', async () => {
    await using own = await createTestServer(options)
    const { fetch } = createNodeConnection()
    const tab = () =>
      createFounderClient({ origin: own.url, fetch, wrapKeyStore: createMemoryKeyStore(), deriveMasterKey })
    const [one, two] = [tab(), tab()]
    await two.signIn(own.founderPassword)
    // The cookie is that of both tabs from here on.
    await one.unlockReports(own.founderPassword)
    await one.changePassword({ password: own.founderPassword, newPassword: 'a new password' })
    const before = await one.reportKeys()
    expect(before).toBeDefined()
    for (let at = 0; at < 2; at++) expect(await two.reportKeys()).toBeUndefined()
    expect((await one.call(reportKeys.list, {})).keys.map(({ id }) => id)).toEqual([before?.current])
    await expect(two.unlockReports(own.founderPassword)).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
    expect(await two.unlockReports('a new password')).toEqual(before)
    expect(before?.unreadable).toEqual([])
  })

  test('open after a password change whose response was lost, at once or on the next attempt', async () => {
    await using own = await createTestServer(options)
    const { fetch } = createNodeConnection()
    let [loses, isOffline] = [true, false]
    let sent = 0
    const losing: typeof fetch = async (input, init) => {
      if (isOffline) throw new TypeError('There is no connection.')
      const answer = await fetch(input, init)
      if (init?.method !== 'PUT') return answer
      sent += 1
      if (answer.status !== 200 || !loses) return answer
      throw new TypeError('The connection was lost.')
    }
    const client = createFounderClient({
      origin: own.url,
      fetch: losing,
      wrapKeyStore: createMemoryKeyStore(),
      deriveMasterKey,
    })
    await client.signIn(own.founderPassword)
    const before = await client.reportKeys()
    await client.changePassword({ password: own.founderPassword, newPassword: 'a new password' })
    expect(sent).toBe(1)
    expect(await client.reportKeys()).toEqual(before)

    // Nor can it be found out for now.
    loses = false
    const third = { password: 'a new password', newPassword: 'the third password' }
    const cut: typeof fetch = async (input, init) => {
      const answer = await losing(input, init)
      if (init?.method !== 'PUT' || answer.status !== 200) return answer
      isOffline = true
      throw new TypeError('The connection was lost.')
    }
    const wrapKeyStore = createMemoryKeyStore()
    const other = createFounderClient({ origin: own.url, fetch: cut, wrapKeyStore, deriveMasterKey })
    await other.unlockReports('a new password')
    await expect(other.changePassword(third)).rejects.toMatchObject({ code: 'OFFLINE' })
    isOffline = false
    expect(await other.reportKeys()).toBeUndefined()
    for (let at = 0; at < 6; at++) await other.changePassword(third)
    expect(await other.reportKeys()).toEqual(before)
    expect(sent).toBe(2)
    const failed = "select id from security_events where event_type = 'failed_founder_password_check'"
    expect(await own.core.db.read.all(failed)).toEqual([])
    expect((await client.call(reportKeys.list, {})).keys).toHaveLength(1)

    // Tried again with another than the one in force, it is wrong, and counted.
    const wrong = other.changePassword({ password: 'a new password', newPassword: 'a fourth password' })
    await expect(wrong).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
    expect(await own.core.db.read.all(failed)).toHaveLength(1)
  })

  test('are made where the sign-in did not get to it', async () => {
    await using own = await createTestServer(options)
    const { client } = openBrowser(own)
    await client.signIn(own.founderPassword)
    await own.core.db.write((tx) => tx.run('delete from founder_report_keys'))
    expect(await client.reportKeys()).toMatchObject({ unreadable: [] })
    expect((await client.call(reportKeys.list, {})).keys).toHaveLength(1)
  })

  test('of a password that was lost stay closed: a new pair takes their place, and says so', async () => {
    await using own = await createTestServer(options)
    const first = openBrowser(own)
    await first.client.signIn(own.founderPassword)
    const before = await first.client.reportKeys()
    const { salt } = await first.client.access()
    const hash = await own.core.passwords.hash(await derived('set by the operator', salt))
    await own.core.db.write((tx) =>
      tx.run("update settings set value = ? where key = 'founder_verifier'", [JSON.stringify({ salt, hash })]),
    )
    const { client } = openBrowser(own)
    await client.signIn('set by the operator')
    const keys = await client.reportKeys()
    expect(keys?.unreadable).toEqual([before?.current])
    expect(keys?.current).not.toBe(before?.current)
    expect([...(keys?.seeds.keys() ?? [])]).toEqual([keys?.current])
  })
})
