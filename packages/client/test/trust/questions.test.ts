import { expect, test } from 'vitest'
import type { Connection } from '@privity/contract/connections'
import { keys } from '@privity/contract/keys'
import { newId } from '@privity/e2ee'
import { approve, report, share } from '../support/fileSharing.ts'
import { markVerified, replaceKeys } from '../support/keyRotation.ts'
import { collect, createStage, next, type Person, reaches, sentAll, type Stage, texts } from '../support/stage.ts'

const questionOf = async ({ client }: Person, connectionId: string) => (await client.trust.state(connectionId)).question

/** Anna in a browser that opens the account for the first time, with the list of contacts on the screen. */
async function freshBrowser(stage: Stage, anna: Person): Promise<Person> {
  const fresh = await stage.signIn(anna)
  await fresh.client.connections.list()
  await fresh.client.trust.states()
  return fresh
}

async function expectRefused(person: Person, connectionId: string, sentence: RegExp): Promise<string> {
  const { id } = await person.client.messages.send(connectionId, 'Is it you?')
  const [failed] = await reaches(person.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(sentence)
  return id
}

test('a fresh browser asks before it first sends to a contact who is not verified, and once', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  expect(await questionOf(fresh, connectionId)).toEqual({ code: 'CONTACT_UNMET' })
  const id = await expectRefused(fresh, connectionId, /meets this person for the first time/)
  const told = next(fresh, 'trust_changed')
  await fresh.client.trust.confirm(connectionId)
  await told
  expect(await questionOf(fresh, connectionId)).toBeUndefined()
  await fresh.client.messages.retry(id)
  await sentAll(fresh)
  expect(await texts(ben, connectionId)).toEqual(['Is it you?'])
  await fresh.client.account.signOut()
  await fresh.client.account.signIn(anna)
  expect(await questionOf(fresh, connectionId)).toBeUndefined()
})

test('an account’s first browser asks about nobody, also after it was closed', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  expect(await questionOf(anna, connectionId)).toBeUndefined()
  const carl = await stage.signUp('carl')
  const { id } = await stage.connect(carl, anna)
  anna.client.close()
  const reloaded = stage.tab(anna)
  await reloaded.client.account.start()
  expect(await questionOf({ ...anna, ...reloaded }, id)).toBeUndefined()
})

test('a contact with whom the user connects in a fresh browser is not asked about', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  const carl = await stage.signUp('carl')
  const { id } = await stage.connect(fresh, carl)
  expect(await questionOf(fresh, id)).toBeUndefined()
  expect(await questionOf(fresh, connectionId)).toEqual({ code: 'CONTACT_UNMET' })
  const reloaded = stage.tab(fresh)
  await reloaded.client.account.start()
  expect(await questionOf({ ...fresh, ...reloaded }, id)).toBeUndefined()
})

test('a fresh browser asks about a contact who connects with the user later', async () => {
  await using stage = await createStage()
  const { anna } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  const carl = await stage.signUp('carl')
  const { id } = await stage.connect(carl, anna)
  expect(await questionOf(fresh, id)).toEqual({ code: 'CONTACT_UNMET' })
})

test('a fresh browser raises no question about a verified contact', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  await anna.client.connections.list()
  await markVerified(anna, connectionId)
  expect(await questionOf(await freshBrowser(stage, anna), connectionId)).toBeUndefined()
})

test('a server that returns a pin list without a contact gets nothing sent unasked', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const { pins: first } = await anna.client.call(keys.getOwn, { query: {} })
  await markVerified(anna, connectionId)
  await stage.server.core.db.write((tx) =>
    tx.run('update users set pins_version = ?, pins = ? where id = ?', [first.version, first.sealed, anna.user.id]),
  )
  const fresh = await freshBrowser(stage, anna)
  await expectRefused(fresh, connectionId, /meets this person for the first time/)
  expect(fresh.network.requests.map(({ request }) => request)).not.toContain('POST /api/messages')
})

test('a contact whom the server names in the answer to another code is not taken for a new one', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const [known] = await anna.client.connections.list()
  const fresh = await freshBrowser(stage, anna)
  const carl = await stage.signUp('carl')
  fresh.network.tampers = (request, answer) => (request === 'POST /api/connections' ? known : answer)
  await fresh.client.connections.create(carl.user.connectionCode)
  expect(await questionOf(fresh, connectionId)).toEqual({ code: 'CONTACT_UNMET' })
})

test('a contact whom the server leaves out of both first lists is not taken for a new one', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const tab = stage.tab()
  const lists = ['GET /api/keys/identities', 'GET /api/connections']
  tab.network.tampers = (request, answer) => (lists.includes(request) ? [] : answer)
  await tab.client.account.signIn(anna)
  await tab.client.connections.list()
  await tab.client.trust.states()
  tab.network.tampers = undefined
  await tab.client.connections.list()
  await tab.client.trust.states()
  await expectRefused({ ...anna, ...tab }, connectionId, /meets this person for the first time/)
  expect(tab.network.requests.map(({ request }) => request)).not.toContain('POST /api/messages')
})

test('a new connection that the server gives to an earlier contact answers no question', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  const [genuine] = await fresh.client.connections.list()
  const carl = await stage.signUp('carl')
  const given = { ...(genuine as Connection), id: newId(stage.server.clock.now()) }
  fresh.network.tampers = (request, answer) => (request === 'POST /api/connections' ? given : answer)
  await fresh.client.connections.create(carl.user.connectionCode)
  expect(await questionOf(fresh, connectionId)).toEqual({ code: 'CONTACT_UNMET' })
})

test('comparing safety numbers answers the question, and another tab need not answer it again', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  const tab = stage.tab(fresh)
  await tab.client.account.start()
  expect(await questionOf({ ...fresh, ...tab }, connectionId)).toEqual({ code: 'CONTACT_UNMET' })
  await markVerified(fresh, connectionId)
  await fresh.client.trust.unverify(connectionId)
  expect(await questionOf(fresh, connectionId)).toBeUndefined()
  expect(await questionOf({ ...fresh, ...tab }, connectionId)).toBeUndefined()
})

test('what a browser has met stays so after new keys', async () => {
  await using stage = await createStage()
  const { anna, connectionId } = await stage.pair()
  const fresh = await freshBrowser(stage, anna)
  await fresh.client.trust.confirm(connectionId)
  await replaceKeys(fresh)
  expect(await questionOf(fresh, connectionId)).toBeUndefined()
  const reloaded = stage.tab(fresh)
  await reloaded.client.account.start()
  expect(await questionOf({ ...fresh, ...reloaded }, connectionId)).toBeUndefined()
})

const rename = ({ client, user: { email, lastName } }: Person, firstName: string) =>
  client.ownAccount.updateProfile({ firstName, lastName, email })

test('a changed name of a verified contact is asked about before anything is sent', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.list()
  await markVerified(anna, connectionId)
  const told = next(anna, 'trust_changed')
  await rename(ben, 'Helen')
  await told
  const question = { code: 'NAME_CHANGED', before: 'ben Example', now: 'Helen Example' }
  expect(await questionOf(anna, connectionId)).toEqual(question)
  const id = await expectRefused(anna, connectionId, /name of this person has changed/)
  const elsewhere = await stage.signIn(anna)
  await elsewhere.client.connections.list()
  expect(await questionOf(elsewhere, connectionId)).toEqual(question)
  await anna.client.trust.confirm(connectionId, question.now)
  expect((await anna.client.trust.state(connectionId)).state).toBe('verified')
  await anna.client.messages.retry(id)
  await sentAll(anna)
})

test('the name that is confirmed is the one that was asked about', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.list()
  await markVerified(anna, connectionId)
  const told = next(anna, 'trust_changed')
  await rename(ben, 'Helen')
  await told
  const toldAgain = next(anna, 'trust_changed')
  await rename(ben, 'Mallory')
  await toldAgain
  await anna.client.trust.confirm(connectionId, 'Helen Example')
  const question = { code: 'NAME_CHANGED', before: 'Helen Example', now: 'Mallory Example' }
  expect(await questionOf(anna, connectionId)).toEqual(question)
})

test('a contact who is not verified may change their name without a question', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.connections.list()
  await markVerified(anna, connectionId)
  await anna.client.trust.unverify(connectionId)
  const told = collect(anna, 'party_changed')
  await rename(ben, 'Helen')
  await expect.poll(() => told.length).toBe(1)
  expect(await questionOf(anna, connectionId)).toBeUndefined()
})

test('no download is approved for a contact about whom there is a question', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const message = await share(anna, ben, connectionId, report())
  const fresh = await freshBrowser(stage, anna)
  await expect(approve(fresh, ben, message)).rejects.toMatchObject({ code: 'CONTACT_UNMET' })
  await fresh.client.trust.confirm(connectionId)
  const [request] = await fresh.client.files.pending()
  expect((await fresh.client.files.decide(request as NonNullable<typeof request>, true)).status).toBe('can_download')
})
