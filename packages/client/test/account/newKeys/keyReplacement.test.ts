import { keys as contract } from '@privity/contract/keys'
import { importAccountKey } from '@privity/e2ee'
import { expect, test } from 'vitest'
import { createFreshKeys, createKeyReplacement } from '../../../src/account/newKeys/keyReplacement.ts'
import { createTabs } from '../../../src/device/tabs.ts'
import { firstPin } from '../../../src/trust/pinChanges.ts'
import { openPins, type PinList, sealPins } from '../../../src/trust/pinList.ts'
import { rawAccountKeyOf } from '../../support/accountKey.ts'
import { createStage, type Stage } from '../../support/stage.ts'

/** Anna, who has accepted a key of Ben's, and the list that her new keys would keep where the server gives another. */
async function createAnna(stage: Stage) {
  const { anna, ben, connectionId } = await stage.pair()
  await anna.client.trust.state(connectionId)
  const { device, user } = anna
  const raw = await rawAccountKeyOf(anna)
  const before = { raw, accountKey: await importAccountKey(raw) }
  const own = await anna.client.call(contract.getOwn, { query: {} })
  const { version } = own.pins
  const known = await openPins(before.accountKey, user.id, own.pins)
  const [now, tabs, clock] = [stage.server.clock.now(), createTabs(device, () => {}), stage.server.clock]
  const recovery = { recoveryProof: '', recovery: { kemKey: '', signature: '' }, recoveryWrappedAccountKey: '' }

  async function keep(given: PinList, at: number): Promise<PinList> {
    const sealed = await sealPins(before.accountKey, user.id, at, given)
    const fresh = await createFreshKeys()
    const keys = { ...own, pins: { version: at, sealed } }
    const still = { now: () => clock.now(), after: () => () => {} }
    const { pins } = await createKeyReplacement({ before, fresh, recovery, keys, device, tabs, clock: still, now })
    return openPins(fresh.accountKey, user.id, pins)
  }
  return { ben, connectionId, known, version, keep, now }
}

test('new keys keep what this browser has accepted, and what a forked list of the server adds', async () => {
  await using stage = await createStage()
  const { ben, connectionId, version, keep, now } = await createAnna(stage)
  const list = await keep({ pins: { carl: firstPin('of Carl', now) }, parties: { other: 'carl' } }, version + 1)
  expect(list.parties).toEqual({ [connectionId]: ben.user.id, other: 'carl' })
  expect(Object.keys(list.pins).toSorted()).toEqual([ben.user.id, 'carl'].toSorted())
})

test('new keys keep nothing of an older list, not even a key that was verified in it', async () => {
  await using stage = await createStage()
  const { ben, known, version, keep, now } = await createAnna(stage)
  const former = { ...firstPin('a former key', now - 1), verified: true, verifiedAt: now - 1 }
  const list = await keep({ ...known, pins: { [ben.user.id]: former } }, version - 1)
  expect(list.pins[ben.user.id]?.identityKey).toBe(known.pins[ben.user.id]?.identityKey)
})
