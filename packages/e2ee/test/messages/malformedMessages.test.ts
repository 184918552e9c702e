import { describe, expect, test } from 'vitest'
import { type MessageBody, newId, openMessage, randomBytes, toBase64url } from '../../src/index.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { writeBody } from '../../src/messages/body.ts'
import { readContext } from '../../src/messages/context.ts'
import { encrypt, ivBytes } from '../../src/primitives/aead.ts'
import { hmacSha256, sha256 } from '../../src/primitives/hash.ts'
import { sign } from '../../src/primitives/signatures.ts'
import { utf8 } from '../support/hex.ts'
import { createConversation, createPerson, now } from '../support/people.ts'
import { refusal } from '../support/refusals.ts'

const [ada, ben] = [await createPerson(), await createPerson()]
const { envelope, conversationKey } = await createConversation(ada, ben)
const text = (of: string): MessageBody => ({ kind: 'text', text: of })
const hash = toBase64url(randomBytes(32))
const file = { kind: 'file' as const, name: 'scene.jpg', type: 'image/jpeg', size: 5, keyHash: hash, bodyHash: hash }

const open = (content: string) =>
  openMessage({ content, conversationKey, envelope, senderIdentityKey: ada.identityKey })

/** Creates a message as a sender with altered software could: valid apart from what `change` alters. */
async function seamed(change: {
  plain?: (plain: Uint8Array) => void
  commitTo?: Uint8Array<ArrayBuffer>
  size?: number
  body?: MessageBody
}) {
  const messageId = newId(now)
  const header = conversationKey.header.slice()
  const at = header.findIndex((_, from) => header.subarray(from, from + 4).join() === '0,0,0,16') + 4
  header.set(idBytes(messageId), at)
  const frankingKey = new Uint8Array(32).fill(7)
  const context = new Uint8Array(76)
  context[7] = context[11] = 1
  const room = new Uint8Array(2270)
  const body = room.subarray(0, writeBody(change.body ?? text('Hello'), readContext(context), room))
  const plain = new Uint8Array(change.size ?? 1024)
  plain.set(frankingKey)
  plain[32] = body.length >> 8
  plain[33] = body.length
  plain.set(body, 34)
  change.plain?.(plain)
  const read = change.commitTo ?? plain.slice(34, 34 + (plain[32] as number) * 256 + (plain[33] as number))
  const commitment = hmacSha256(frankingKey, header, read)
  const aad = new Uint8Array([...header, ...commitment])
  const iv = new Uint8Array(ivBytes)
  const ciphertext = await encrypt(conversationKey.key, iv, aad, plain)
  const signature = await sign(ada.identity.sign, new Uint8Array([...aad, ...sha256(ciphertext)]))
  return toBase64url(
    encode('message', [idBytes(messageId), idBytes(envelope.id), iv, commitment, ciphertext, signature]),
  )
}

describe('a message that its sender made wrongly', () => {
  test('is made here as the package makes it, when nothing is changed', async () => {
    expect((await open(await seamed({}))).body).toEqual(text('Hello'))
  })

  test('is refused for a commitment to something else', async () => {
    expect(await refusal(open(await seamed({ commitTo: utf8('Other') })))).toBe('BAD_COMMITMENT')
  })

  test('is refused for padding that is not zeros, or longer than needed', async () => {
    const dirty = (at: number) => seamed({ plain: (plain) => void (plain[at] = 1) })
    for (const at of [120, 500, 1023]) expect(await refusal(open(await dirty(at))), String(at)).toBe('MALFORMED')
    expect(await refusal(open(await seamed({ size: 2304 })))).toBe('MALFORMED')
  })

  test('is refused as a file that is padded like a text, which shows that it has no thumbnail', async () => {
    expect((await open(await seamed({ body: file, size: 2304 }))).body).toEqual(file)
    expect(await refusal(open(await seamed({ body: file })))).toBe('MALFORMED')
  })

  test('is refused for a length beyond its end', async () => {
    const long = (high: number, low: number) =>
      seamed({
        plain: (plain) => {
          plain[32] = high
          plain[33] = low
        },
      })
    expect(await refusal(open(await long(0xff, 0xff)))).toBe('MALFORMED')
    expect(await refusal(open(await long(0x03, 0xdf)))).toBe('MALFORMED')
  })

  test('is refused for a body of another form', async () => {
    const holding = (body: number[]) =>
      seamed({
        plain: (plain) => {
          plain.fill(0, 32)
          plain[32] = body.length >> 8
          plain[33] = body.length & 0xff
          plain.set(body, 34)
        },
      })
    const context = (n = 1, time = [0, 0, 0, 0, 0, 0, 0, 1]) => [...time, 0, 0, 0, n, ...Array<number>(64).fill(0)]
    expect((await open(await holding([0x31, ...context(), 65]))).body).toEqual(text('A'))
    expect(await refusal(open(await holding([])))).toBe('MALFORMED')
    for (const kind of [0, 1, 2, 0x11, 0x12, 0x21, 0x22, 0x23, 0x24, 0x30, 0x34, 0x35, 0xff])
      expect(await refusal(open(await holding([kind, ...context(), 65]))), String(kind)).toBe('MALFORMED')
    expect(await refusal(open(await holding([1, 65])))).toBe('MALFORMED')
    expect(await refusal(open(await holding([0x31, ...context(), 0xff])))).toBe('MALFORMED')
    expect(await refusal(open(await holding([0x32, ...context(), 65])))).toBe('MALFORMED')
    expect(await refusal(open(await holding([0x31, ...context(), ...utf8('x'.repeat(501))])))).toBe('TOO_LONG')
    expect(await refusal(open(await holding([0x31, ...context(0), 65])))).toBe('MALFORMED')
    const tooLate = [0, 0x20, 0, 0, 0, 0, 0, 0]
    expect(await refusal(open(await holding([0x31, ...context(1, tooLate), 65])))).toBe('MALFORMED')
    const [latest, later] = [0, 1].map((last) => [0, 0x1e, 0xb2, 0x08, 0xc2, 0xdc, 0, last])
    expect((await open(await holding([0x31, ...context(1, latest), 65]))).body).toEqual(text('A'))
    expect(await refusal(open(await holding([0x31, ...context(1, later), 65])))).toBe('MALFORMED')
    for (let length = 0; length < 77; length++)
      expect(await refusal(open(await holding([0x31, ...context()].slice(0, length)))), String(length)).toBe(
        'MALFORMED',
      )
  })
})
