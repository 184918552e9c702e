import { keys } from '@privity/contract/keys'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, makePins, publication, random } from '../../support/server/memberKeys.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

describe("a contact's keys", () => {
  test('are for the parties of the connection only', async () => {
    const [anna, bela, carl] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const { id } = await server.connect(anna, bela)
    const refusal = await carl.refused(keys.getContactKeys, { params: { id } })
    expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
    expect((await anna.call(keys.getContactKeys, { params: { id } })).userId).toBe(bela.user.id)
  })

  test('are those of a new epoch in the place of another, although its clock was a second ahead', async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const { id } = await server.connect(anna, ben)
    server.clock.advance(60_000)
    const now = server.clock.now()
    await ben.call(keys.publishEpochs, publication(makeEpoch(ben.user.id, 2, now, now + 1000)))
    expect((await anna.call(keys.getContactKeys, { params: { id } })).epoch.n).toBe(2)
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
    const { signature, ...next } = makePins(member.user.id, first.version + 1, random(500))
    expect(await member.call(keys.putPins, { body: { ...next, signature } })).toEqual(next)
    for (const version of [0, first.version, next.version, next.version + 2]) {
      const refusal = await member.refused(keys.putPins, { body: makePins(member.user.id, version) })
      expect(refusal).toMatchObject({ status: 409, body: { code: 'STALE_VERSION', details: next } })
    }
    expect(await member.call(keys.getPins, {})).toEqual(next)
  })

  test('are not replaced by a session without the identity key', async () => {
    const [member, other] = [await server.signUp(), await server.signUp()]
    const stored = await member.call(keys.getPins, {})
    const next = makePins(member.user.id, stored.version + 1)
    const { signature } = makePins(other.user.id, next.version, next.sealed)
    const later = makePins(member.user.id, next.version + 1, next.sealed)
    for (const forged of [{ signature }, { signature: later.signature }, { sealed: random(40) }]) {
      const refusal = await member.refused(keys.putPins, { body: { ...next, ...forged } })
      expect(refusal.body).toMatchObject({ code: 'INVALID_INPUT', details: [{ path: 'signature' }] })
    }
    expect(await member.call(keys.getPins, {})).toEqual(stored)
    await member.call(keys.putPins, { body: next })
  })

  test('may be larger than other calls allow, but not without bound', async () => {
    const member = await server.signUp()
    const large = makePins(member.user.id, 2, random(256 * 1024))
    expect((await member.call(keys.putPins, { body: large })).sealed).toBe(large.sealed)
    const tooLarge = makePins(member.user.id, 3, random(256 * 1024 + 3))
    expect((await member.refused(keys.putPins, { body: tooLarge })).body.code).toBe('INVALID_INPUT')
    const flood = makePins(member.user.id, 3, random(1024 * 1024))
    expect((await member.refused(keys.putPins, { body: flood })).body.code).toBe('BODY_TOO_LARGE')
  })
})
