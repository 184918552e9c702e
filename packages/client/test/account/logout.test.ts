import { AppError } from '@privity/contract/errors'
import { session } from '@privity/contract/session'
import { expect, test, vi } from 'vitest'
import { connected, createStage, next, type Person, reaches, sentAll, type Stage, texts } from '../support/stage.ts'

const sessionsOf = (stage: Stage, { user }: Person) =>
  stage.server.core.db.read.all('select id from sessions where user_id = ?', [user.id])

test('signing out offline ends the session as soon as the server is reached again', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  person.network.offline = true
  await expect(person.client.account.signOut()).rejects.toMatchObject({ code: 'OFFLINE' })
  await stage.advance(20_000)
  expect(await sessionsOf(stage, person)).toHaveLength(1)
  person.network.offline = false
  await stage.advance(20_000)
  await expect.poll(() => sessionsOf(stage, person)).toEqual([])
  await expect.poll(() => person.device.names('ending')).toEqual([])
})

test('a sign-out that a full server refuses ends the session once it has space again', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const write = vi.spyOn(stage.server.core.db, 'write').mockRejectedValue(new AppError('STORAGE_FULL'))
  await expect(person.client.account.signOut()).rejects.toMatchObject({ code: 'STORAGE_FULL' })
  expect(await person.device.names('keys')).toEqual([])
  write.mockRestore()
  await stage.advance(20_000)
  await expect.poll(() => sessionsOf(stage, person)).toEqual([])
})

test('after signing out offline and closing, the next start ends the session and opens nothing', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  person.network.offline = true
  await person.client.account.signOut().catch(() => {})
  person.client.close()
  const reloaded = stage.tab(person)
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get()).toEqual({ status: 'signedOut' })
  expect(await sessionsOf(stage, person)).toEqual([])
  await reloaded.client.account.start()
  expect(reloaded.client.account.state.get()).toEqual({ status: 'signedOut' })
})

test('the next sign-in ends the session left behind, and keeps its own', async () => {
  await using stage = await createStage()
  const [anna, ben] = [await stage.signUp('anna'), await stage.signUp('ben')]
  anna.network.offline = true
  await anna.client.account.signOut().catch(() => {})
  anna.client.close()
  const next = stage.tab(anna)
  await next.client.account.signIn(ben)
  expect(await sessionsOf(stage, anna)).toEqual([])
  await stage.advance(60_000)
  expect(next.client.account.state.get().status).toBe('open')
  expect(await sessionsOf(stage, ben)).toHaveLength(2)
})

test('a tab that signed out offline does not end a session that another tab has begun since', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  anna.network.offline = true
  await anna.client.account.signOut().catch(() => {})
  const tab = stage.tab(anna)
  await tab.client.account.signIn(anna)
  await connected(tab)
  anna.network.offline = false
  await stage.advance(20_000)
  // Lets the calls begin that the timer would make for a session that is still to be ended.
  await new Promise((resolve) => setImmediate(resolve))
  expect(anna.network.requests.map(({ request }) => request)).not.toContain('POST /api/logout')
  expect(tab.client.account.state.get().status).toBe('open')
  expect(await sessionsOf(stage, anna)).toHaveLength(1)
})

test('two tabs that find a sign-out still to be sent send it once', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  anna.network.offline = true
  await anna.client.account.signOut().catch(() => {})
  anna.client.close()
  const tabs = [stage.tab(anna), stage.tab(anna)]
  await Promise.all(tabs.map(({ client }) => client.account.start()))
  const sent = tabs.flatMap(({ network }) => network.requests.map(({ request }) => request))
  expect(sent.filter((request) => request === 'POST /api/logout')).toHaveLength(1)
  expect(await sessionsOf(stage, anna)).toEqual([])
})

test('a tab that the system freezes while it signs out keeps no other from signing in', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const other = stage.tab(anna)
  const { promise: asked, resolve } = Promise.withResolvers<void>()
  anna.network.watches = (request) => {
    if (request !== 'POST /api/logout') return undefined
    resolve()
    return new Promise(() => {})
  }
  void anna.client.account.signOut()
  await asked
  void other.client.account.signIn(anna)
  const statusLater = async () => {
    await stage.advance(10_000)
    return other.client.account.state.get().status
  }
  await expect.poll(statusLater, { timeout: 5_000 }).toBe('open')
  expect(await sessionsOf(stage, anna)).toHaveLength(1)
})

test('a sign-out that was cut off discards messages and drafts at the next start', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  anna.network.offline = true
  await anna.client.messages.send(connectionId, 'Discarded')
  await anna.client.drafts.set(connectionId, 'Half a')
  anna.network.offline = false
  const { remove } = anna.device
  anna.device.remove = (name) => (name === 'ending' ? remove(name) : new Promise(() => {}))
  void anna.client.account.signOut()
  await expect.poll(() => sessionsOf(stage, anna)).toEqual([])
  anna.client.close()
  anna.device.remove = remove
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(await anna.device.names('draft/')).toEqual([])
  expect(await anna.device.names('keys')).toEqual([])
  await reloaded.client.account.signIn(anna)
  await connected(reloaded)
  await sentAll(reloaded)
  expect(await texts(ben, connectionId)).toEqual([])
})

test('a start that knows who is signed in does not ask again', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  const reloaded = stage.tab(person)
  await reloaded.client.account.start(await person.client.call(session.getUser, {}))
  expect(reloaded.client.account.state.get().status).toBe('open')
  expect(reloaded.network.requests.map(({ request }) => request)).not.toContain('GET /api/user')
})

const refused = () => Promise.reject(new DOMException('The quota has been exceeded.', 'QuotaExceededError'))

test('signed out on a full device, the session ends on the server all the same', async () => {
  await using stage = await createStage()
  const person = await stage.signUp('anna')
  person.device.set = refused
  await person.client.account.signOut()
  expect(await sessionsOf(stage, person)).toEqual([])
  expect(await person.device.names('keys')).toEqual([])
})

test('what a device cannot remove at a sign-out does not leave the rest there', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.drafts.set(connectionId, 'Half a')
  const { remove } = anna.device
  anna.device.remove = (name) => (name === 'keys' ? refused() : remove(name))
  await expect(anna.client.account.signOut()).rejects.toMatchObject({ code: 'STORAGE_FAILED' })
  expect(await anna.device.names('draft/')).toEqual([])
})

/** Anna, whose session was ended from elsewhere while the device refused to remove anything. */
async function endedOnClosedDevice(stage: Stage) {
  const anna = await stage.signUp('anna')
  await connected(anna)
  const other = await stage.signIn(anna)
  const { remove } = anna.device
  anna.device.remove = refused
  const signedOut = next(anna, 'signed_out')
  await other.client.ownAccount.endOtherSessions()
  await signedOut
  expect(await anna.device.names('keys')).toEqual(['keys'])
  return { anna, relieve: () => Object.assign(anna.device, { remove }) }
}

test('keys that a device refuses to remove when the session is ended are removed later', async () => {
  await using stage = await createStage()
  const { anna, relieve } = await endedOnClosedDevice(stage)
  await stage.advance(20_000)
  expect(await anna.device.names('keys')).toEqual(['keys'])
  relieve()
  await stage.advance(20_000)
  await expect.poll(() => anna.device.names('keys')).toEqual([])
})

test('keys of a sign-in since then, in another tab, are not removed with them', async () => {
  await using stage = await createStage()
  const { anna, relieve } = await endedOnClosedDevice(stage)
  relieve()
  anna.network.offline = true
  const tab = stage.tab(anna)
  await tab.client.account.signIn(anna)
  await connected(tab)
  await stage.advance(20_000)
  // All that the timer had to do, had it removed something.
  await new Promise((resolve) => setImmediate(resolve))
  expect(await anna.device.names('keys')).toEqual(['keys'])
})

test('other tabs are signed out before the server answers, and store and send nothing more', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const tab = stage.tab(anna)
  await tab.client.account.start()
  await connected(tab)
  // Nor does it hear of it from the server.
  tab.network.offline = true
  const answered = Promise.withResolvers<void>()
  anna.network.watches = (request) => (request === 'POST /api/logout' ? answered.promise : undefined)
  const signedOut = anna.client.account.signOut()
  await reaches(tab.client.account.state, ({ status }) => status === 'signedOut')
  await expect(tab.client.drafts.set(connectionId, 'Half a')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await expect(tab.client.messages.send(connectionId, 'After')).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  answered.resolve()
  await signedOut
  expect(await anna.device.names('draft/')).toEqual([])
  expect(await anna.device.names('outbox/')).toEqual([])
})

test('signing out names the waiting messages, drafts and files of all tabs that it would discard', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const { client } = anna
  const other = stage.tab(anna)
  await other.client.account.start()
  const none = { outgoing: false, drafts: false }
  expect(await client.unsent()).toEqual(none)
  await other.client.drafts.set(connectionId, 'Half a sentence')
  expect(await client.unsent()).toEqual({ outgoing: false, drafts: true })
  await other.client.drafts.set(connectionId, '')
  anna.network.offline = true
  const { id } = await client.messages.send(connectionId, 'Waits')
  expect(await client.unsent()).toEqual({ outgoing: true, drafts: false })
  await client.messages.discard(id)
  expect(await client.unsent()).toEqual(none)
  client.files.send(connectionId, new File(['Waits too'], 'a.txt'))
  expect(await client.unsent()).toEqual({ outgoing: true, drafts: false })
  await client.account.signOut().catch(() => {})
  expect(await client.unsent()).toEqual(none)
})
