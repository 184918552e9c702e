import { browsers } from '@privity/contract/browsers'
import { keys } from '@privity/contract/keys'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../../src/core/ids.ts'
import {
  approval,
  listBrowser,
  makeEntry,
  makeRemoval,
  ownKeysOf,
  renewal,
  signInElsewhere,
  switchingOn,
  switchOn,
} from '../../support/scenes/browsers.ts'
import { startOfTests } from '../../support/server/fakeClock.ts'
import { holdNext } from '../../support/server/gate.ts'
import { makeEpoch, makePins, publication, random } from '../../support/server/memberKeys.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

/** A member in two browsers. */
async function inTwoBrowsers() {
  const member = await server.signUp()
  return { member, ended: await signInElsewhere(server, member) }
}

/** Makes a call whose session the member ends before it writes, and resolves with its response. */
async function endDuring(member: Member, call: () => Promise<unknown>) {
  const held = holdNext(server.core.db, 'write')
  const asked = call()
  await held.during(() => member.call(session.endOtherSessions, {}))
  return asked
}

const refused = { status: 401, body: { code: 'NOT_SIGNED_IN' } }

test('a call whose session ended while it was under way stores no list of accepted keys', async () => {
  const { member, ended } = await inTwoBrowsers()
  const { version } = await member.call(keys.getPins, {})
  const body = makePins(member.user.id, version + 1)
  expect(await endDuring(member, () => ended.request('PUT', keys.putPins.path, body))).toMatchObject(refused)
  expect((await member.call(keys.getPins, {})).version).toBe(version)
})

test('a call whose session ended while it was under way publishes no epoch', async () => {
  const { member, ended } = await inTwoBrowsers()
  const { body } = publication(makeEpoch(member.user.id, 2, server.clock.now()))
  const { method, path } = keys.publishEpochs
  expect(await endDuring(member, () => ended.request(method, path, body))).toMatchObject(refused)
  expect((await ownKeysOf(member)).epochs.map(({ n }) => n)).toEqual([1])
})

test('a call whose session ended while it was under way switches no mode', async () => {
  const { member, ended } = await inTwoBrowsers()
  const body = await switchingOn(member)
  const { method, path } = browsers.setMode
  expect(await endDuring(member, () => ended.request(method, path, body))).toMatchObject(refused)
  expect((await ownKeysOf(member)).browsers.mode.onlyApproved).toBe(false)
})

test('a call whose session ended while it was under way removes no browser', async () => {
  const { member, ended } = await inTwoBrowsers()
  const { browserId } = await listBrowser(member)
  const path = browsers.remove.path.replace(':id', browserId)
  const body = makeRemoval(member, browserId)
  expect(await endDuring(member, () => ended.request(browsers.remove.method, path, body))).toMatchObject(refused)
  expect(await member.call(browsers.list, {})).toMatchObject([{ entry: { browserId } }])
})

test('a call whose session ended while it was under way lists no browser', async () => {
  const { member, ended } = await inTwoBrowsers()
  const { body } = await renewal(ended, makeEntry(member, newId(startOfTests)))
  const { method, path } = browsers.putOwn
  expect(await endDuring(member, () => ended.request(method, path, body))).toMatchObject(refused)
  expect(await member.call(browsers.list, {})).toEqual([])
})

test('a call whose session ended while it was under way approves no browser', async () => {
  const { member, ended } = await inTwoBrowsers()
  await listBrowser(member)
  await listBrowser(ended)
  await switchOn(member)
  const third = await signInElsewhere(server, member)
  const { browserId, n } = await listBrowser(third)
  const path = browsers.approve.path.replace(':id', browserId)
  const seeds = [{ n: 1, browserId, sealed: random(1168) }]
  const body = approval(member, browserId, n, seeds)
  const answer = await endDuring(member, () => ended.request(browsers.approve.method, path, body))
  expect(answer).toMatchObject(refused)
})

test('a call whose session ended while it was under way begins no comparison', async () => {
  const { member, ended } = await inTwoBrowsers()
  const { browserId } = await listBrowser(ended)
  const path = browsers.startApproval.path.replace(':id', browserId)
  const body = { commitment: random(32) }
  const { method } = browsers.startApproval
  expect(await endDuring(member, () => ended.request(method, path, body))).toMatchObject(refused)
})
