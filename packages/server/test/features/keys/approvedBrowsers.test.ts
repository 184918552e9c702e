import { account } from '@privity/contract/account'
import { type BrowserEntry, maxLiveEpochs } from '@privity/contract/browserKeys'
import { browsers } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  approval,
  listBrowser,
  makeEntry,
  makeRemoval,
  makeSealedPublication,
  numbersSealedTo,
  ownKeysOf,
  renewal,
  sealTo,
  signInElsewhere,
  signMode,
  switchOff,
  switchingOn,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { newId } from '../../../src/core/ids.ts'
import { makeSealedReplacement, renewing } from '../../support/scenes/keyReplacement.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { makeEpoch, makeEpochsAhead, publication, random, wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const code = async (refusal: Promise<{ body: { code: string } }>) => (await refusal).body.code

test('a browser from which approval was taken by a publication for another alone still removes', async () => {
  const anna = await server.signUp()
  const own = await listBrowser(anna)
  const away = await listBrowser(await signInElsewhere(server, anna))
  await switchOn(anna)
  const thief = await signInElsewhere(server, anna)
  const entry = await listBrowser(thief)
  server.clock.advance(1)
  const { epochs, sealing } = await makeSealedPublication(thief, server.clock.now(), entry)
  const garbage = sealTo([away.browserId], [epochs[0]?.n ?? 0])
  await thief.call(keys.publishEpochs, { body: { epochs, sealing: { ...sealing, seeds: garbage } } })
  const shown = await anna.call(browsers.list, {})
  expect(shown.find(({ isCurrent }) => isCurrent)).toMatchObject({ isApproved: false, canRemove: true })
  expect((await thief.call(browsers.list, {}))[0]).toMatchObject({ isApproved: false, canRemove: false })
  const off = { ...signMode(anna, false, 2), onlyApproved: false as const, after: epochs[0]?.n ?? 0, wrapped: [] }
  expect(await code(anna.refused(browsers.setMode, { body: off }))).toBe('BROWSER_NOT_APPROVED')
  const removing = (id: string) => ({ params: { id }, body: makeRemoval(anna, id) })
  expect(await code(thief.refused(browsers.remove, removing(own.browserId)))).toBe('BROWSER_NOT_APPROVED')
  await anna.call(browsers.remove, removing(entry.browserId))
  expect(await thief.refused(browsers.list, {})).toMatchObject({ status: 401 })
})

const isApproved = async (member: Member) => (await member.call(browsers.list, {}))[0]?.isApproved

test('a publication of a browser for itself alone takes no approval from others', async () => {
  const anna = await server.signUp()
  await listBrowser(anna)
  await switchOn(anna)
  const thief = await signInElsewhere(server, anna)
  const entry = await listBrowser(thief)
  server.clock.advance(1)
  const { epochs, sealing } = await makeSealedPublication(thief, server.clock.now(), entry)
  const seeds = sealTo([entry.browserId], [epochs[0]?.n ?? 0])
  await thief.call(keys.publishEpochs, { body: { epochs, sealing: { ...sealing, seeds } } })
  expect([await isApproved(anna), await isApproved(thief)]).toEqual([true, false])
})

test('switching the mode on a second time approves nobody, and takes no approval', async () => {
  const anna = await server.signUp()
  await listBrowser(anna)
  await switchOn(anna)
  const thief = await signInElsewhere(server, anna)
  const { browserId } = await listBrowser(thief)
  const again = await switchingOn(thief)
  for (const seeds of [[], sealTo([anna.user.id, browserId], [1])]) {
    const { n } = (await ownKeysOf(thief)).browsers.mode
    const body = { ...again, ...signMode(anna, true, n + 1), onlyApproved: true as const, seeds }
    await thief.call(browsers.setMode, { body })
    expect([await isApproved(anna), await isApproved(thief)]).toEqual([true, false])
  }
})

test('a browser to which nothing is sealed when the mode is switched on is not approved by it', async () => {
  const anna = await server.signUp()
  const { browserId } = await listBrowser(anna)
  const other = await signInElsewhere(server, anna)
  await listBrowser(other)
  const body = await switchingOn(anna)
  await anna.call(browsers.setMode, { body: { ...body, seeds: sealTo([anna.user.id, browserId], [1]) } })
  expect([await isApproved(anna), await isApproved(other)]).toEqual([true, false])
})

test('once the mode is off, a browser that was not approved in it removes others', async () => {
  const anna = await server.signUp()
  const { browserId: id } = await listBrowser(anna)
  await switchOn(anna)
  const other = await signInElsewhere(server, anna)
  await listBrowser(other)
  await switchOff(anna)
  await other.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
  expect(await anna.refused(browsers.list, {})).toMatchObject({ status: 401 })
})

test('a browser that lacks only a seed that is due for destruction counts as approved', async () => {
  const anna = await server.signUp()
  await listBrowser(anna)
  const other = await signInElsewhere(server, anna)
  const { browserId } = await listBrowser(other)
  await switchOn(anna)
  const { db } = server.core
  await db.write((tx) => tx.run('delete from sealed_seeds where browser_id = ?', [browserId]))
  expect(await isApproved(other)).toBe(false)
  const end = server.clock.now() - limits.retention
  const change = 'update epochs set starts_at = ?, ends_at = ?, used_until = ? where user_id = ?'
  await db.write((tx) => tx.run(change, [end - limits.epochDuration, end, end, anna.user.id]))
  expect(await isApproved(other)).toBe(true)
})

test('browsers out of the list are kept up to ten, approved ones first', async () => {
  const anna = await server.signUp()
  const { browserId } = await listBrowser(anna)
  await switchOn(anna)
  // As where ten others are approved too: an approved one leaves the list.
  const unlist = 'update browsers set is_listed = 0, last_used_at = 0 where browser_id = ?'
  await server.core.db.write((tx) => tx.run(unlist, [browserId]))
  const thief = await signInElsewhere(server, anna)
  for (let times = 0; times < 3 * limits.browsers; times++) {
    const entry = makeEntry(anna, newId(startOfTests))
    await thief.call(browsers.putOwn, await renewal(thief, entry, { seeds: sealTo([entry.browserId], [1]) }))
  }
  const rows = 'select browser_id from browsers where user_id = ?'
  expect(await server.core.db.read.all(rows, [anna.user.id])).toHaveLength(2 * limits.browsers)
  const sealed = 'select browser_id from sealed_seeds where user_id = ? and browser_id <> user_id'
  expect(await server.core.db.read.all(sealed, [anna.user.id])).toHaveLength(2 * limits.browsers)
  expect(await numbersSealedTo(anna, browserId)).toEqual([1])
})

test('a browser that is not approved approves, removes and switches off nothing', async () => {
  const anna = await server.signUp()
  const own = await listBrowser(anna)
  await switchOn(anna)
  const elsewhere = await signInElsewhere(server, anna)
  const { browserId } = await listBrowser(elsewhere)
  const third = await listBrowser(await signInElsewhere(server, anna))
  expect([await isApproved(anna), await isApproved(elsewhere)]).toEqual([true, false])
  const commitment = random(32)
  const asker = await signInElsewhere(server, anna)
  const asking = await listBrowser(asker)
  await asker.call(browsers.startApproval, { params: { id: asking.browserId }, body: { commitment } })
  const off = { ...signMode(anna, false, 2), onlyApproved: false as const, after: 1, wrapped: [] }
  const seeds = sealTo([third.browserId], [1])
  const renewed = { ...renewing(anna), seeds: sealTo([anna.user.id], [1]), after: 1 }
  const answer = { commitment, approverId: browserId, nonce: random(32) }
  const attempts = () => [
    elsewhere.refused(browsers.setMode, { body: off }),
    elsewhere.refused(browsers.remove, {
      params: { id: own.browserId },
      body: makeRemoval(anna, own.browserId),
    }),
    elsewhere.refused(browsers.approve, {
      params: { id: third.browserId },
      body: approval(anna, third.browserId, 1, seeds),
    }),
    elsewhere.refused(browsers.answerApproval, { params: { id: asking.browserId }, body: answer }),
    elsewhere.refused(browsers.endApproval, { params: { id: asking.browserId } }),
    elsewhere.refused(account.renewRecoveryKey, { body: renewed }),
  ]
  for (const attempt of attempts()) expect(await code(attempt)).toBe('BROWSER_NOT_APPROVED')
  expect((await ownKeysOf(anna, own.browserId)).browsers).toMatchObject({ mode: { onlyApproved: true, n: 1 } })
  expect(await numbersSealedTo(anna, third.browserId)).toEqual([])
  // With the recovery key it approves itself, and then may do all of it.
  const params = { id: browserId }
  const recoveryProof = anna.keys?.recoveryProof
  await elsewhere.call(browsers.approve, {
    params,
    body: { ...approval(anna, browserId, 1, sealTo([browserId], [1])), recoveryProof },
  })
  expect(await isApproved(elsewhere)).toBe(true)
  await elsewhere.call(browsers.answerApproval, { params: { id: asking.browserId }, body: answer })
  await elsewhere.call(account.renewRecoveryKey, { body: renewed })
  await elsewhere.call(browsers.setMode, { body: off })
})

test('time alone approves no browser, and one that lacks a seed is not approved any more', async () => {
  await using own = await createTestServer()
  const anna = await own.signUp()
  const first = await listBrowser(anna)
  await switchOn(anna)
  const { browserId } = await listBrowser(await signInElsewhere(own, anna))
  own.clock.advance(1)
  await anna.call(keys.publishEpochs, { body: await makeSealedPublication(anna, own.clock.now(), first) })
  await own.advance(limits.retention)
  const back = await signInElsewhere(own, anna)
  const approved = async () => (await ownKeysOf(back, browserId)).browsers.isApproved
  expect([await numbersSealedTo(back, browserId), await approved()]).toEqual([[2], false])
  await own.core.db.write((tx) => tx.run('update browsers set approved_at = 1'))
  expect(await approved()).toBe(true)
  await own.core.db.write((tx) => tx.run('delete from sealed_seeds where browser_id = ?', [browserId]))
  expect(await approved()).toBe(false)
})

test('the publication after a removal is not limited: the removed browser would go on reading', async () => {
  await using own = await createTestServer()
  const anna = await own.signUp()
  const first = await listBrowser(anna)
  await switchOn(anna)
  own.clock.advance(1)
  await anna.call(keys.publishEpochs, { body: await makeSealedPublication(anna, own.clock.now(), first) })
  own.core.rates.take('publication', anna.user.id, rateLimits.publication.requests)
  const before = (await ownKeysOf(anna, first.browserId)).browsers.own ?? first
  own.clock.advance(1)
  const body = await makeSealedPublication(anna, own.clock.now(), before)
  expect(await code(anna.refused(keys.publishEpochs, { body }))).toBe('RATE_LIMITED')
  const { browserId: id } = await listBrowser(await signInElsewhere(own, anna))
  await anna.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
  await anna.call(keys.publishEpochs, { body: await makeSealedPublication(anna, own.clock.now(), before) })
  own.clock.advance(1)
  const next = await makeSealedPublication(
    anna,
    own.clock.now(),
    (await ownKeysOf(anna, first.browserId)).browsers.own ?? first,
  )
  expect(await code(anna.refused(keys.publishEpochs, { body: next }))).toBe('RATE_LIMITED')
})

test('a seed under the account key that opens for nobody does not keep the mode off', async () => {
  const anna = await server.signUp()
  const { browserId } = await listBrowser(anna)
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, server.clock.now())))
  const body = await switchingOn(anna)
  const seeds = body.seeds.filter(({ n }) => n === 1)
  expect(await code(anna.refused(browsers.setMode, { body: { ...body, seeds } }))).toBe('INVALID_INPUT')
  await anna.call(browsers.setMode, { body: { ...body, seeds, damaged: [2] } })
  const { epochs, browsers: list } = await ownKeysOf(anna, browserId)
  expect(epochs.map(({ sealedSeed, wrappedSeed }) => [sealedSeed !== undefined, wrappedSeed])).toEqual([
    [true, undefined],
    [false, undefined],
  ])
  expect(list).toMatchObject({ mode: { onlyApproved: true }, isApproved: true })
})

test('all publications that are allowed leave room for the epochs of removals and of new keys', async () => {
  await using own = await createTestServer()
  const anna = await own.signUp()
  const { requests, window } = rateLimits.publication
  let newest = 1
  let published = 0
  const refusals: number[] = []
  async function publishWeek(): Promise<void> {
    own.clock.advance(1)
    const back = await signInElsewhere(own, anna)
    const first = makeEpoch(anna.user.id, newest + 1, own.clock.now())
    const ahead = makeEpochsAhead(first)
    const body = publication(first, ...ahead)
    const { status, headers } = await back.request('POST', '/api/keys/epochs', body.body)
    if (status === 429) return void refusals.push(Number(headers.get('retry-after')))
    published += 1
    newest = first.n + ahead.length
  }
  await publishWeek()
  own.clock.advance(window - requests)
  for (let at = 1; at < 2 * requests; at++) await publishWeek()
  const living = (await ownKeysOf(await signInElsewhere(own, anna))).epochs.length
  // 4 for new keys and 6 for publications after removals.
  expect(living).toBeLessThanOrEqual(maxLiveEpochs - 4 - 6)
  expect(published).toBeGreaterThan(28)
  expect(refusals[0]).toBeGreaterThan(0)
})

test('however often browsers are removed, so few epochs live that new keys can name them', async () => {
  await using own = await createTestServer()
  const anna = await own.signUp()
  const { browserId } = await listBrowser(anna)
  await switchOn(anna)
  const others: string[] = []
  const refusals: string[] = []
  for (let removals = 0; removals <= maxLiveEpochs; removals++) {
    own.clock.advance(10_000)
    const elsewhere = others.length === 0 ? await signInElsewhere(own, anna) : undefined
    while (elsewhere && others.length < limits.browsers - 1)
      others.push((await listBrowser(elsewhere, undefined, own.clock.now())).browserId)
    const id = others.pop() as string
    await anna.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
    const entry = (await ownKeysOf(anna, browserId)).browsers.own as BrowserEntry
    const body = await makeSealedPublication(anna, own.clock.now(), entry)
    await anna.call(keys.publishEpochs, { body }).catch(({ message }: Error) => void refusals.push(message))
  }
  expect(refusals.find((refusal) => !refusal.includes('RATE_LIMITED'))).toBeUndefined()
  const replacement = makeSealedReplacement(await ownKeysOf(anna, browserId), browserId)
  const changed = { currentPassword: anna.password, newPassword: 'a new password', wrappedAccountKey: wrapped() }
  await anna.call(account.changePassword, { body: { ...changed, replacement } })
})
