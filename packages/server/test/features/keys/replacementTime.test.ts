import { account } from '@privity/contract/account'
import { type EpochKey, keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { expect, test } from 'vitest'
import { createTestServer, type Member } from '../../support/server/testServer.ts'
import { makeReplacement, replaceKeys, replacing } from '../../support/scenes/keyReplacement.ts'
import { makeEpoch, publication, random } from '../../support/server/memberKeys.ts'

test('new keys whose first epoch begins earlier than now are refused', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const earlier = server.clock.now() - limits.clockTolerance - 1
  const refusal = await member.refused(account.changePassword, { body: await replacing(member, undefined, earlier) })
  expect(refusal).toMatchObject({ status: 400, body: { details: [{ path: 'startsAt' }] } })
})

/** The refusal of new keys whose first epoch, which they have signed, has been changed. */
async function refusedWith(member: Member, change: Partial<EpochKey>) {
  const replacement = makeReplacement(await member.call(keys.getOwn, { query: {} }), undefined, change)
  const body = { ...(await replacing(member)), replacement }
  return (await member.refused(account.changePassword, { body })).body
}

test('new keys whose signed epoch is of another account are refused', async () => {
  await using server = await createTestServer()
  const [member, other] = [await server.signUp(), await server.signUp()]
  expect(await refusedWith(member, { userId: other.user.id })).toMatchObject({ details: [{ path: 'userId' }] })
})

test.each([{ n: 3 }, { previousHash: random(32) }])(
  'new keys whose signed epoch has %o are refused',
  async (change) => {
    await using server = await createTestServer()
    expect((await refusedWith(await server.signUp(), change)).code).toBe('EPOCH_CONFLICT')
  },
)

test('new keys need not carry the seed of an epoch that is due', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const first = member.keys?.epoch as EpochKey
  await member.call(keys.publishEpochs, publication(makeEpoch(member.user.id, 2, first.createdAt, first.endsAt)))
  server.clock.advance(limits.epochDuration + limits.retention)
  const visitor = server.visitor()
  await visitor.call(session.login, { body: { username: member.user.username, password: member.password } })
  const { former } = await replaceKeys({ ...member, ...visitor }, server.clock.now())
  expect(former.map(({ n }) => n)).toEqual([2])
  expect(await server.core.db.read.all('select n from epochs order by n')).toEqual([{ n: 2 }, { n: 3 }])
})
