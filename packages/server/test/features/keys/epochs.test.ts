import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, random, signEpoch } from '../../support/server/memberKeys.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const publish = async (member: Member, n: number) => {
  const epoch = makeEpoch(member.user.id, n, server.clock.now())
  return member.call(keys.publishEpoch, { body: epoch })
}

describe("one's own keys", () => {
  test('come back as they were given', async () => {
    const member = await server.signUp()
    const given = member.keys as NonNullable<typeof member.keys>
    expect(await member.call(keys.getOwn, {})).toEqual({
      userId: member.user.id,
      identityKey: given.identityKey,
      wrappedIdentitySeed: given.wrappedIdentitySeed,
      wrappedAccountKey: given.wrappedAccountKey,
      epochs: [given.epoch],
      pins: given.pins,
    })
  })
})

describe('epochs', () => {
  test('n+1 supersedes n; contacts and the own browsers hear of it without the seed', async () => {
    const [anna, bela, carl] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const connection = await server.connect(anna, bela)
    const [own, peer, stranger] = [await anna.socket(), await bela.socket(), await carl.socket()]
    server.clock.advance(1000)
    const published = await publish(anna, 2)
    const { wrappedSeed: _kept, ...open } = published
    expect((await own.next('epoch_published')).epoch).toEqual(open)
    expect((await peer.next('epoch_published')).epoch).toEqual(open)
    await stranger.settled()
    expect(stranger.frames).toEqual([])

    const { epochs } = await anna.call(keys.getOwn, {})
    expect(epochs.map(({ n }) => n)).toEqual([1, 2])
    const superseded = 'select n, superseded_at from epochs where user_id = ? order by n'
    expect(await server.core.db.read.all(superseded, [anna.user.id])).toEqual([
      { n: 1, superseded_at: server.clock.now() },
      { n: 2, superseded_at: null },
    ])
    expect(await bela.call(keys.getContactKeys, { params: { id: connection.id } })).toEqual({
      userId: anna.user.id,
      identityKey: anna.keys?.identityKey,
      epoch: open,
    })
  })

  test('any other number conflicts, also of two at the same moment, and answers the newest', async () => {
    const member = await server.signUp()
    for (const n of [1, 3]) {
      const refusal = await member.refused(keys.publishEpoch, { body: makeEpoch(member.user.id, n, 1) })
      expect(refusal).toMatchObject({ status: 409, body: { code: 'EPOCH_CONFLICT', details: { newest: { n: 1 } } } })
    }
    const results = await Promise.allSettled([publish(member, 2), publish(member, 2), publish(member, 2)])
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await member.call(keys.getOwn, {})).epochs).toHaveLength(2)
  })

  test("another's epoch and one from the future are refused", async () => {
    const [member, other] = [await server.signUp(), await server.signUp()]
    const foreign = makeEpoch(other.user.id, 2, server.clock.now())
    expect((await member.refused(keys.publishEpoch, { body: foreign })).body.code).toBe('INVALID_INPUT')
    const early = makeEpoch(member.user.id, 2, server.clock.now() + 5 * 60_000 + 1)
    expect((await member.refused(keys.publishEpoch, { body: early })).body.code).toBe('INVALID_INPUT')
    await member.call(keys.publishEpoch, { body: makeEpoch(member.user.id, 2, server.clock.now() + 5 * 60_000) })
  })

  test('a session alone cannot publish one: it must be signed, and follow the newest', async () => {
    const member = await server.signUp()
    const now = server.clock.now()
    const good = makeEpoch(member.user.id, 2, now)
    const before = await member.call(keys.getOwn, {})
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
    ]) {
      const refusal = await member.refused(keys.publishEpoch, { body: { ...good, ...more } })
      expect(refusal, JSON.stringify(more)).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    }
    const { wrappedSeed: _seed, signature: _signature, ...unsigned } = good
    const unlinked = signEpoch({ ...unsigned, previousHash: random(32) })
    expect(await member.refused(keys.publishEpoch, { body: unlinked })).toMatchObject({
      status: 409,
      body: { code: 'EPOCH_CONFLICT', details: { newest: { n: 1 } } },
    })
    expect(await member.call(keys.getOwn, {})).toEqual(before)
    await member.call(keys.publishEpoch, { body: good })
  })

  test('one that a clock was ahead for is followed by one of now, and destroyed a day later', async () => {
    await using own = await createTestServer()
    own.clock.ahead = 365 * 24 * 60 * 60_000
    const member = await own.signUp()
    await member.call(keys.publishEpoch, { body: makeEpoch(member.user.id, 2, own.clock.now()) })
    own.clock.ahead = 0
    await member.call(keys.publishEpoch, { body: makeEpoch(member.user.id, 3, own.clock.now()) })
    await own.advance(60_000)
    const numbers = async () => (await member.call(keys.getOwn, {})).epochs.map(({ n }) => n)
    expect(await numbers()).toEqual([1, 2, 3])
    // Used in between, so that the session does not end by its idle limit.
    await own.advance(limits.retention / 2)
    expect(await numbers()).toEqual([1, 2, 3])
    await own.advance(limits.retention / 2)
    expect(await numbers()).toEqual([3])
  })

  test('one that skips a number, signed and linked to the newest, conflicts', async () => {
    const member = await server.signUp()
    const { wrappedSeed: _seed, signature: _signature, ...second } = makeEpoch(member.user.id, 2, server.clock.now())
    for (const n of [1, 3, 4]) {
      const body = signEpoch({ ...second, n })
      expect(await member.refused(keys.publishEpoch, { body })).toMatchObject({
        status: 409,
        body: { code: 'EPOCH_CONFLICT', details: { newest: { n: 1 } } },
      })
    }
    await member.call(keys.publishEpoch, { body: signEpoch(second) })
  })

  test('at most four a day, refusals not counted', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    const next = (n: number) => ({ body: makeEpoch(member.user.id, n, own.clock.now()) })
    for (const n of [2, 3, 4, 5]) {
      await member.refused(keys.publishEpoch, { body: { ...next(n).body, previousHash: random(32) } })
      await member.call(keys.publishEpoch, next(n))
    }
    expect(await member.refused(keys.publishEpoch, next(6))).toMatchObject({ status: 429 })
    own.clock.advance(24 * 60 * 60_000 - 1)
    const again = own.visitor()
    await again.request('POST', '/api/login', { username: member.user.username, password: member.password })
    expect(await again.refused(keys.publishEpoch, next(6))).toMatchObject({ status: 429 })
    own.clock.advance(1)
    await again.call(keys.publishEpoch, next(6))
  })

  test('an account without keys publishes none', async () => {
    const plain = await server.signUp(undefined, { keys: false })
    const epoch = makeEpoch(plain.user.id, 1, server.clock.now())
    expect((await plain.refused(keys.publishEpoch, { body: epoch })).body.code).toBe('NO_KEYS')
  })

  test('one superseded 24 hours ago is destroyed: row, seed, and its bytes in the files', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    const { publicKey, signature } = (member.keys as NonNullable<typeof member.keys>).epoch
    await member.call(keys.publishEpoch, { body: makeEpoch(member.user.id, 2, own.clock.now()) })
    await own.advance(limits.retention - 1)
    const back = own.visitor()
    await back.request('POST', '/api/login', { username: member.user.username, password: member.password })
    expect((await back.call(keys.getOwn, {})).epochs.map(({ n }) => n)).toEqual([1, 2])
    own.clock.advance(1)
    expect((await back.call(keys.getOwn, {})).epochs.map(({ n }) => n)).toEqual([2])
    await own.advance(60_000)
    expect(await own.core.db.read.all('select n from epochs')).toEqual([{ n: 2 }])
    const bytes = await storedBytes(own.dataDir)
    expect([bytes.includes(publicKey), bytes.includes(signature)]).toEqual([false, false])
  })

  test('that happens at start too, when the server was down at the time', async () => {
    await using own = await createTestServer()
    const member = await own.signUp()
    await member.call(keys.publishEpoch, { body: makeEpoch(member.user.id, 2, own.clock.now()) })
    await own.app.close()
    own.clock.advance(limits.retention)
    await own.start()
    expect(await own.core.db.read.all('select n from epochs')).toEqual([{ n: 2 }])
  })
})

describe("a contact's keys", () => {
  test('are for the parties of the connection only', async () => {
    const [anna, bela, carl] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const { id } = await server.connect(anna, bela)
    const refusal = await carl.refused(keys.getContactKeys, { params: { id } })
    expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
    expect((await anna.call(keys.getContactKeys, { params: { id } })).userId).toBe(bela.user.id)
  })

  test('are missing for a contact without keys', async () => {
    const [anna, plain] = [await server.signUp(), await server.signUp(undefined, { keys: false })]
    const { id } = await server.connect(anna, plain)
    expect((await anna.refused(keys.getContactKeys, { params: { id } })).body.code).toBe('NO_KEYS')
  })
})

describe('the keys of many contacts', () => {
  const peers = (member: Member, ids: string[]) =>
    member.call(keys.listContactKeys, { query: { connections: ids.join(',') } })

  test('come in one call, each as by itself; who has none is left out', async () => {
    const [anna, ben, carl, plain] = [
      await server.signUp(),
      await server.signUp(),
      await server.signUp(),
      await server.signUp(undefined, { keys: false }),
    ]
    const made = [await server.connect(anna, ben), await server.connect(carl, anna), await server.connect(anna, plain)]
    const [one, two] = await Promise.all(
      made.slice(0, 2).map(({ id }) => anna.call(keys.getContactKeys, { params: { id } })),
    )
    const ids = made.map(({ id }) => id)
    expect(await peers(anna, ids)).toEqual([
      { connectionId: ids[0], keys: one },
      { connectionId: ids[1], keys: two },
    ])
    const identities = await anna.call(keys.listIdentities, {})
    expect(identities).toEqual(
      [
        { connectionId: ids[0], userId: ben.user.id, identityKey: ben.keys?.identityKey },
        { connectionId: ids[1], userId: carl.user.id, identityKey: carl.keys?.identityKey },
      ].sort((first, second) => ((first.connectionId ?? '') < (second.connectionId ?? '') ? -1 : 1)),
    )
    expect(await plain.call(keys.listIdentities, {})).toMatchObject([{ connectionId: ids[2], userId: anna.user.id }])
  })

  test('are left out where the connection is not one’s own or does not exist', async () => {
    const [anna, ben, carl] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const { id } = await server.connect(anna, ben)
    expect(await peers(carl, [id, anna.user.id])).toEqual([])
    expect(await carl.call(keys.listIdentities, {})).toEqual([])
    expect(await peers(ben, [anna.user.id, id])).toHaveLength(1)
  })

  test.each(['', 'x', ',', `${'0'.repeat(36)},`, Array.from({ length: 41 }, () => '0'.repeat(36)).join(',')])(
    'refuses %j',
    async (connections) => {
      const anna = await server.signUp()
      const answer = await anna.request('GET', `/api/keys/peers?connections=${connections}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    },
  )
})

describe('pins', () => {
  test('are replaced by the next version only', async () => {
    const member = await server.signUp()
    const first = await member.call(keys.getPins, {})
    const next = { version: first.version + 1, sealed: random(500) }
    expect(await member.call(keys.putPins, { body: next })).toEqual(next)
    for (const version of [0, first.version, next.version, next.version + 2]) {
      const refusal = await member.refused(keys.putPins, { body: { version, sealed: random(10) } })
      expect(refusal).toMatchObject({ status: 409, body: { code: 'STALE_VERSION', details: next } })
    }
    expect(await member.call(keys.getPins, {})).toEqual(next)
  })

  test('may be larger than other calls allow, but not without bound', async () => {
    const member = await server.signUp()
    const large = { version: 2, sealed: random(256 * 1024) }
    expect((await member.call(keys.putPins, { body: large })).sealed).toBe(large.sealed)
    const tooLarge = { version: 3, sealed: random(256 * 1024 + 3) }
    expect((await member.refused(keys.putPins, { body: tooLarge })).body.code).toBe('INVALID_INPUT')
    const flood = { version: 3, sealed: random(1024 * 1024) }
    expect((await member.refused(keys.putPins, { body: flood })).body.code).toBe('BODY_TOO_LARGE')
  })
})
