import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { contactFingerprint, newId } from '../../src/index.ts'
import { createPerson, now } from '../support/people.ts'

const [ada, ben] = [await createPerson(), await createPerson()]

test('a fingerprint is the start of the SHA-256 of user and identity key, as documented', () => {
  const { userId, identityKey } = ada
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  const label = Buffer.from('privity/contact')
  const encoded = Buffer.concat([
    Buffer.from([label.length]),
    label,
    Buffer.from([1]),
    field(Buffer.from(userId.replaceAll('-', ''), 'hex')),
    field(Buffer.from(identityKey, 'base64url')),
  ])
  const expected = createHash('sha256').update(encoded).digest().subarray(0, 16).toString('base64url')
  expect(contactFingerprint({ userId, identityKey })).toBe(expected)
  expect(expected).toHaveLength(22)
})

test('a fingerprint is another one for another key or user', () => {
  const { userId, identityKey } = ada
  const own = contactFingerprint({ userId, identityKey })
  expect(contactFingerprint({ userId, identityKey: ben.identityKey })).not.toBe(own)
  expect(contactFingerprint({ userId: newId(now), identityKey })).not.toBe(own)
})
