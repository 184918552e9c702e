import { account } from '@privity/contract/account'
import type { SealedSeed } from '@privity/contract/browserKeys'
import { browsers } from '@privity/contract/browsers'
import { type KeyReplacement, keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
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
  switchingOn,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { makeReplacement, makeSealedReplacement, renewing } from '../../support/scenes/keyReplacement.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { makeEpoch, publication, wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const code = async (refusal: Promise<{ body: { code: string } }>) => (await refusal).body.code
const sealedIn = (seeds: readonly SealedSeed[] = [], n: number, browserId: string) =>
  seeds.find((seed) => seed.n === n && seed.browserId === browserId)?.sealed

/** Anna's two browsers, listed before she switches the mode on. */
async function listTwo() {
  const anna = await server.signUp()
  const first = await listBrowser(anna)
  const elsewhere = await signInElsewhere(server, anna)
  const second = await listBrowser(elsewhere)
  await switchOn(anna)
  server.clock.advance(1)
  return { anna, first, elsewhere, second }
}

describe('only approved browsers', () => {
  test('no seed stays under the account key, and each browser gets what is sealed to it', async () => {
    const anna = await server.signUp()
    const { browserId } = await listBrowser(anna)
    const body = await switchingOn(anna)
    await anna.call(browsers.setMode, { body })
    const own = await ownKeysOf(anna, browserId)
    expect(own.browsers).toMatchObject({ mode: { onlyApproved: true, n: 1 }, isPublicationDue: true })
    expect(own.epochs.map(({ wrappedSeed, sealedSeed }) => [wrappedSeed, sealedSeed])).toEqual([
      [undefined, body.seeds.find((seed) => seed.browserId === browserId)?.sealed],
    ])
    expect((await ownKeysOf(anna, newId(startOfTests))).epochs[0]?.sealedSeed).toBeUndefined()
    const kept = body.seeds.find((seed) => seed.browserId === anna.user.id)
    expect(await anna.call(browsers.listRecoverySeeds, {})).toEqual([{ n: 1, sealed: kept?.sealed }])
  })

  test('it is switched on for all seeds and all browsers, or not at all', async () => {
    const anna = await server.signUp()
    await listBrowser(anna)
    const body = await switchingOn(anna)
    const bodies: [typeof body, string][] = [
      [{ ...body, seeds: body.seeds.slice(1) }, 'INVALID_INPUT'],
      [{ ...body, seeds: [...body.seeds, ...sealTo([newId(startOfTests)], [1])] }, 'INVALID_INPUT'],
      [{ ...body, signature: signMode(anna, false, body.n).signature }, 'INVALID_INPUT'],
      [{ ...body, n: 2 }, 'INVALID_INPUT'],
      [{ ...body, listed: [] }, 'BROWSERS_CHANGED'],
      [{ ...body, recovery: body.signature }, 'BROWSERS_CHANGED'],
      [{ ...body, ...signMode(anna, true, 2 ** 32 - 1), onlyApproved: true }, 'BROWSERS_CHANGED'],
      [{ ...body, after: 2 }, 'EPOCH_CONFLICT'],
    ]
    for (const [bad, refusal] of bodies) expect(await code(anna.refused(browsers.setMode, { body: bad }))).toBe(refusal)
    expect((await ownKeysOf(anna)).epochs[0]?.wrappedSeed).toBeDefined()
    await anna.call(browsers.setMode, { body })
    expect(await code(anna.refused(browsers.setMode, { body }))).toBe('BROWSERS_CHANGED')
  })

  test('a publication is sealed to the list of now, and renews the entry of its browser', async () => {
    const anna = await server.signUp()
    const first = await listBrowser(anna)
    await switchOn(anna)
    server.clock.advance(1)
    const unsealed = publication(makeEpoch(anna.user.id, 2, server.clock.now()))
    expect(await code(anna.refused(keys.publishEpochs, unsealed))).toBe('BROWSERS_CHANGED')
    const body = await makeSealedPublication(anna, server.clock.now(), first)
    const elsewhere = await signInElsewhere(server, anna)
    const second = await listBrowser(elsewhere)
    expect(await code(anna.refused(keys.publishEpochs, { body }))).toBe('BROWSERS_CHANGED')
    const again = await makeSealedPublication(anna, server.clock.now(), first)
    const seeds = sealTo([newId(startOfTests)], [2])
    const toOthers = { ...again, sealing: { ...again.sealing, seeds } }
    expect(await code(anna.refused(keys.publishEpochs, { body: toOthers }))).toBe('INVALID_INPUT')
    await anna.call(keys.publishEpochs, { body: again })
    expect(await numbersSealedTo(anna, first.browserId)).toEqual([1, 2])
    expect(await numbersSealedTo(elsewhere, second.browserId)).toEqual([2])
    expect((await ownKeysOf(anna, first.browserId)).browsers).toMatchObject({
      own: again.sealing.renewal.entry,
      isPublicationDue: false,
    })
  })

  test('a publication is refused that is sealed to a removed browser, or to a former entry', async () => {
    const { anna, first, elsewhere, second } = await listTwo()
    const before = await makeSealedPublication(anna, server.clock.now(), first)
    const next = makeEntry(anna, second.browserId, second)
    const seeds = sealTo([second.browserId], [1])
    await elsewhere.call(browsers.putOwn, await renewal(elsewhere, next, { seen: [1], seeds }))
    expect(await code(anna.refused(keys.publishEpochs, { body: before }))).toBe('BROWSERS_CHANGED')
    const toBoth = await makeSealedPublication(anna, server.clock.now(), first)
    const params = { id: second.browserId }
    await anna.call(browsers.remove, { params, body: makeRemoval(anna, second.browserId) })
    expect(await code(anna.refused(keys.publishEpochs, { body: toBoth }))).toBe('BROWSERS_CHANGED')
  })

  test('a publication replaces no seed of another browser', async () => {
    const { anna, first, second } = await listTwo()
    const sealed = async () => (await ownKeysOf(anna, second.browserId)).epochs[0]?.sealedSeed
    const before = await sealed()
    const { epochs, sealing } = await makeSealedPublication(anna, server.clock.now(), first)
    const seeds = [...sealing.seeds, ...sealTo([second.browserId], [1])]
    await anna.call(keys.publishEpochs, { body: { epochs, sealing: { ...sealing, seeds } } })
    expect(await numbersSealedTo(anna, second.browserId)).toEqual([1, 2])
    expect(await sealed()).toBe(before)
  })

  test('a browser that was pushed out of the list is in it again with its next entry', async () => {
    const anna = await server.signUp()
    const first = await listBrowser(anna)
    await switchOn(anna)
    const unlist = 'update browsers set is_listed = 0 where browser_id = ?'
    await server.core.db.write((tx) => tx.run(unlist, [first.browserId]))
    const seeds = sealTo([first.browserId], [1])
    const next = makeEntry(anna, first.browserId, first)
    await anna.call(browsers.putOwn, await renewal(anna, next, { seen: [1], seeds }))
    expect((await ownKeysOf(anna, first.browserId)).browsers).toMatchObject({ isListed: true, isApproved: true })
  })

  test('an entry is not renewed before its browser has seen what was sealed to it', async () => {
    const anna = await server.signUp()
    const approver = await listBrowser(anna)
    await switchOn(anna)
    const elsewhere = await signInElsewhere(server, anna)
    const entry = await listBrowser(elsewhere)
    const params = { id: entry.browserId }
    const seeds = sealTo([entry.browserId], [1])
    await anna.call(browsers.approve, { params, body: approval(anna, entry.browserId, 1, seeds) })
    const next = makeEntry(anna, entry.browserId, entry)
    expect(await code(elsewhere.refused(browsers.putOwn, await renewal(elsewhere, next)))).toBe('BROWSERS_CHANGED')
    await elsewhere.call(
      browsers.putOwn,
      await renewal(elsewhere, next, { seen: [1], seeds: sealTo([entry.browserId], [1]) }),
    )
    const other = sealTo([approver.browserId], [1])
    expect(
      await code(elsewhere.refused(browsers.putOwn, await renewal(elsewhere, next, { seen: [1], seeds: other }))),
    ).toBe('INVALID_INPUT')
  })

  test('an approval replaces the seeds of one before, and is refused for an entry that is gone', async () => {
    const anna = await server.signUp()
    const own = await listBrowser(anna)
    await switchOn(anna)
    const params = { id: own.browserId }
    for (const seeds of [sealTo([own.browserId], [1, 7]), sealTo([own.browserId], [1])]) {
      await anna.call(browsers.approve, { params, body: approval(anna, own.browserId, 1, seeds) })
      expect((await ownKeysOf(anna, own.browserId)).epochs[0]?.sealedSeed).toBe(seeds[0]?.sealed)
    }
    const gone = approval(anna, own.browserId, 2, sealTo([own.browserId], [1]))
    expect(await code(anna.refused(browsers.approve, { params, body: gone }))).toBe('BROWSERS_CHANGED')
    const other = approval(anna, own.browserId, 1, sealTo([newId(startOfTests)], [1]))
    expect(await code(anna.refused(browsers.approve, { params, body: other }))).toBe('INVALID_INPUT')
  })

  test('a session without the identity key approves no browser with seeds of its own', async () => {
    const anna = await server.signUp()
    await listBrowser(anna)
    await switchOn(anna)
    const { browserId } = await listBrowser(await signInElsewhere(server, anna))
    const params = { id: browserId }
    const genuine = approval(anna, browserId, 1, sealTo([browserId], [1]))
    const rubbish = { ...genuine, seeds: sealTo([browserId], [1]) }
    expect(await code(anna.refused(browsers.approve, { params, body: rubbish }))).toBe('INVALID_INPUT')
    expect(await numbersSealedTo(anna, browserId)).toEqual([])
    await anna.call(browsers.approve, { params, body: genuine })
    expect((await ownKeysOf(anna, browserId)).epochs[0]?.sealedSeed).toBe(genuine.seeds[0]?.sealed)
  })

  test('the removal of a browser makes a publication due, and destroys what was sealed to it', async () => {
    const anna = await server.signUp()
    const own = await listBrowser(anna)
    const { browserId: id } = await listBrowser(await signInElsewhere(server, anna))
    await switchOn(anna)
    server.clock.advance(1)
    await anna.call(keys.publishEpochs, { body: await makeSealedPublication(anna, server.clock.now(), own) })
    expect(await numbersSealedTo(anna, id)).toEqual([1, 2])
    await anna.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
    expect(await numbersSealedTo(anna, id)).toEqual([])
    expect((await ownKeysOf(anna)).browsers.isPublicationDue).toBe(true)
  })

  test('new keys leave this browser alone in the list, with every seed sealed to it', async () => {
    const anna = await server.signUp()
    const { browserId } = await listBrowser(anna)
    const { browserId: lost } = await listBrowser(await signInElsewhere(server, anna))
    await switchOn(anna)
    const own = await ownKeysOf(anna, browserId)
    const change = { currentPassword: anna.password, newPassword: 'a new password', wrappedAccountKey: wrapped() }
    const unsealed = { ...change, replacement: makeReplacement(own) }
    expect(await code(anna.refused(account.changePassword, { body: unsealed }))).toBe('BROWSERS_CHANGED')
    const replacement = makeSealedReplacement(own, browserId)
    const elsewhere = makeSealedReplacement(own, newId(startOfTests))
    for (const [bad, refusal] of [
      [elsewhere, 'BROWSERS_CHANGED'],
      [{ ...replacement, mode: undefined }, 'BROWSERS_CHANGED'],
      [{ ...replacement, mode: signMode(anna, true, 2) }, 'INVALID_INPUT'],
      [{ ...replacement, epoch: { ...replacement.epoch, wrappedSeed: wrapped() } }, 'INVALID_INPUT'],
      [{ ...replacement, browser: { ...replacement.browser, entry: makeEntry(anna, browserId) } }, 'INVALID_INPUT'],
    ] as [KeyReplacement, string][])
      expect(await code(anna.refused(account.changePassword, { body: { ...change, replacement: bad } }))).toBe(refusal)
    expect(await ownKeysOf(anna, browserId)).toEqual(own)
    await anna.call(account.changePassword, { body: { ...change, replacement } })
    const after = await ownKeysOf(anna, browserId)
    expect(after.browsers.browsers).toEqual([replacement.browser?.entry])
    expect(after.epochs.map(({ wrappedSeed, sealedSeed }) => [wrappedSeed, sealedSeed])).toEqual(
      [1, 2].map((n) => [undefined, sealedIn(replacement.browser?.seeds, n, browserId)]),
    )
    const kept = [1, 2].map((n) => ({ n, sealed: sealedIn(replacement.browser?.seeds, n, anna.user.id) }))
    expect(await anna.call(browsers.listRecoverySeeds, {})).toEqual(kept)
    expect(await numbersSealedTo(anna, lost)).toEqual([])
  })

  test('a new recovery key comes with the seeds sealed to it, or not at all', async () => {
    const anna = await server.signUp()
    await listBrowser(anna)
    await switchOn(anna)
    const before = await anna.call(browsers.listRecoverySeeds, {})
    const { browsers: list } = await ownKeysOf(anna)
    const body = renewing(anna)
    expect(await code(anna.refused(account.renewRecoveryKey, { body }))).toBe('BROWSERS_CHANGED')
    const toAnother = { ...body, seeds: sealTo([newId(startOfTests)], [1]), after: 1 }
    expect(await code(anna.refused(account.renewRecoveryKey, { body: toAnother }))).toBe('INVALID_INPUT')
    expect(await anna.call(browsers.listRecoverySeeds, {})).toEqual(before)
    expect((await ownKeysOf(anna)).browsers).toEqual(list)
    const seeds = sealTo([anna.user.id], [1])
    for (const after of [undefined, 2])
      expect(await code(anna.refused(account.renewRecoveryKey, { body: { ...body, seeds, after } }))).toBe(
        'EPOCH_CONFLICT',
      )
    await anna.call(account.renewRecoveryKey, { body: { ...body, seeds, after: 1 } })
    expect(await anna.call(browsers.listRecoverySeeds, {})).toEqual([{ n: 1, sealed: seeds[0]?.sealed }])
    expect((await ownKeysOf(anna)).browsers.recovery).toEqual(body.recovery)
  })

  test('switched off, the seeds are under the account key again', async () => {
    const anna = await server.signUp()
    await listBrowser(anna)
    await switchOn(anna)
    const mode = { ...signMode(anna, false, 2), onlyApproved: false as const }
    const body = { ...mode, after: 1, wrapped: [{ n: 1, wrappedSeed: wrapped() }] }
    await anna.call(browsers.setMode, { body })
    const own = await ownKeysOf(anna)
    expect(own.epochs[0]?.wrappedSeed).toBe(body.wrapped[0]?.wrappedSeed)
    expect(own.browsers).toMatchObject({ mode: { onlyApproved: false, n: 2 }, isPublicationDue: false })
  })

  test('an organization that requires it lets nobody switch it off', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    await listBrowser(anna)
    expect((await ownKeysOf(anna)).browsers.isModeRequired).toBe(false)
    await setPolicy(own, { onlyApprovedBrowsers: true })
    expect((await ownKeysOf(anna)).browsers).toMatchObject({ isModeRequired: true, mode: { onlyApproved: false } })
    await switchOn(anna)
    const body = { ...signMode(anna, false, 2), onlyApproved: false as const, after: 1, wrapped: [] }
    expect(await code(anna.refused(browsers.setMode, { body }))).toBe('MODE_REQUIRED')
    await setPolicy(own, {})
    await anna.call(browsers.setMode, { body })
  })

  test('sealed seeds are destroyed 24 hours after their epoch, whoever is there', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    await listBrowser(anna)
    await switchOn(anna)
    await own.advance(limits.epochDuration + limits.retention)
    expect(await own.core.db.read.all('select n from sealed_seeds')).toEqual([])
    expect(await own.core.db.read.all('select n, is_destroyed from epochs')).toEqual([{ n: 1, is_destroyed: 1 }])
  })
})
