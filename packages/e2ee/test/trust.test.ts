import { createHmac, hkdfSync, pbkdf2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encode } from '../src/canonical.ts'
import { idBytes } from '../src/id.ts'
import { createAccountKey, fromBase64url, importAccountKey, newId, repetitionTag, safetyNumber } from '../src/index.ts'
import { utf8 } from './hex.ts'
import { createPerson, now } from './people.ts'
import { refusal } from './refusal.ts'

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

describe('the repetition tag', async () => {
  const raw = createAccountKey()
  const accountKey = await importAccountKey(raw)
  const tag = (text: string, day = '2030-01-31') => repetitionTag(accountKey, day, text)

  test('is HMAC-SHA-256 under a key of the day', async () => {
    const key = hkdfSync('sha256', raw, '', encode('repetition', [utf8('2030-01-31')]), 32)
    const expected = createHmac('sha256', Buffer.from(key)).update('buy cheap watches now').digest('base64url')
    expect(await tag('Buy cheap watches now')).toBe(expected)
  })

  test('is the same whatever the case, spacing and Unicode form', async () => {
    const expected = await tag('Caf\u00e9 for everybody today')
    for (const text of ['caf\u00e9 for EVERYBODY today', '  Cafe\u0301  for\neverybody\ttoday ']) {
      expect(await tag(text)).toBe(expected)
    }
  })

  test('is another for another text, day or account', async () => {
    const other = await repetitionTag(await importAccountKey(createAccountKey()), '2030-01-31', 'The same text')
    const tags = [
      await tag('The same text'),
      await tag('The same texts'),
      await tag('The same text', '2030-02-01'),
      other,
    ]
    expect(new Set(tags).size).toBe(4)
  })
})
