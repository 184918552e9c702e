import { keys } from '@privity/contract/keys'
import { limits, rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import {
  makeEpoch,
  makeEpochsAhead,
  type NewEpoch,
  publication,
  random,
  signEpoch,
} from '../../support/server/memberKeys.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const hour = 60 * 60_000
const { epochDuration, epochsAhead, retention } = limits

const publish = async (member: Member, n: number) => {
  const epoch = makeEpoch(member.user.id, n, server.clock.now())
  await member.call(keys.publishEpochs, publication(epoch))
  return epoch
}

const firstOf = (member: Member) => (member.keys as NonNullable<typeof member.keys>).epoch

const numbersOf = async (member: Member) => (await member.call(keys.getOwn, { query: {} })).epochs.map(({ n }) => n)

/** Signs in anew: a session that nobody uses for a day has ended. */
async function back(own: TestServer, { user, password }: Member): Promise<Member> {
  const visitor = own.visitor()
  await visitor.request('POST', '/api/login', { username: user.username, password })
  return visitor as Member
}

describe("one's own keys", () => {
  test('come back as they were given', async () => {
    const member = await server.signUp()
    const given = member.keys as NonNullable<typeof member.keys>
    expect(await member.call(keys.getOwn, { query: {} })).toEqual({
      userId: member.user.id,
      identityKey: given.identityKey,
      wrappedIdentitySeed: given.wrappedIdentitySeed,
      wrappedAccountKey: given.wrappedAccountKey,
      epochs: [given.epoch],
      pins: given.pins,
      browsers: {
        mode: { onlyApproved: false, n: 0 },
        isModeRequired: false,
        isApproved: true,
        isPublicationDue: false,
        isListed: false,
        isBound: false,
        browsers: [],
        removed: [],
        recovery: given.recovery,
      },
    })
  })
})

describe('epochs', () => {
  test('those of the next 7 days are published in one call, and the own browsers hear of the first', async () => {
    const [anna, bela] = [await server.signUp(), await server.signUp()]
    await server.connect(anna, bela)
    const [own, contact] = [await anna.socket(), await bela.socket()]
    const ahead = makeEpochsAhead(firstOf(anna))
    await anna.call(keys.publishEpochs, publication(...ahead))
    expect((await anna.call(keys.getOwn, { query: {} })).epochs).toEqual([firstOf(anna), ...ahead])
    const { wrappedSeed: _kept, ...open } = ahead[0] as NewEpoch
    expect((await own.next('epoch_published')).epoch).toEqual(open)
    // Contacts are given an epoch when its time has come.
    await contact.settled()
    expect(contact.frames).toEqual([])
  })

  test('one of this time is told to contacts, without the seed', async () => {
    const [anna, bela, carl] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const connection = await server.connect(anna, bela)
    const [contact, stranger] = [await bela.socket(), await carl.socket()]
    server.clock.advance(1000)
    const { wrappedSeed: _kept, ...open } = await publish(anna, 2)
    expect((await contact.next('epoch_published')).epoch).toEqual(open)
    await stranger.settled()
    expect(stranger.frames).toEqual([])
    expect(await bela.call(keys.getContactKeys, { params: { id: connection.id } })).toEqual({
      userId: anna.user.id,
      identityKey: anna.keys?.identityKey,
      former: [],
      epoch: open,
    })
  })

  test('a contact is given the one whose time it is, and the last of somebody who is away', async () => {
    await using own = await createTestServer()
    const [anna, bela] = [await own.signUp(), await own.signUp()]
    const { id } = await own.connect(anna, bela)
    await anna.call(keys.publishEpochs, publication(...makeEpochsAhead(firstOf(anna))))
    const given: number[] = []
    for (let epoch = 0; epoch < epochsAhead + 3; epoch++) {
      const { call } = await back(own, bela)
      given.push((await call(keys.getContactKeys, { params: { id } })).epoch.n)
      own.clock.advance(epochDuration)
    }
    expect(given).toEqual([...Array.from({ length: epochsAhead }, (_, i) => i + 1), 21, 21, 21])
  })

  test('any other number conflicts, also of two at the same moment, and answers the newest', async () => {
    const member = await server.signUp()
    for (const n of [1, 3]) {
      const body = makeEpoch(member.user.id, n, 1)
      const refusal = await member.refused(keys.publishEpochs, publication(body))
      expect(refusal).toMatchObject({ status: 409, body: { code: 'EPOCH_CONFLICT', details: { newest: { n: 1 } } } })
    }
    server.clock.advance(1000)
    const results = await Promise.allSettled([publish(member, 2), publish(member, 2), publish(member, 2)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await numbersOf(member)).toEqual([1, 2])
  })

  test('one that skips a number conflicts, although it is linked to the newest', async () => {
    const member = await server.signUp()
    const second = makeEpoch(member.user.id, 2, server.clock.now(), firstOf(member).endsAt)
    const refusal = await member.refused(keys.publishEpochs, publication(signEpoch({ ...second, n: 3 })))
    expect(refusal.body.code).toBe('EPOCH_CONFLICT')
  })

  test("another's epoch and those of times that no right clock gives are refused", async () => {
    const [member, other] = [await server.signUp(), await server.signUp()]
    const { user } = member
    const [now, tolerance] = [server.clock.now(), limits.clockTolerance]
    const { endsAt } = firstOf(member)
    const latest = now + (epochsAhead - 1) * epochDuration
    const wrong = [
      makeEpoch(other.user.id, 2, now),
      makeEpoch(user.id, 2, now + tolerance + 1, endsAt),
      makeEpoch(user.id, 2, now, now + tolerance + 1),
      makeEpoch(user.id, 2, now, now - tolerance - 1),
      makeEpoch(user.id, 2, now, endsAt + 1),
      makeEpoch(user.id, 2, now, latest + tolerance + 1),
      signEpoch({ ...makeEpoch(user.id, 2, now, endsAt), endsAt: endsAt + epochDuration + 1 }),
    ]
    for (const epoch of wrong)
      expect((await member.refused(keys.publishEpochs, publication(epoch))).body.code).toBe('INVALID_INPUT')
    await member.call(keys.publishEpochs, publication(makeEpoch(user.id, 2, now + tolerance, endsAt)))
  })

  test('of one call that do not follow each other none is published', async () => {
    const member = await server.signUp()
    const [second, third, ...rest] = makeEpochsAhead(firstOf(member)) as [NewEpoch, NewEpoch, ...NewEpoch[]]
    const { wrappedSeed: _seed, signature: _signature, ...unsigned } = third
    const wrong = [
      [second, ...rest],
      [second, second],
      [second, { ...third, signature: random(64) }],
      [second, signEpoch({ ...unsigned, previousHash: random(32) })],
      [second, signEpoch({ ...unsigned, startsAt: third.startsAt + 1, endsAt: third.endsAt + 1 })],
    ]
    for (const epochs of wrong)
      expect(await member.refused(keys.publishEpochs, publication(...epochs))).toMatchObject({ status: 400 })
    expect(await numbersOf(member)).toEqual([1])
  })

  test('a session alone cannot publish one: it must be signed, and follow the newest', async () => {
    const member = await server.signUp()
    const now = server.clock.now()
    const good = makeEpoch(member.user.id, 2, now, firstOf(member).endsAt)
    const before = await member.call(keys.getOwn, { query: {} })
    const foreign = makeEpoch((await server.signUp()).user.id, 2, now)
    // The last of 86 base64url characters carries 2 significant bits: another text decodes to the same bytes.
    const otherText = good.signature.slice(0, -1) + String.fromCharCode(good.signature.charCodeAt(85) + 1)
    for (const more of [
      { signature: random(64) },
      { signature: foreign.signature },
      { signature: otherText },
      { publicKey: random(1216) },
      { createdAt: now - 1 },
      { createdAt: now + 1 },
      { startsAt: good.startsAt - 1, endsAt: good.endsAt - 1 },
      { features: 1 },
    ]) {
      const refusal = await member.refused(keys.publishEpochs, publication({ ...good, ...more }))
      expect(refusal, JSON.stringify(more)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    const { wrappedSeed: _seed, signature: _signature, ...unsigned } = good
    const unlinked = signEpoch({ ...unsigned, previousHash: random(32) })
    expect(await member.refused(keys.publishEpochs, publication(unlinked))).toMatchObject({
      status: 409,
      body: { code: 'EPOCH_CONFLICT', details: { newest: { n: 1 } } },
    })
    expect(await member.call(keys.getOwn, { query: {} })).toEqual(before)
    await member.call(keys.publishEpochs, publication(good))
  })

  test('features that no version knows yet are kept as they were signed', async () => {
    const member = await server.signUp()
    const { wrappedSeed, ...unsigned } = makeEpoch(member.user.id, 2, server.clock.now(), firstOf(member).endsAt)
    const epoch = { ...signEpoch({ ...unsigned, features: 2 ** 32 - 1 }), wrappedSeed }
    await member.call(keys.publishEpochs, publication(epoch))
    expect((await member.call(keys.getOwn, { query: {} })).epochs.at(-1)).toEqual(epoch)
  })

  test('those that a clock was ahead for are followed by one of now; the unused go at once', async () => {
    await using own = await createTestServer()
    own.clock.ahead = 365 * 24 * hour
    const { anna, ben, send } = await createTalk(own)
    await anna.call(keys.publishEpochs, publication(...makeEpochsAhead(firstOf(anna))))
    await send(anna)
    own.clock.ahead = 0
    await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 22, own.clock.now())))
    expect(await numbersOf(anna)).toEqual([1, 22])
    // Used in between, so that the session does not end by its idle limit.
    await own.advance(retention / 2)
    expect(await numbersOf(anna)).toEqual([1, 22])
    await own.advance(retention / 2)
    expect(await numbersOf(anna)).toEqual([22])
    expect(ben.user.id).not.toBe(anna.user.id)
  })

  test('at most 32 publications a day, refusals not counted', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    const { id } = member.user
    let last = firstOf(member)
    const week = () => {
      const first = makeEpoch(id, last.n + 1, own.clock.now())
      const epochs = [first, ...makeEpochsAhead(first)]
      return { epochs, publish: publication(...epochs) }
    }
    for (let weeks = 0; weeks < rateLimits.publication.requests; weeks++) {
      own.clock.advance(1)
      const { epochs, publish: body } = week()
      await member.refused(keys.publishEpochs, publication({ ...(epochs[0] as NewEpoch), previousHash: random(32) }))
      await member.call(keys.publishEpochs, body)
      last = epochs.at(-1) as NewEpoch
    }
    own.clock.advance(24 * hour - rateLimits.publication.requests)
    const again = await back(own, member)
    const one = () => publication(makeEpoch(id, last.n + 1, own.clock.now()))
    expect(await again.refused(keys.publishEpochs, one())).toMatchObject({ status: 429 })
    own.clock.advance(rateLimits.publication.requests)
    await again.call(keys.publishEpochs, one())
  })

  test('an account without keys publishes none', async () => {
    const plain = await server.signUp(undefined, { keys: false })
    const epoch = makeEpoch(plain.user.id, 1, server.clock.now())
    expect((await plain.refused(keys.publishEpochs, publication(epoch))).body.code).toBe('NO_KEYS')
  })

  test('one that has ended 24 hours ago is destroyed: row, seed, and its bytes in the files', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    const { publicKey, signature } = firstOf(member)
    await member.call(keys.publishEpochs, publication(...makeEpochsAhead(firstOf(member))))
    await own.advance(epochDuration + retention - 1)
    const again = await back(own, member)
    expect((await numbersOf(again))[0]).toBe(1)
    own.clock.advance(1)
    expect((await numbersOf(again))[0]).toBe(2)
    await own.advance(60_000)
    expect(await own.core.db.read.get('select min(n) as n from epochs')).toEqual({ n: 2 })
    const bytes = await storedBytes(own.dataDir)
    expect([bytes.includes(publicKey), bytes.includes(signature)]).toEqual([false, false])
  })

  test('of a member who stays away no seed is left, and the next epoch follows the last', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    const ahead = makeEpochsAhead(firstOf(member))
    await member.call(keys.publishEpochs, publication(...ahead))
    const stored = await own.core.db.read.all<{ wrapped_seed: string }>('select wrapped_seed from epochs')
    await own.advance(epochsAhead * epochDuration + retention + 60_000)
    expect(await own.core.db.read.all('select n, wrapped_seed from epochs')).toEqual([{ n: 21, wrapped_seed: null }])
    const bytes = await storedBytes(own.dataDir)
    expect(stored).toHaveLength(epochsAhead)
    expect(stored.filter((row) => bytes.includes(row.wrapped_seed))).toEqual([])
    const again = await back(own, member)
    const { wrappedSeed: _destroyed, ...last } = ahead.at(-1) as NewEpoch
    expect((await again.call(keys.getOwn, { query: {} })).epochs).toEqual([last])
    await again.call(keys.publishEpochs, publication(makeEpoch(member.user.id, 22, own.clock.now())))
    expect(await numbersOf(again)).toEqual([22])
  })

  test('that happens at start too, when the server was down at the time', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    await member.call(keys.publishEpochs, publication(...makeEpochsAhead(firstOf(member))))
    await own.app.close()
    own.clock.advance(epochDuration + retention)
    await own.start()
    expect(await own.core.db.read.get('select min(n) as n from epochs')).toEqual({ n: 2 })
  })
})
