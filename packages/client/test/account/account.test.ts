import { expect, test } from 'vitest'
import { keys, type OwnKeys } from '@privity/contract/keys'
import { createClient, E2eeError } from '../../src/index.ts'
import { browserListed } from '../support/browsers.ts'
import { collect, connected, createStage, next, type Person, reaches, reconnected, texts } from '../support/stage.ts'

const anna = {
  firstName: 'Anna',
  lastName: 'Berg',
  email: 'anna@example.com',
  username: 'Anna.Berg',
  password: 'a long pass-phrase of Anna',
}

test('signing up opens the account, and the recovery key comes in checksummed groups', async () => {
  await using stage = await createStage({ slowPasswords: true })
  const { client } = stage.tab()
  const { user, recoveryKey } = await client.account.signUp(anna)
  expect(user).toMatchObject({ username: 'anna.berg', firstName: 'Anna', hasKeys: true })
  expect(recoveryKey.split('-')).toHaveLength(13)
  expect(client.account.state.get()).toEqual({ status: 'open', user })
})

test('another browser signs in with the name in any case, and reads the last 24 hours', async () => {
  await using stage = await createStage({ slowPasswords: true })
  const first = stage.tab()
  await first.client.account.signUp(anna)
  const ben = await stage.signUp('ben')
  const { id } = await first.client.connections.create(ben.user.connectionCode)
  const sent = next(first, 'message')
  await first.client.messages.send(id, 'Sent before')
  await sent

  const second = stage.tab()
  await second.client.account.signIn({ username: ' ANNA.berg ', password: anna.password })
  expect(await texts(second, id)).toEqual(['Sent before'])
})

test('a wrong password is refused and leaves the tab signed out', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const { client } = stage.tab()
  const refused = client.account.signIn({ username: person.username, password: 'another password' })
  await expect(refused).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS', status: 401 })
  expect(client.account.state.get().status).not.toBe('open')
})

test('a reload needs no password; without the keys the account is locked until the right one', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const reloaded = stage.tab(person)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get()).toEqual({ status: 'open', user: person.user })

  await person.device.remove('keys')
  const { client } = stage.tab(person)
  await client.account.start()
  expect(client.account.state.get()).toEqual({ status: 'locked', user: person.user })
  await expect(client.account.unlock('not it')).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  expect(client.account.state.get().status).toBe('locked')
  await client.account.unlock(person.password)
  expect(client.account.state.get().status).toBe('open')
})

test('the keys that are kept cannot be taken out', async () => {
  await using stage = await createStage()
  const { device } = await stage.signUp('anna')
  const kept = (await device.get('keys')) as { browserKey: CryptoKey }
  await expect(crypto.subtle.exportKey('raw', kept.browserKey)).rejects.toThrow()
  // Not the identity: where WebCrypto lacks Ed25519 it would be a bare seed.
  expect(Object.keys(kept).toSorted()).toEqual(['browserKey', 'id', 'sealed', 'sessionId', 'userId'])
})

test('a visitor is signed out, and so is a check that fails, which keeps the keys', async () => {
  await using stage = await createStage()
  const visitor = stage.tab()
  await visitor.client.account.start()
  expect(visitor.client.account.state.get()).toEqual({ status: 'signedOut' })

  const person = await stage.signUp('anna')
  const reloaded = stage.tab(person)
  reloaded.network.offline = true
  await expect(reloaded.client.account.start()).rejects.toMatchObject({ code: 'OFFLINE', status: 0 })
  expect(reloaded.client.account.state.get()).toEqual({ status: 'signedOut' })
  reloaded.network.offline = false
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get().status).toBe('open')
})

/** The values that stay on a device after signing out. */
const keptNames = ({ user: { id } }: Person): string[] => [
  ...['', '/epochs', '/met', '/browsers', '/shown'].map((end) => `seen/${id}${end}`),
  `browser/${id}`,
]

test('signing out erases keys, outbox and drafts of this browser, also without a connection', async () => {
  await using stage = await createStage()
  const { anna: person, connectionId } = await stage.pair()
  await person.client.drafts.set(connectionId, 'Half a sentence')
  person.network.offline = true
  await person.client.messages.send(connectionId, 'Never sent')
  await expect(person.client.account.signOut()).rejects.toMatchObject({ code: 'OFFLINE' })
  expect(person.client.account.state.get()).toEqual({ status: 'signedOut' })
  expect(person.client.outbox.get()).toEqual([])
  const left = (await person.device.names('')).filter((name) => !keptNames(person).includes(name))
  expect(left).toEqual(['ending'])
})

test('after signing out the browser keeps its keys and what it has seen, and nothing else', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.messages.send(connectionId, 'A secret')
  await browserListed(anna)
  await anna.client.account.signOut()
  expect((await anna.device.names('')).filter((name) => !keptNames(anna).includes(name))).toEqual([])
})

test('after signing out the session is over', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await person.client.account.signOut()
  const again = stage.tab(person)
  await again.client.account.start()
  expect(again.client.account.state.get()).toEqual({ status: 'signedOut' })
})

test('the recovery key sets a new password, opens everything, and ends the other sessions', async () => {
  await using stage = await createStage()
  const { anna: person, ben, connectionId } = await stage.pair()
  const heard = next(ben, 'message')
  await person.client.messages.send(connectionId, 'Before the reset')
  await heard

  const ended = next(person, 'signed_out')
  const { client } = stage.tab()
  const reset = { username: person.username, recoveryKey: person.recoveryKey, newPassword: 'a wholly new one' }
  await client.account.resetPassword(reset)
  expect((await client.messages.list(connectionId)).map(({ body }) => body)).toEqual([
    { kind: 'text', text: 'Before the reset' },
  ])
  expect(await ended).toEqual({ reason: 'ended' })
  expect(await person.device.names('keys')).toEqual([])

  const third = stage.tab().client
  await expect(third.account.signIn(person)).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
  await third.account.signIn({ username: person.username, password: 'a wholly new one' })
})

test('a mistyped recovery key names its group and makes no call; a foreign one is refused', async () => {
  await using stage = await createStage()
  const [person, other] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const { client, network } = stage.tab()
  const groups = person.recoveryKey.split('-')
  const third = groups[2] as string
  groups[2] = third.slice(0, 4) + (third.endsWith('0') ? '1' : '0')
  const mistyped = { username: person.username, recoveryKey: groups.join('-'), newPassword: 'new' }
  const refusal = await client.account.resetPassword(mistyped).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(E2eeError)
  expect(refusal).toMatchObject({ code: 'MALFORMED', group: 3 })
  expect(network.requests).toEqual([])

  const foreign = { ...mistyped, recoveryKey: other.recoveryKey }
  await expect(client.account.resetPassword(foreign)).rejects.toMatchObject({ code: 'RECOVERY_REFUSED' })
})

test('a session that the server ends signs the tab out once, and its keys are erased', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await connected(person)
  const told = collect(person, 'signed_out')
  await stage.server.core.db.write((tx) => stage.server.core.sessions.end(tx, person.user.id, 'all'))
  await reaches(person.client.account.state, ({ status }) => status === 'signedOut')
  await expect(person.client.connections.list()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  expect(told).toEqual([{ reason: 'ended' }])
  expect(await person.device.names('keys')).toEqual([])
  expect(person.client.live.get()).toBe('disconnected')
})

test('tabs of one browser sign in and out together', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const tab = stage.tab(person)
  await tab.client.account.start()
  const told = next(tab, 'signed_out')
  await person.client.account.signOut()
  expect(await told).toEqual({ reason: 'elsewhere' })
  expect(tab.client.account.state.get()).toEqual({ status: 'signedOut' })

  await person.client.account.signIn(person)
  await reaches(tab.client.account.state, ({ status }) => status === 'open')
})

test('another person who signs in in one tab is the one in the other tab too', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const other = await stage.signUp('ben')
  const tab = stage.tab(person)
  await tab.client.account.start()
  await person.client.account.signIn(other)
  const state = await reaches(tab.client.account.state, (now) => now.status === 'open' && now.user.id === other.user.id)
  expect(state.status).toBe('open')
  await Promise.all([connected(person), connected(tab)])
  expect(person.client.account.state.get()).toEqual({ status: 'open', user: other.user })
  expect(await person.device.names('keys')).toEqual(['keys'])
})

test('signing in again in one tab does not sign the other one out', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  await connected(person)
  const told = collect(person, 'signed_out')
  const tab = stage.tab(person)
  await tab.client.account.signIn(person)
  await connected(tab)
  await reaches(person.client.live, (state) => state !== 'connected')
  await reconnected(stage, person)
  expect(told).toEqual([])
  expect(await person.device.names('keys')).toEqual(['keys'])
})

test('a device whose clock is an hour ahead signs up, and knows the time', async () => {
  await using stage = await createStage()
  const { client } = stage.tab(undefined, { ahead: 60 * 60 * 1000 })
  await client.account.signUp(anna)
  expect(client.now()).toBe(stage.server.clock.now())
})

test('keys of the account that the server has exchanged are refused, with an alarm', async () => {
  await using stage = await createStage()
  const [person, other] = [await stage.signUp('anna'), await stage.signUp('ben')]
  await stage.server.core.db.write((tx) =>
    tx.run('update users set identity_key = (select identity_key from users where id = ?) where id = ?', [
      other.user.id,
      person.user.id,
    ]),
  )
  const { client } = stage.tab()
  await expect(client.account.signIn(person)).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect((await next({ client }, 'alarm')).sentence).toMatch(/different keys for your account/)
  expect(client.account.state.get()).toEqual({ status: 'signedOut' })
})

test('an identity that was altered on the server is an alarm, and nothing opens', async () => {
  await using stage = await createStage()
  const [person, other] = [await stage.signUp('anna'), await stage.signUp('ben')]
  const { wrappedIdentitySeed } = await other.client.call(keys.getOwn, { query: {} })
  const tab = stage.tab(person)
  tab.network.tampers = (request, answer) =>
    request === 'GET /api/keys' ? { ...(answer as OwnKeys), wrappedIdentitySeed } : answer
  await expect(tab.client.account.start()).rejects.toMatchObject({ code: 'KEYS_ALTERED' })
  expect((await next(tab, 'alarm')).sentence).toMatch(/different encryption keys for your account/)
})

test('signing out leaves no late response and no draft being written on the device', async () => {
  await using stage = await createStage()
  const { anna: person, ben, connectionId } = await stage.pair()
  person.client.close()
  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [ben.user.id]))
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { device, network } = person
  const client = createClient({
    origin: 'http://privity.test',
    device,
    openSocket: network.openSocket,
    async fetch(input, init) {
      const answer = await network.fetch(input, init)
      if (init?.method !== 'POST' || input !== 'http://privity.test/api/messages') return answer
      asked.resolve()
      await released.promise
      return answer
    },
  })
  await client.account.start()
  await client.messages.send(connectionId, 'Refused after the end')
  await asked.promise
  // Written before the end, and then removed with the others, or refused.
  const writing = client.drafts.set(connectionId, 'Half a sentence').catch(() => {})
  await client.account.signOut()
  client.close()
  await writing
  expect(await device.names('draft/')).toEqual([])

  // One tab sends at a time: once another one has, the first is through.
  await stage.server.core.db.write((tx) => tx.run('update users set suspended = 0 where id = ?', [ben.user.id]))
  const again = stage.tab(person)
  await again.client.account.signIn(person)
  await again.client.messages.send(connectionId, 'Afterwards')
  released.resolve()
  await next(again, 'message')
  await reaches(again.client.outbox, (items) => !items.some(({ state }) => state !== 'failed'))
  expect(await device.names('outbox/')).toEqual([])
})
