import { keys } from '@privity/contract/keys'
import { expect, test, vi } from 'vitest'
import { createBus } from '../../../src/core/cluster/bus.ts'
import { createFactorCheck } from '../../../src/core/sessions/secondFactorCache.ts'
import { createTestServer } from '../../support/server/testServer.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'

test('a missing second factor is queried once a session, and again after a policy change', async () => {
  await using server = await createTestServer()
  const member = await server.signUp()
  const asked = vi.spyOn(server.core.factorCheck, 'isMissing')
  await member.call(keys.getOwn, { query: {} })
  await member.call(keys.getOwn, { query: {} })
  expect(asked).toHaveBeenCalledTimes(1)
  await setPolicy(server, { twoFactor: true })
  expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject({
    status: 403,
    body: { code: 'SECOND_FACTOR_MISSING' },
  })
  expect(await member.refused(keys.getOwn, { query: {} })).toMatchObject({
    status: 403,
    body: { code: 'SECOND_FACTOR_MISSING' },
  })
  await setPolicy(server, {})
  await member.call(keys.getOwn, { query: {} })
})

const session = {
  id: 's',
  userId: 'u',
  lastUsedAt: 0,
  idleLimit: 1,
  endsAt: Infinity,
  tokenHash: '',
  isFormer: false,
  sharedComputer: false,
}

test('what was asked before a policy and answered after it is not remembered', async () => {
  const bus = createBus()
  let answer = (_missing: boolean) => {}
  const check = createFactorCheck(bus, () => new Promise((resolve) => (answer = resolve)))
  const before = check.isMissing(session)
  bus.publish('policyChanged', { organizationId: 'o' })
  answer(false)
  expect([await before, check.isSettled(session)]).toEqual([false, false])
  const after = check.isMissing(session)
  answer(false)
  expect([await after, check.isSettled(session)]).toEqual([false, true])
})

test('what is remembered does not count while changes by other processes may not arrive', async () => {
  let receivesAllEvents = true
  const bus = createBus({ receivesAllEvents: () => receivesAllEvents, send: () => {} })
  const check = createFactorCheck(bus, async () => false)
  await check.isMissing(session)
  expect(check.isSettled(session)).toBe(true)
  receivesAllEvents = false
  expect(check.isSettled(session)).toBe(false)
})
