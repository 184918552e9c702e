import { expect, test } from 'vitest'
import { codeOf, isUnused, findStep, maxStoredSteps, toBase32, uriOf } from '../../../src/features/secondFactor/totp.ts'

const secret = Buffer.from('12345678901234567890')

test('HOTP codes are those of RFC 4226, appendix D', () => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  expect(codes.map((_, count) => codeOf(secret, count))).toEqual(codes)
})

test('TOTP codes are the last six digits of RFC 6238, appendix B', () => {
  const vectors: [number, string][] = [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ]
  for (const [seconds, digits] of vectors) {
    expect(codeOf(secret, Math.floor(seconds / 30))).toBe(digits.slice(-6))
    expect(findStep(secret, digits.slice(-6), seconds * 1000)).toBe(Math.floor(seconds / 30))
  }
})

test('base32 is that of RFC 4648, section 10, without padding', () => {
  const vectors = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, encoded] of Object.entries(vectors)) expect(toBase32(Buffer.from(text))).toBe(encoded)
})

test('a code is good for its own step and the ones beside it, and no further', () => {
  const step = 50_000_000
  const begins = step * 30_000
  const code = codeOf(secret, step)
  expect(findStep(secret, code, begins - 30_001)).toBeUndefined()
  expect(findStep(secret, code, begins - 30_000)).toBe(step)
  expect(findStep(secret, code, begins + 59_999)).toBe(step)
  expect(findStep(secret, code, begins + 60_000)).toBeUndefined()
  expect(findStep(secret, `${code.slice(0, 3)} ${code.slice(3)}`, begins)).toBe(step)
  for (const other of ['', '1', code.slice(1), `${code}0`.slice(1)])
    expect(findStep(secret, other, begins)).toBeUndefined()
})

test('a step works once, and no earlier one after it unless that is ahead of the clock', () => {
  const step = 50_000_000
  const now = step * 30_000
  expect(isUnused(step, [], now)).toBe(true)
  expect(isUnused(step, [step - 1], now)).toBe(true)
  for (const used of [step, step + 1]) expect(isUnused(step, [used], now)).toBe(false)
  const ahead = [step + 2, step + 2880]
  expect(isUnused(step, ahead, now)).toBe(true)
  expect(isUnused(step, [...ahead, step], now)).toBe(false)
  expect(isUnused(step - 1, [...ahead, step], now)).toBe(false)
  // When the clock reaches these steps, they count as used.
  for (const later of ahead) expect(isUnused(later, ahead, later * 30_000)).toBe(false)
})

test('no step older than the stored ones is accepted, however far the clock is set back', () => {
  const used = Array.from({ length: maxStoredSteps }, (_, at) => 50_000_000 + 10 * at)
  const at = (step: number) => isUnused(step, used, step * 30_000)
  expect([at(49_999_990), at(50_000_000), at(50_000_010)]).toEqual([false, false, false])
  expect([at(50_000_005), at(50_000_991)]).toEqual([true, true])
  expect(isUnused(49_999_990, used.slice(1), 49_999_990 * 30_000)).toBe(true)
})

test('the address for the QR code names product and account', () => {
  expect(uriOf('ABC', 'Privity', 'amara.osei')).toBe(
    'otpauth://totp/Privity:amara.osei?secret=ABC&issuer=Privity&algorithm=SHA1&digits=6&period=30',
  )
})
