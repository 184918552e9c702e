import { account } from '@privity/contract/account'
import { browsers } from '@privity/contract/browsers'
import type { KeyReplacement } from '@privity/contract/keys'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import {
  listBrowser,
  makeRemoval,
  ownKeysOf,
  sealTo,
  signInElsewhere,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { makeReplacement, makeSealedReplacement } from '../../support/scenes/keyReplacement.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** The body of a password change with these new keys. */
const changing = (member: Member, replacement: KeyReplacement) => ({
  body: { currentPassword: member.password, newPassword: 'a new password', wrappedAccountKey: wrapped(), replacement },
})

/** A member with "Only approved browsers", and the keys of one of their browsers. */
async function createApproved() {
  const anna = await server.signUp()
  const { browserId } = await listBrowser(anna)
  await switchOn(anna)
  return { anna, browserId, own: await ownKeysOf(anna, browserId) }
}

async function expectRefused(member: Member, replacement: KeyReplacement, code: string): Promise<void> {
  const before = await ownKeysOf(member)
  expect((await member.refused(account.changePassword, changing(member, replacement))).body.code).toBe(code)
  expect(await ownKeysOf(member)).toEqual(before)
}

test.each([
  ['switch the mode off', { onlyApproved: false }],
  ['skip 1,000 numbers of the mode', { n: 1_002 }],
  ['repeat the number of the mode', { n: 1 }],
])('new keys that %s are refused', async (_what, mode) => {
  const { anna, browserId, own } = await createApproved()
  await expectRefused(anna, makeSealedReplacement(own, browserId, { mode }), 'BROWSERS_CHANGED')
})

test.each([1, 3])('new keys that list this browser again with number %i are refused', async (n) => {
  const { anna, browserId, own } = await createApproved()
  await expectRefused(anna, makeSealedReplacement(own, browserId, { n }), 'BROWSERS_CHANGED')
})

test('new keys that leave the seeds sealed to no browser are refused', async () => {
  const { anna, browserId, own } = await createApproved()
  const { browser: _none, ...replacement } = makeSealedReplacement(own, browserId)
  await expectRefused(anna, replacement, 'BROWSERS_CHANGED')
})

test('new keys whose seeds are sealed to another browser are refused', async () => {
  const { anna, browserId, own } = await createApproved()
  const { browser, ...replacement } = makeSealedReplacement(own, browserId)
  const seeds = sealTo([anna.user.id, newId(startOfTests)], [1, 2])
  const other = browser && { ...browser, seeds }
  await expectRefused(anna, { ...replacement, ...(other && { browser: other }) }, 'INVALID_INPUT')
})

test('new keys that wrap the seed of an earlier epoch under the account key are refused', async () => {
  const { anna, browserId, own } = await createApproved()
  const { former, ...replacement } = makeSealedReplacement(own, browserId)
  const all = former.map((each) => ({ ...each, wrappedSeed: wrapped() }))
  await expectRefused(anna, { ...replacement, former: all }, 'INVALID_INPUT')
})

test('new keys that leave out the seed of an earlier epoch are refused', async () => {
  const anna = await server.signUp()
  const { former, ...replacement } = makeReplacement(await ownKeysOf(anna))
  const all = former.map(({ wrappedSeed: _seed, ...each }) => each)
  await expectRefused(anna, { ...replacement, former: all }, 'INVALID_INPUT')
})

test('after new keys no publication is due for a removed browser, and its removal is forgotten', async () => {
  const { anna, browserId } = await createApproved()
  const { browserId: id } = await listBrowser(await signInElsewhere(server, anna))
  await anna.call(browsers.remove, { params: { id }, body: makeRemoval(anna, id) })
  const own = await ownKeysOf(anna, browserId)
  expect(own.browsers).toMatchObject({ isPublicationDue: true, removed: [{ browserId: id }] })
  await anna.call(account.changePassword, changing(anna, makeSealedReplacement(own, browserId)))
  expect((await ownKeysOf(anna, browserId)).browsers).toMatchObject({ isPublicationDue: false, removed: [] })
})
