import { describe, expect, test } from 'vitest'
import { readSealedMessage, sealedMessageLengths } from '../../src/messages/sealedMessage.ts'

const messageId = '01930000-0000-7000-8000-00000000000a'
const envelopeId = '01930000-0000-7000-8000-00000000000b'
const field = (bytes: Buffer) => Buffer.concat([Buffer.from(new Uint32Array([bytes.length]).buffer).reverse(), bytes])
const uuid = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex')

function sealed(ciphertext: number): Buffer {
  const label = Buffer.from('privity/message')
  return Buffer.concat([
    Buffer.from([label.length]),
    label,
    Buffer.from([1]),
    ...[
      uuid(messageId),
      uuid(envelopeId),
      Buffer.alloc(12),
      Buffer.alloc(32, 9),
      Buffer.alloc(ciphertext, 8),
      Buffer.alloc(64, 7),
    ].map(field),
  ])
}

describe('the form of a sealed message', () => {
  test('is read in both sizes', () => {
    for (const [at, size] of [1040, 2320].entries()) {
      const bytes = sealed(size)
      expect(bytes.toString('base64url').length).toBe(sealedMessageLengths[at])
      expect(readSealedMessage(new Uint8Array(bytes))).toEqual({
        messageId,
        envelopeId,
        commitment: new Uint8Array(32).fill(9),
        ciphertext: new Uint8Array(size).fill(8),
        signature: new Uint8Array(64).fill(7),
      })
    }
  })

  test('any other size, label, version or field length is refused', () => {
    const good = sealed(1040)
    expect(readSealedMessage(Buffer.alloc(0))).toBeUndefined()
    expect(readSealedMessage(Buffer.from('Meet me at ten.'))).toBeUndefined()
    expect(readSealedMessage(Buffer.concat([good, Buffer.from([0])]))).toBeUndefined()
    expect(readSealedMessage(good.subarray(1))).toBeUndefined()
    expect(readSealedMessage(sealed(1041))).toBeUndefined()
    const lengthsAt = [0, 20, 40, 56, 92, 92 + 4 + 1040].map((offset) => 17 + offset)
    for (const at of [...Array(17).keys(), ...lengthsAt.flatMap((start) => [start, start + 1, start + 2, start + 3])]) {
      const broken = Buffer.from(good)
      broken[at] = (broken[at] as number) ^ 1
      expect(readSealedMessage(broken), `byte ${at}`).toBeUndefined()
    }
  })

  test('text as long as a sealed message is not taken for one', () => {
    const text = Buffer.alloc(sealed(1040).length, 'plain text ')
    expect(readSealedMessage(text)).toBeUndefined()
  })
})
