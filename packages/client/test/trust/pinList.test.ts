import { expect, test } from 'vitest'
import { createAccountKey, importAccountKey } from '@privity/e2ee'
import { acceptedKeys, openPins, type Pin, sealPins } from '../../src/trust/pinList.ts'

const pin: Pin = {
  identityKey: 'K3',
  previous: ['K2', 'K1'],
  verified: false,
  verifiedAt: 0,
  linked: true,
  paused: false,
  pausedAt: 0,
  since: 1_000,
}

test('a former key counts exactly while messages from before its replacement may live', () => {
  expect(acceptedKeys(pin, 999)).toEqual(['K3', 'K2', 'K1'])
  expect(acceptedKeys(pin, 1_000)).toEqual(['K3'])
  expect(acceptedKeys(pin, 9_999)).toEqual(['K3'])
})

test('nobody’s key is accepted where there is no pin', () => {
  expect(acceptedKeys(undefined, 0)).toEqual([])
})

test.each<[string, Partial<Pin>]>([
  ['nothing said', {}],
  ['verified', { verified: true, verifiedAt: 7, name: 'Ben Example' }],
  ['verified before', { verifiedAt: 7 }],
  ['paused', { paused: true, pausedAt: 8 }],
  ['paused under a former account key', { paused: true }],
  ['resumed', { pausedAt: 8 }],
])('a sealed list opens as it was: %s', async (_what, change) => {
  const accountKey = await importAccountKey(createAccountKey())
  const userId = '0190f0e0-0000-7000-8000-000000000001'
  const list = { pins: { ben: { ...pin, ...change } }, parties: { c: 'ben' } }
  expect(
    await openPins(accountKey, userId, { version: 3, sealed: await sealPins(accountKey, userId, 3, list) }),
  ).toEqual(list)
})
