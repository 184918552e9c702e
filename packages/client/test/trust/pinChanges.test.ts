import { expect, test } from 'vitest'
import { acceptKey, firstPin, pause, resume, unverify, verify } from '../../src/trust/pinChanges.ts'
import { acceptedKeys } from '../../src/trust/pinList.ts'

test('the 8 keys accepted last are kept beside the current one, newest first', () => {
  let pin = firstPin('K0', 0)
  for (let n = 1; n <= 9; n++) pin = acceptKey(pin, `K${n}`, n)
  expect(acceptedKeys(pin, 8)).toEqual(['K9', 'K8', 'K7', 'K6', 'K5', 'K4', 'K3', 'K2', 'K1'])
})

test('each change of a mark is dated after the one before, although the clock was put back', () => {
  const verified = verify(firstPin('K', 100), 'Ben', 100)
  expect(unverify(verified, 50)).toMatchObject({ verified: false, verifiedAt: 101 })
  const paused = pause(verified, 100)
  expect(paused).toMatchObject({ verified: false, verifiedAt: 101, paused: true, pausedAt: 100 })
  expect(resume(paused, 50)).toMatchObject({ verified: false, paused: false, pausedAt: 101 })
  expect(verify(paused, 'Ben', 50)).toMatchObject({ verified: true, verifiedAt: 102, paused: false, pausedAt: 101 })
})

test('another key is neither verified nor confirmed by link, and a pause stays', () => {
  const before = { ...pause(verify(firstPin('K', 1), 'Ben', 2), 3), linked: true }
  const after = { identityKey: 'L', verified: false, verifiedAt: 4, linked: false, paused: true, pausedAt: 3 }
  expect(acceptKey(before, 'L', 4)).toMatchObject(after)
})
