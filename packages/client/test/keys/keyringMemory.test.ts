import { expect, test } from 'vitest'
import type { OwnKeys } from '@privity/contract/keys'
import { createEpoch, createIdentity, importAccountKey, importIdentity, sealPrivate } from '@privity/e2ee'
import { createTabs } from '../../src/device/tabs.ts'
import { createMemoryDevice } from '../../src/index.ts'
import { seedBinding } from '../../src/keys/aad.ts'
import { openKeyring } from '../../src/keys/keyring.ts'
import { createStillClock } from '../support/stillClock.ts'

test('a keyring keeps no wrapped copy of a seed, which would outlive the seed in an open page', async () => {
  const now = Date.UTC(2030, 0, 1)
  const userId = '0198c0de-0000-7000-8000-00000000000a'
  const accountKey = await importAccountKey(new Uint8Array(32))
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch, seed } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  const wrappedSeed = await sealPrivate(accountKey, seedBinding(userId, 1), seed)
  const wraps = { wrappedIdentitySeed: '', wrappedAccountKey: '', pins: { version: 0, sealed: '' } }
  const browsers = {
    mode: { onlyApproved: false, n: 0 },
    isModeRequired: false,
    isApproved: true,
    isPublicationDue: false,
    isListed: true,
    isBound: true,
    browsers: [],
    removed: [],
    recovery: { kemKey: '', signature: '' },
  }
  const own = { userId, identityKey: identity.publicKey, browsers }
  const keys: OwnKeys = { ...own, epochs: [{ ...epoch, wrappedSeed }], ...wraps }
  const clock = createStillClock(now)
  const call = () => Promise.reject(new Error('Nothing is asked.'))
  const device = createMemoryDevice()
  const tabs = createTabs(device, () => {})
  const deps = { call, clock, device, tabs, alarm() {}, isOwnReplacement: async () => false, onApproved() {} }
  const keyring = await openKeyring(deps, { identity, former: [], userId, accountKey }, keys)
  expect(await keyring.seed(1)).toEqual(seed)
  expect(keyring.current()).toEqual(epoch)
})
