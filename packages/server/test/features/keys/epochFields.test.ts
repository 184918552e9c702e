import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeEpoch, random, signEpoch } from '../../support/server/memberKeys.ts'

let server: TestServer
let member: Member
beforeAll(async () => {
  server = await createTestServer()
  member = await server.signUp('member')
})
afterAll(() => server.close())

const snapshot = () => server.core.db.read.all('select * from epochs')

const badEpochFields: Record<string, unknown[]> = {
  userId: ['', 'x', null],
  n: [0, -1, 1.5, '2', null, 2 ** 32],
  publicKey: ['', random(1215), random(1217), `${random(1216).slice(1)}=`, null],
  createdAt: [-1, 1.5, '1', null],
  startsAt: [-1, 1.5, '1', null],
  endsAt: [-1, 1.5, '1', null],
  previousHash: ['', random(31), random(33), null],
  features: [-1, 1.5, '0', null, 2 ** 32],
  signature: [random(63), random(65), null],
  wrappedSeed: [random(15), '', null],
}

test.each(Object.entries(badEpochFields))(
  'an epoch is refused without its %s or with another value',
  async (field, bad) => {
    const before = await snapshot()
    for (const value of field === 'wrappedSeed' ? bad : [undefined, ...bad]) {
      const epoch = { ...makeEpoch(member.user.id, 2, server.clock.now()), [field]: value }
      const answer = await member.request('POST', '/api/keys/epochs', { epochs: [epoch] })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: `epochs.0.${field}` }] } })
    }
    expect(await snapshot()).toEqual(before)
  },
)

test('an epoch without its wrapped seed is refused, unless seeds are sealed to browsers', async () => {
  const { wrappedSeed: _none, ...epoch } = makeEpoch(member.user.id, 2, server.clock.now())
  const answer = await member.request('POST', '/api/keys/epochs', { epochs: [epoch] })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'wrappedSeed' }] } })
})

test('an epoch of less than eight hours is refused', async () => {
  const now = server.clock.now()
  const { wrappedSeed: _other, ...epoch } = makeEpoch(member.user.id, 2, now)
  const short = signEpoch({ ...epoch, endsAt: now + limits.epochDuration - 1 })
  const answer = await member.request('POST', '/api/keys/epochs', { epochs: [short] })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'endsAt' }] } })
})
