import { account } from '@privity/contract/account'
import { browsers } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import { networkOf } from '../../../src/core/rateLimits/rateLimits.ts'
import {
  approval,
  binding,
  browserKeyOf,
  listBrowser,
  makeEntry,
  makeSealedPublication,
  numbersSealedTo,
  ownKeysOf,
  renewal,
  sealTo,
  sessionSignature,
  signInElsewhere,
  signMode,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { makeSealedReplacement, renewing } from '../../support/scenes/keyReplacement.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { random, wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const code = async (refusal: Promise<{ body: { code: string } }>) => (await refusal).body.code

/** Anna with an approved browser, and a thief with her password and identity key in a browser that is not approved. */
async function begin(own = server) {
  const anna = await own.signUp()
  const approved = await listBrowser(anna)
  await switchOn(anna)
  const thief = await signInElsewhere(own, anna)
  const { browserId: ownId } = await listBrowser(thief)
  const isApproved = async (member: Member) => (await member.call(browsers.list, {}))[0]?.isApproved
  const off = { ...signMode(anna, false, 2), onlyApproved: false as const, after: 1, wrapped: [] }
  /** Whether the server takes the thief's session for that of an approved browser. */
  async function passes(): Promise<boolean> {
    return (await code(thief.refused(browsers.setMode, { body: off }))) !== 'BROWSER_NOT_APPROVED'
  }
  return { anna, approved, approvedId: approved.browserId, thief, ownId, isApproved, passes }
}

describe('the key of a browser', () => {
  test('binds a session to it; that of another browser does not', async () => {
    const { thief, approvedId, ownId, passes } = await begin()
    expect(await code(thief.refused(browsers.bind, await binding(thief, approvedId, { browserId: ownId })))).toBe(
      'INVALID_INPUT',
    )
    expect(await passes()).toBe(false)
  })

  test('binds the session that it has signed, and no other', async () => {
    const { anna, thief, approvedId, passes } = await begin()
    const bound = await binding(anna, approvedId)
    await anna.call(browsers.bind, bound)
    await anna.call(browsers.bind, bound)
    expect(await code(thief.refused(browsers.bind, bound))).toBe('INVALID_INPUT')
    expect(await passes()).toBe(false)
  })

  test('binds it to the browser and for the user that it has signed', async () => {
    const { anna, approvedId, ownId } = await begin()
    const bela = await server.signUp()
    const { browserId } = await listBrowser(bela)
    const ofOwn = { params: { id: approvedId }, body: { sessionSignature: await sessionSignature(anna, ownId) } }
    const ofBela = { params: { id: approvedId }, body: { sessionSignature: await sessionSignature(bela, browserId) } }
    for (const wrong of [ofOwn, ofBela]) expect(await code(anna.refused(browsers.bind, wrong))).toBe('INVALID_INPUT')
    expect(await code(bela.refused(browsers.bind, await binding(bela, approvedId)))).toBe('BROWSER_NOT_FOUND')
  })

  test('has no signature of another form', async () => {
    const { anna, approvedId: id } = await begin()
    const good = await sessionSignature(anna, id)
    // The last character has two bits that belong to no byte.
    const padded = `${good.slice(0, -1)}${String.fromCharCode(good.charCodeAt(85) + 1)}`
    for (const sessionSignature of ['', random(63), random(65), random(64), padded])
      expect(await code(anna.refused(browsers.bind, { params: { id }, body: { sessionSignature } }))).toBe(
        'INVALID_INPUT',
      )
  })

  test('signs the next entry: no other key goes on under the id', async () => {
    const { anna, approved, approvedId, thief, ownId, passes } = await begin()
    const listed = await ownKeysOf(anna, approvedId)
    const [genuine, other] = [makeEntry(anna, approvedId, approved), { browserId: ownId }]
    const ofThief = await sessionSignature(thief, approvedId, other)
    // As if the approved browser had signed the thief's session too.
    const ofApproved = await sessionSignature(thief, approvedId, genuine)
    const { signKey } = browserKeyOf(other)
    for (const [entry, signature, path] of [
      [makeEntry(anna, approvedId, approved, { signKey }, other), ofThief, 'browserSignature'],
      [makeEntry(anna, approvedId, approved, { signKey: approved.signKey }, other), ofApproved, 'browserSignature'],
      [makeEntry(anna, approvedId, approved, {}, genuine), ofApproved, 'browserSignature'],
      [{ ...genuine, browserSignature: genuine.signature }, ofApproved, 'browserSignature'],
      [{ ...genuine, browserSignature: approved.browserSignature }, ofApproved, 'browserSignature'],
      [{ ...genuine, browserSignature: random(64) }, ofApproved, 'browserSignature'],
      // An entry that somebody has seen who breaks the connection, or in a database of later.
      [genuine, ofThief, 'sessionSignature'],
      [genuine, await sessionSignature(anna, approvedId, genuine), 'sessionSignature'],
    ] as const) {
      const body = await renewal(thief, entry, { seen: [1], sessionSignature: signature })
      expect((await thief.refused(browsers.putOwn, body)).body).toMatchObject({ details: [{ path }] })
    }
    expect(await passes()).toBe(false)
    expect((await ownKeysOf(anna, approvedId)).browsers).toEqual(listed.browsers)
    await anna.call(browsers.putOwn, await renewal(anna, genuine, { seen: [1], seeds: sealTo([approvedId], [1]) }))
  })

  test('signs the first entry', async () => {
    const anna = await server.signUp()
    const entry = makeEntry(anna, newId(startOfTests))
    for (const bad of [
      { ...entry, signKey: browserKeyOf({ browserId: newId(startOfTests) }).signKey },
      makeEntry(anna, entry.browserId, undefined, {}, { browserId: newId(startOfTests) }),
      { ...entry, browserSignature: entry.signature },
      { ...entry, signKey: random(31) },
    ])
      expect(await code(anna.refused(browsers.putOwn, await renewal(anna, bad)))).toBe('INVALID_INPUT')
    await anna.call(browsers.putOwn, await renewal(anna, entry))
  })

  test('signs what it publishes', async () => {
    const { anna, approved, approvedId, thief, ownId, passes } = await begin()
    server.clock.advance(1)
    const other = { browserId: ownId }
    const entry = makeEntry(anna, approvedId, approved, { signKey: browserKeyOf(other).signKey }, other)
    const stolen = { entry, sessionSignature: await sessionSignature(thief, approvedId, other) }
    const body = await makeSealedPublication(thief, server.clock.now(), approved, stolen)
    expect(await code(thief.refused(keys.publishEpochs, { body }))).toBe('INVALID_INPUT')
    const genuine = await makeSealedPublication(anna, server.clock.now(), approved)
    expect(await code(thief.refused(keys.publishEpochs, { body: genuine }))).toBe('INVALID_INPUT')
    expect(await passes()).toBe(false)
    expect(await numbersSealedTo(anna, approvedId)).toEqual([1])
  })

  test('counts while the browser is out of the list, and its id is never listed again', async () => {
    await using own = await createTestServer()
    const { anna, approved, approvedId, thief, ownId, passes } = await begin(own)
    for (let at = 0; at < limits.browsers; at++) {
      own.clock.advance(1)
      await listBrowser(anna)
      // One that is approved leaves the list only where all are.
      await own.core.db.write((tx) => tx.run('update browsers set approved_at = 1 where approved_at is null', []))
    }
    expect((await ownKeysOf(anna, approvedId)).browsers).toMatchObject({ isListed: false, own: approved })
    const other = { browserId: ownId }
    const { signKey } = browserKeyOf(other)
    const next = makeEntry(anna, approvedId, approved, { signKey }, other)
    const session = { sessionSignature: await sessionSignature(thief, approvedId, other) }
    expect(await code(thief.refused(browsers.putOwn, await renewal(thief, next, { seen: [1], ...session })))).toBe(
      'INVALID_INPUT',
    )
    // Its seeds destroyed with their epochs, the list forgets the browser, and with it that it was approved.
    await own.core.db.write((tx) => tx.run('delete from sealed_seeds where browser_id = ?', [approvedId]))
    own.clock.advance(limits.clockTolerance + 1)
    const createdAt = own.clock.now()
    await listBrowser(anna, undefined, createdAt)
    expect((await ownKeysOf(anna, approvedId)).browsers.own).toBeUndefined()
    const first = makeEntry(anna, approvedId, undefined, { signKey, createdAt }, other)
    expect((await thief.refused(browsers.putOwn, await renewal(thief, first, session))).body).toMatchObject({
      details: [{ path: 'createdAt' }],
    })
    expect(await passes()).toBe(false)
  })

  test('of the browser that makes new keys signs its next entry', async () => {
    const { anna, approvedId, thief, ownId } = await begin()
    const own = await ownKeysOf(thief, ownId)
    const change = { currentPassword: anna.password, newPassword: 'a new password', wrappedAccountKey: wrapped() }
    const signer = { browserId: ownId }
    const asApproved = { ...change, replacement: makeSealedReplacement(own, approvedId, { signer }) }
    expect(await code(thief.refused(account.changePassword, { body: asApproved }))).toBe('INVALID_INPUT')
    const replacement = makeSealedReplacement(own, ownId)
    const { browser: made } = replacement
    const unsigned = { ...made, entry: { ...made?.entry, browserSignature: random(64) } }
    const bad = { ...change, replacement: { ...replacement, browser: unsigned as typeof made } }
    expect(await code(thief.refused(account.changePassword, { body: bad }))).toBe('INVALID_INPUT')
    await thief.call(account.changePassword, { body: { ...change, replacement } })
    const after = await ownKeysOf(thief, ownId)
    expect(after.browsers).toMatchObject({ browsers: [made?.entry], isBound: false })
    expect(await code(thief.refused(browsers.bind, await binding(thief, ownId)))).toBe('INVALID_INPUT')
    await thief.call(browsers.bind, await binding(thief, ownId, made?.entry))
    expect((await ownKeysOf(thief, ownId)).browsers).toMatchObject({ isBound: true, isApproved: true })
  })
})

describe('the approval of a browser by itself', () => {
  const approving = (anna: Member, id: string, recoveryProof?: string) => ({
    params: { id },
    body: { ...approval(anna, id, 1, sealTo([id], [1])), recoveryProof },
  })

  test('needs the recovery key, although the identity key has signed it', async () => {
    const { anna, thief, ownId, isApproved, passes } = await begin()
    const bela = await server.signUp()
    expect(await code(thief.refused(browsers.approve, approving(anna, ownId)))).toBe('BROWSER_NOT_APPROVED')
    for (const proof of [random(32), bela.keys?.recoveryProof])
      expect(await code(thief.refused(browsers.approve, approving(anna, ownId, proof)))).toBe('RECOVERY_REFUSED')
    expect([await isApproved(thief), await passes(), await numbersSealedTo(anna, ownId)]).toEqual([false, false, []])
    await thief.call(browsers.approve, approving(anna, ownId, anna.keys?.recoveryProof))
    expect(await isApproved(thief)).toBe(true)
  })

  test('approves no other browser', async () => {
    const { anna, thief } = await begin()
    const { browserId } = await listBrowser(await signInElsewhere(server, anna))
    const other = approving(anna, browserId, anna.keys?.recoveryProof)
    expect(await code(thief.refused(browsers.approve, other))).toBe('BROWSER_NOT_FOUND')
    expect(await numbersSealedTo(anna, browserId)).toEqual([])
  })

  test('needs the recovery key of now', async () => {
    const { anna, thief, ownId } = await begin()
    const renewed = { ...renewing(anna), seeds: sealTo([anna.user.id], [1]), after: 1 }
    await anna.call(account.renewRecoveryKey, { body: renewed })
    const former = approving(anna, ownId, anna.keys?.recoveryProof)
    expect(await code(thief.refused(browsers.approve, former))).toBe('RECOVERY_REFUSED')
    await thief.call(browsers.approve, approving(anna, ownId, renewed.recoveryProof))
  })

  test('counts against the address as a recovery does, and locks nobody', async () => {
    await using own = await createTestServer()
    const { anna, thief, ownId } = await begin(own)
    const wrong = () => code(thief.refused(browsers.approve, approving(anna, ownId, random(32))))
    expect(await wrong()).toBe('RECOVERY_REFUSED')
    const events = 'select event_type, user_id from security_events where event_type = ?'
    expect(await own.core.db.read.all(events, ['failed_recovery'])).toEqual([
      { event_type: 'failed_recovery', user_id: anna.user.id },
    ])
    await signInElsewhere(own, anna)
    own.core.rates.take('signIn', networkOf(thief.address), rateLimits.signIn.requests - 10)
    const answers: string[] = []
    for (let at = 0; at < 10; at++) answers.push(await wrong())
    expect(answers.at(-1)).toBe('RATE_LIMITED')
  })
})
