import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { type Bytes, fromBase64url, newId, randomBytes, toBase64url } from '../../src/index.ts'
import { type Approval, approvalCode, commitToApproval, fitsCommitment } from '../../src/keys/approvalCode.ts'
import { now } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const approval: Approval = {
  userId: newId(now),
  entryHash: toBase64url(randomBytes(32)),
  approverId: newId(now),
  nonceOfNew: randomBytes(32),
  nonceOfApprover: randomBytes(32),
}
const { entryHash, nonceOfNew } = approval

function flip(bytes: Bytes): Bytes {
  const flipped = bytes.slice()
  flipped[31] = (flipped[31] as number) ^ 1
  return flipped
}

describe('the code of an approval', () => {
  test('is six digits of the documented hash', () => {
    const fields = [
      idBytes(approval.userId),
      fromBase64url(entryHash),
      idBytes(approval.approverId),
      approval.nonceOfApprover,
      nonceOfNew,
    ]
    const digest = createHash('sha256').update(encode('approval-code', fields)).digest()
    expect(approvalCode(approval)).toBe(String(digest.readBigUInt64BE(0) % 1_000_000n).padStart(6, '0'))
  })

  test('keeps its leading zeros', () => {
    const zero = (code: string) => code.startsWith('0')
    const found = Array.from({ length: 200 }, () => approvalCode({ ...approval, nonceOfNew: randomBytes(32) }))
    expect(found.every((code) => /^\d{6}$/.test(code))).toBe(true)
    expect(found.some(zero)).toBe(true)
  })

  test('changes with each of its parts', () => {
    const others = [
      { userId: newId(now) },
      { approverId: newId(now) },
      { entryHash: toBase64url(flip(fromBase64url(entryHash))) },
      { nonceOfNew: flip(nonceOfNew) },
      { nonceOfApprover: flip(approval.nonceOfApprover) },
    ].map((other) => approvalCode({ ...approval, ...other }))
    expect(new Set([...others, approvalCode(approval)]).size).toBe(6)
  })

  test('is refused for nonces, hashes and ids of another form', async () => {
    for (const wrong of [
      { nonceOfNew: randomBytes(31) },
      { nonceOfApprover: randomBytes(33) },
      { entryHash: 'x' },
      { approverId: 'x' },
    ])
      expect(await refusal(() => approvalCode({ ...approval, ...wrong }))).toBe('MALFORMED')
  })
})

describe('the commitment of a new browser', () => {
  test('is the documented hash, and its nonce passes', () => {
    const encoded = encode('approval-commit', [fromBase64url(entryHash), nonceOfNew])
    const commitment = commitToApproval(entryHash, nonceOfNew)
    expect(commitment).toBe(createHash('sha256').update(encoded).digest('base64url'))
    expect(fitsCommitment(commitment, approval)).toBe(true)
  })

  test('holds for no other nonce and no other entry', async () => {
    const commitment = commitToApproval(entryHash, nonceOfNew)
    const other = toBase64url(flip(fromBase64url(entryHash)))
    for (const altered of [{ nonceOfNew: flip(nonceOfNew) }, { entryHash: other }])
      expect(fitsCommitment(commitment, { ...approval, ...altered })).toBe(false)
    expect(await refusal(() => fitsCommitment('x', approval))).toBe('MALFORMED')
  })
})
