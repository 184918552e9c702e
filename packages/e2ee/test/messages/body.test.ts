import { describe, expect, test } from 'vitest'
import { type MessageBody, readBody, writeBody } from '../../src/messages/body.ts'
import { contextBytes } from '../../src/messages/context.ts'
import { maxThumbnailBytes } from '../../src/files/thumbnail.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { newId, randomBytes, toBase64url } from '../../src/index.ts'
import { first } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const file = {
  kind: 'file' as const,
  name: 'Plan.pdf',
  type: 'application/pdf',
  size: 104_877_600,
  keyHash: toBase64url(randomBytes(32)),
  bodyHash: toBase64url(randomBytes(32)),
}

const room = () => new Uint8Array(2270)
function written(body: MessageBody): Uint8Array<ArrayBuffer> {
  const bytes = room()
  return bytes.slice(0, writeBody(body, first, bytes))
}

describe('the body of a file message', () => {
  test('reads as it was written', () => {
    for (const body of [file, { ...file, name: '', type: '', size: 0 }, { ...file, name: 'Café 😀.tar.gz' }]) {
      expect(readBody(written(body))).toEqual({ body, context: first })
    }
  })

  test('fits with the longest name and type', () => {
    const longest = { ...file, name: '\u20ac'.repeat(255), type: 'x'.repeat(127), size: Number.MAX_SAFE_INTEGER }
    expect(readBody(written(longest)).body).toEqual(longest)
  })

  test('is refused rather than cut when the name or type is longer', async () => {
    expect(await refusal(() => written({ ...file, name: 'x'.repeat(256) }))).toBe('TOO_LONG')
    expect(await refusal(() => written({ ...file, type: 'x'.repeat(128) }))).toBe('TOO_LONG')
    expect(await refusal(() => writeBody(file, first, new Uint8Array(150)))).toBe('TOO_LONG')
    expect(await refusal(() => writeBody({ kind: 'text', text: 'Hello' }, first, new Uint8Array(81)))).toBe('TOO_LONG')
  })

  test('is refused with a size, hash or name of another form', async () => {
    const others = [
      { size: -1 },
      { size: 0.5 },
      { size: 2 ** 53 },
      { keyHash: 'AA' },
      { bodyHash: `${file.bodyHash}=` },
    ]
    for (const other of [...others, { name: '\ud83d' }]) {
      expect(await refusal(() => written({ ...file, ...other })), JSON.stringify(other)).toBe('MALFORMED')
    }
  })

  test('is refused when it is not as it would be written', async () => {
    const bytes = written(file)
    expect(await refusal(() => readBody(new Uint8Array([...bytes, 0])))).toBe('MALFORMED')
    for (let end = 0; end < bytes.length; end++) {
      expect(await refusal(() => readBody(bytes.slice(0, end))), String(end)).toBe('MALFORMED')
    }
    // Any bit of the structure: label, version and lengths. The values themselves may be any.
    const start = 1 + contextBytes
    const structure = bytes.slice(start, start + 18)
    const open = async (altered: Uint8Array) =>
      readBody(new Uint8Array([...bytes.slice(0, start), ...altered, ...bytes.slice(start + 18)]))
    expect(await unnoticedFlips(structure, open)).toEqual([])
  })
})

describe('the body of a file message with a thumbnail', () => {
  const overhead = 52 + 2
  const withThumbnail = ({ name, type } = file) => ({
    ...file,
    name,
    type,
    thumbnail: toBase64url(randomBytes(maxThumbnailBytes({ name, type }) + overhead)),
  })

  test('reads as it was written, whatever the name and type', () => {
    const longest = { ...file, name: '\u20ac'.repeat(255), type: 'x'.repeat(127) }
    for (const body of [withThumbnail(), withThumbnail({ ...file, name: '', type: '' }), withThumbnail(longest)])
      expect(readBody(written(body))).toEqual({ body, context: first })
  })

  test('fills the message', () => {
    expect(written(withThumbnail())).toHaveLength(2270)
  })

  test('is refused when the thumbnail does not fill it', async () => {
    for (const length of [0, 54, 2000]) {
      const thumbnail = toBase64url(new Uint8Array(length))
      expect(await refusal(() => written({ ...file, thumbnail }))).toBe('MALFORMED')
    }
    const fields = [new Uint8Array(1), new Uint8Array(1), new Uint8Array(8), new Uint8Array(32), new Uint8Array(32)]
    const small = encode('file', [...fields, new Uint8Array(700)])
    const bytes = new Uint8Array([0x34, ...written(file).subarray(1, 77), ...small])
    expect(await refusal(() => readBody(bytes))).toBe('MALFORMED')
  })

  test('is refused when it is not as it would be written', async () => {
    const bytes = written(withThumbnail())
    expect(await refusal(() => readBody(new Uint8Array([...bytes, 0])))).toBe('MALFORMED')
    for (let end = 77; end < bytes.length; end += 3)
      expect(await refusal(() => readBody(bytes.slice(0, end))), String(end)).toBe('MALFORMED')
    expect(await refusal(() => readBody(new Uint8Array([0x32, ...bytes.subarray(1)])))).toBe('MALFORMED')
  })
})

describe('the body of a text that quotes a message', () => {
  const quote = { messageId: newId(1_900_000_000_000), expiresAt: 1_900_000_000_000, excerpt: 'Where do we meet?' }
  const quoting = { kind: 'text' as const, text: 'At the harbour', quote }

  test('reads as it was written', () => {
    for (const body of [quoting, { ...quoting, text: '' }, { ...quoting, quote: { ...quote, excerpt: '' } }])
      expect(readBody(written(body))).toEqual({ body, context: first })
  })

  test('fits with the longest text and excerpt', () => {
    const longest = { ...quoting, text: '😀'.repeat(500), quote: { ...quote, excerpt: '😀'.repeat(34) } }
    expect(readBody(written(longest)).body).toEqual(longest)
  })

  test('is refused rather than cut when text or excerpt is longer', async () => {
    expect(await refusal(() => written({ ...quoting, text: 'x'.repeat(501) }))).toBe('TOO_LONG')
    expect(await refusal(() => written({ ...quoting, quote: { ...quote, excerpt: 'x'.repeat(137) } }))).toBe('TOO_LONG')
  })

  test('is refused with an excerpt that is longer than the sender may write', async () => {
    const fields = [new Uint8Array(16), new Uint8Array(8), new Uint8Array(137), new Uint8Array(1)]
    const bytes = new Uint8Array([...written(quoting).subarray(0, 77), ...encode('quote', fields)])
    expect(await refusal(() => readBody(bytes))).toBe('TOO_LONG')
  })

  test('is refused when it is not as it would be written', async () => {
    const bytes = written(quoting)
    expect(await refusal(() => readBody(new Uint8Array([...bytes, 0x80])))).toBe('MALFORMED')
    for (let end = 77; end < bytes.length; end++)
      expect(await refusal(() => readBody(bytes.slice(0, end))), String(end)).toBe('MALFORMED')
  })

  test('is no text for a reader that knows texts alone, so none shows a quote as what was written', () => {
    expect(written(quoting)[0]).toBe(0x33)
  })
})
