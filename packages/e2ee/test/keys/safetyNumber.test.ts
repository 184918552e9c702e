import { pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { fromBase64url, newId } from '../../src/index.ts'
import { safetyNumber } from '../../src/keys/safetyNumber.ts'
import { createPerson, now } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const [ada, ben, eve] = [await createPerson(), await createPerson(), await createPerson()]

describe('the safety number', () => {
  test('is 60 digits, the same on both sides', async () => {
    const number = await safetyNumber(ada, ben)
    expect(number).toMatch(/^\d{60}$/)
    expect(await safetyNumber(ben, ada)).toBe(number)
  })

  test('is another for any other user or key on either side', async () => {
    const numbers = [
      await safetyNumber(ada, ben),
      await safetyNumber(ada, eve),
      await safetyNumber(eve, ben),
      await safetyNumber({ ...ada, identityKey: eve.identityKey }, ben),
      await safetyNumber(ada, { ...ben, identityKey: eve.identityKey }),
      await safetyNumber({ ...ada, userId: newId(now) }, ben),
      await safetyNumber({ ...ada, identityKey: ben.identityKey }, { ...ben, identityKey: ada.identityKey }),
    ]
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('is 30 digits of PBKDF2 a person, the lower user id first', async () => {
    const digits = ({ userId, identityKey }: typeof ada) => {
      const identity = encode('fingerprint', [idBytes(userId), fromBase64url(identityKey)])
      const bytes = pbkdf2Sync(identity, encode('safety-number', []), 5200, 30, 'sha512')
      const chunks = [0, 5, 10, 15, 20, 25].map((at) => bytes.readUIntBE(at, 5) % 100_000)
      return chunks.map((chunk) => String(chunk).padStart(5, '0')).join('')
    }
    const sorted = [ada, ben].sort((one, other) => (one.userId < other.userId ? -1 : 1))
    expect(await safetyNumber(ada, ben)).toBe(sorted.map(digits).join(''))
  })

  test('is refused for one person, or a key of another form', async () => {
    expect(await refusal(safetyNumber(ada, ada))).toBe('WRONG_BINDING')
    expect(await refusal(safetyNumber(ada, { ...ben, identityKey: 'AA' }))).toBe('MALFORMED')
  })
})
