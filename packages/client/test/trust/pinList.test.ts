import { expect, test } from 'vitest'
import { acceptedKeys, type Pin } from '../../src/trust/pinList.ts'

const pin: Pin = {
  identityKey: 'K3',
  previous: ['K2', 'K1'],
  verified: false,
  linked: true,
  paused: false,
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
