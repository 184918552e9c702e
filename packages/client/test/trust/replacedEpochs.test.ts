import { expect, test } from 'vitest'
import type { ContactKeys, EpochKey } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { createEpoch, createIdentity, importIdentity } from '@privity/e2ee'
import { isOlderEpoch } from '../../src/keys/rollback.ts'
import { keysFor } from '../support/browsers.ts'
import { accept } from '../support/keyRotation.ts'
import { createStage, reaches, sentAll } from '../support/stage.ts'

const minute = 60_000
const hour = 60 * minute

test.each([
  ['half an hour after it begins', 30],
  ['just after', 9],
  ['just before', -9],
])('an epoch ahead that another has replaced is refused after a reload, %s', async (_when, minutes) => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  const identity = await importIdentity((await createIdentity()).seed)
  const [now, userId] = [stage.server.clock.now(), ben.user.id]
  const create = async (n: number, createdAt: number, startsAt: number, previous?: EpochKey) =>
    (await createEpoch({ identity, userId, n, createdAt, startsAt, ...(previous && { previous }) })).epoch
  const first = await create(1, now, now)
  const ahead = await create(2, now, first.endsAt, first)
  // Ben removes a browser after an hour.
  const after = await create(3, now + hour, now + hour, ahead)
  let epoch = first
  const tampers = (request: string, answer: unknown) =>
    /^GET .api.connections.*keys$/.test(request)
      ? ({ userId, identityKey: identity.publicKey, former: [], epoch } satisfies ContactKeys)
      : answer
  anna.network.tampers = tampers
  await accept(anna, connectionId)
  await stage.advance(hour)
  epoch = after
  await anna.client.trust.state(connectionId)
  await stage.advance(7 * hour + minutes * minute)
  epoch = ahead
  const tab = stage.tab(anna)
  tab.network.tampers = tampers
  await tab.client.account.start()
  await expect(tab.client.trust.state(connectionId)).rejects.toMatchObject({ code: 'KEY_OLD' })
  await tab.client.messages.send(connectionId, 'Not under a replaced key')
  const [failed] = await reaches(tab.client.outbox, ([item]) => item?.state === 'failed')
  expect(failed?.error).toMatch(/older encryption key/)
  expect(tab.network.requests.map(({ request }) => request)).not.toContain('POST /api/messages')
})

const epochAt = (n: number, createdAt: number, startsAt: number): EpochKey => ({
  ...{ userId: '', n, publicKey: '', previousHash: '', features: 0, signature: '' },
  ...{ createdAt, startsAt, endsAt: startsAt + limits.epochDuration },
})

test('an epoch seen before its time, by a clock that was ahead, hides none of those before it', () => {
  const seen = epochAt(4, 0, 24 * hour)
  const before = epochAt(2, -hour, 8 * hour)
  for (const now of [8 * hour, 12 * hour, 16 * hour + limits.epochGrace - 1])
    expect(isOlderEpoch(before, seen, now)).toBe(false)
})

test('an epoch that another replaces counts until the clocks of all have passed the change', () => {
  const [replaced, seen] = [epochAt(2, 0, 0), epochAt(4, hour, hour)]
  expect(isOlderEpoch(replaced, seen, hour + limits.epochGrace - 1)).toBe(false)
  expect(isOlderEpoch(replaced, seen, hour + limits.epochGrace)).toBe(true)
})

test('an epoch that was made after a backup was restored counts, although its number is lower', () => {
  expect(isOlderEpoch(epochAt(3, 2 * hour, 2 * hour), epochAt(9, 0, 0), 3 * hour)).toBe(false)
})

test('a contact whose epoch a server ahead has destroyed is away, and no server is accused', async () => {
  await using stage = await createStage()
  const { anna, ben, connectionId } = await stage.pair()
  await expect.poll(async () => (await keysFor(anna)).epochs.length).toBe(21)
  anna.client.close()
  stage.server.clock.ahead = 33 * hour
  for (let i = 0; i < 3; i++) await stage.advance(minute)
  await ben.client.account.signIn(ben)
  await ben.client.messages.send(connectionId, 'Ahead')
  await sentAll(ben)
  stage.server.clock.ahead = 0
  await ben.client.account.signIn(ben)
  await ben.client.messages.send(connectionId, 'Waits')
  const [item] = await reaches(ben.client.outbox, ([each]) => each?.code !== undefined)
  expect(item).toMatchObject({ state: 'waiting', code: 'CONTACT_AWAY' })
  await anna.client.account.signIn(anna)
  await sentAll(ben)
})
