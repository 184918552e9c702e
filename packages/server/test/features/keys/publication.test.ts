import { type EpochKey, keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { signedEpochBytes } from '@privity/contract/signedBytes'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listBrowser, makeEntry, makeSealedPublication, switchOn } from '../../support/scenes/browsers.ts'
import { makeEpoch, makeEpochsAhead, publication, signAs, signEpoch } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const hour = 60 * 60_000
const { epochDuration, retention } = limits

const firstOf = (member: Member) => member.keys?.epoch as EpochKey & { wrappedSeed: string }

const numbersOf = async (member: Member) => (await member.call(keys.getOwn, { query: {} })).epochs.map(({ n }) => n)

/** Signs in anew: a session that nobody uses for a day has ended. */
async function signInAgain(own: TestServer, member: Member): Promise<Member> {
  const visitor = own.visitor()
  await visitor.call(session.login, { body: { username: member.user.username, password: member.password } })
  return { ...member, ...visitor }
}

test('one of another account is refused, although it follows the own newest and is signed', async () => {
  const [member, other] = [await server.signUp(), await server.signUp()]
  const { signature: _own, ...own } = makeEpoch(member.user.id, 2, server.clock.now(), firstOf(member).endsAt)
  const { wrappedSeed, ...unsigned } = { ...own, userId: other.user.id }
  const identityKey = member.keys?.identityKey as string
  const bytes = signedEpochBytes(identityKey, unsigned, (text) => Buffer.from(text, 'base64url'))
  const epoch = { ...unsigned, wrappedSeed, signature: signAs(member.user.id, bytes) }
  const refusal = await member.refused(keys.publishEpochs, publication(epoch))
  expect(refusal.body.details).toMatchObject([{ path: 'userId' }])
  expect(await numbersOf(other)).toEqual([1])
})

test('one that begins at the end of another than the newest is refused, unless seeds are sealed', async () => {
  const member = await server.signUp()
  const [now, first] = [server.clock.now(), firstOf(member)]
  await member.call(keys.publishEpochs, publication(...makeEpochsAhead(first)))
  const entry = await listBrowser(member, undefined, now)
  const next = publication(makeEpoch(member.user.id, 22, now, first.endsAt))
  const refusal = await member.refused(keys.publishEpochs, next)
  expect(refusal.body.details).toMatchObject([{ path: 'startsAt' }])
  await switchOn(member)
  const between = await makeSealedPublication(member, now, entry, {}, first.endsAt + 1)
  expect((await member.refused(keys.publishEpochs, { body: between })).body.details).toMatchObject([
    { path: 'startsAt' },
  ])
  await member.call(keys.publishEpochs, { body: await makeSealedPublication(member, now, entry, {}, first.endsAt) })
  expect(await numbersOf(member)).toEqual([1, 2, 22])
})

test('a sealed one is refused where the entry of its browser does not follow the one before', async () => {
  const member = await server.signUp()
  const now = server.clock.now()
  const entry = await listBrowser(member, undefined, now)
  await switchOn(member)
  const { browserId } = entry
  const again = makeEntry(member, browserId, undefined, { createdAt: now })
  const body = await makeSealedPublication(member, now, entry, { entry: again })
  expect((await member.refused(keys.publishEpochs, { body })).body.code).toBe('BROWSERS_CHANGED')
})

test('one that begins within 10 minutes is told to contacts, and no frame carries its seed', async () => {
  await using own = await createTestServer()
  const [anna, bela] = [await own.signUp(), await own.signUp()]
  await own.connect(anna, bela)
  const { endsAt } = firstOf(anna)
  own.clock.advance(endsAt - limits.epochGrace - own.clock.now())
  const contact = await bela.socket()
  const raw: string[] = []
  contact.raw.on('message', (data: Buffer) => void raw.push(data.toString()))
  const next = makeEpoch(anna.user.id, 2, own.clock.now(), endsAt)
  await anna.call(keys.publishEpochs, publication(next))
  await contact.next('epoch_published')
  expect(raw.filter((frame) => frame.includes('wrappedSeed') || frame.includes(next.wrappedSeed))).toEqual([])
})

test('the only one, which a clock was ahead for and nobody has used, goes at once', async () => {
  await using own = await createTestServer()
  own.clock.ahead = 365 * 24 * hour
  const member = await own.signUp()
  own.clock.ahead = 0
  await member.call(keys.publishEpochs, publication(makeEpoch(member.user.id, 2, own.clock.now())))
  expect(await numbersOf(member)).toEqual([2])
})

test('the newest comes without its seed from when that is due, though no job has run', async () => {
  await using own = await createTestServer()
  const member = await own.signUp()
  own.clock.advance(epochDuration + retention - 1)
  const again = await signInAgain(own, member)
  const newest = async () => (await again.call(keys.getOwn, { query: {} })).epochs.at(-1)
  expect((await newest())?.wrappedSeed).toBe(firstOf(member).wrappedSeed)
  own.clock.advance(1)
  expect((await newest())?.wrappedSeed).toBeUndefined()
})

test('of one call whose epochs overlap none is published', async () => {
  const member = await server.signUp()
  const second = makeEpoch(member.user.id, 2, server.clock.now(), firstOf(member).endsAt)
  const third = makeEpoch(member.user.id, 3, server.clock.now(), second.endsAt)
  const { wrappedSeed: _seed, signature: _signature, ...unsigned } = third
  const overlapping = signEpoch({ ...unsigned, startsAt: third.startsAt - 1, endsAt: third.endsAt - 1 })
  const refusal = await member.refused(keys.publishEpochs, publication(second, overlapping))
  expect(refusal.body.details).toMatchObject([{ path: 'startsAt' }])
  expect(await numbersOf(member)).toEqual([1])
})

test('the last of a member who was away goes from the database once the next is published', async () => {
  await using own = await createTestServer()
  const member = await own.signUp()
  await own.advance(epochDuration + retention + 60_000)
  const again = await signInAgain(own, member)
  await again.call(keys.publishEpochs, publication(makeEpoch(member.user.id, 2, own.clock.now())))
  expect(await own.core.db.read.all('select n from epochs')).toEqual([{ n: 2 }])
})
