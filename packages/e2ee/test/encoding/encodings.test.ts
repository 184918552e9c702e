import { describe, expect, test } from 'vitest'
import { fromBase64url, fromBase64urlOf, toBase64url } from '../../src/encoding/base64url.ts'
import { integerBytes, readInteger, toUtf8 } from '../../src/encoding/bytes.ts'
import { decode, encode, encodeText } from '../../src/encoding/canonical.ts'
import { idBytes, idText, newId } from '../../src/encoding/id.ts'
import { utf8 } from '../support/hex.ts'
import { refusal } from '../support/refusals.ts'

const bytesOf = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 151 + length) & 0xff)

/** Runs `work` as in a browser that lacks the base64 methods. */
async function withoutNativeBase64(work: () => Promise<void>): Promise<void> {
  const methods = [
    [Uint8Array.prototype, 'toBase64'],
    [Uint8Array, 'fromBase64'],
  ] as const
  const native = methods.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
  for (const [owner, name] of methods) expect(Reflect.deleteProperty(owner, name), name).toBe(true)
  try {
    await work()
  } finally {
    for (const [at, [owner, name]] of methods.entries())
      Object.defineProperty(owner, name, native[at] as PropertyDescriptor)
  }
}

async function checkBase64url(): Promise<void> {
  for (let length = 0; length < 70; length++) {
    const text = toBase64url(bytesOf(length))
    expect(text).toBe(Buffer.from(bytesOf(length)).toString('base64url'))
    expect(fromBase64url(text)).toEqual(bytesOf(length))
  }
  const refused = ['A', 'AAAAA', 'AA==', 'AAA=', 'AA=', 'AB', 'AAB', 'AA+A', 'AA/A', 'AA A', ' AAAA', 'AAAA\n', 'AA é']
  const spaced = ['A A', 'AA AA', 'AAAA  ', 'AAAA   ', 'AAAA    ', '\u0100AAA', 'AA\u00ff\u00ff', '====']
  for (const text of [...refused, ...spaced]) {
    expect(await refusal(() => fromBase64url(text)), JSON.stringify(text)).toBe('MALFORMED')
  }
}

describe('base64url', () => {
  test('has one text for each byte string, and refuses every other', checkBase64url)
  test('is the same where the runtime lacks its own', () => withoutNativeBase64(checkBase64url))

  test('takes long inputs too', () => {
    const long = bytesOf(300_000)
    expect(fromBase64url(toBase64url(long))).toEqual(long)
  })

  test('of another length than expected is refused', async () => {
    expect(fromBase64urlOf('AAAA', 3)).toEqual(new Uint8Array(3))
    expect(await refusal(() => fromBase64urlOf('AAAA', 4))).toBe('MALFORMED')
  })
})

describe('the canonical encoding', () => {
  const fields = [utf8('one'), new Uint8Array(0), bytesOf(40)]
  const encoded = encode('test', fields)
  const read = (bytes: Uint8Array<ArrayBuffer>) => decode('test', bytes, [undefined, undefined, undefined])

  test('is the label, the version and the fields, each with its length', () => {
    const label = [12, ...utf8('privity/test'), 1]
    const body = [0, 0, 0, 3, ...utf8('one'), 0, 0, 0, 0, 0, 0, 0, 40, ...bytesOf(40)]
    expect([...encoded]).toEqual([...label, ...body])
    expect(read(encoded)).toEqual(fields)
    expect(encodeText('test', fields)).toBe(toBase64url(encoded))
    const long = [bytesOf(70_000)]
    expect(encodeText('test', long)).toBe(toBase64url(encode('test', long)))
  })

  test('refuses trailing bytes, missing bytes, and every other length, label and version', async () => {
    expect(await refusal(() => read(new Uint8Array([...encoded, 0])))).toBe('MALFORMED')
    for (let end = 0; end < encoded.length; end++) {
      expect(await refusal(() => read(encoded.slice(0, end))), `${end} bytes`).toBe('MALFORMED')
    }
    const structure = [...Array(14).keys(), 14, 15, 16, 17, 21, 22, 23, 24, 25, 26, 27, 28]
    for (const at of structure) {
      for (let bit = 0; bit < 8; bit++) {
        const altered = encoded.slice()
        altered[at] = (altered[at] as number) ^ (1 << bit)
        expect(await refusal(() => read(altered)), `byte ${at} bit ${bit}`).toBe('MALFORMED')
      }
    }
  })

  test('holds fields to the sizes asked for', async () => {
    expect(decode('test', encoded, [3, [0, 1], 40])).toEqual(fields)
    expect(await refusal(() => decode('test', encoded, [3, [1, 2], 40]))).toBe('MALFORMED')
    expect(await refusal(() => decode('test', encoded, [4, 0, 40]))).toBe('MALFORMED')
    expect(await refusal(() => decode('test', encoded, [3, 0]))).toBe('MALFORMED')
    expect(await refusal(() => decode('test', encoded, [3, 0, 40, undefined]))).toBe('MALFORMED')
    expect(await refusal(() => decode('other', encoded, [3, 0, 40]))).toBe('MALFORMED')
  })

  test('reads from the middle of a larger buffer', () => {
    const larger = new Uint8Array([9, 9, ...encoded, 9])
    expect(read(larger.subarray(2, -1))).toEqual(fields)
  })
})

describe('single values', () => {
  test('integers are big-endian, and refused when they do not fit', async () => {
    expect([...integerBytes(0x01020304, 4)]).toEqual([1, 2, 3, 4])
    expect([...integerBytes(2 ** 40 + 5, 8)]).toEqual([0, 0, 1, 0, 0, 0, 0, 5])
    for (const value of [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      expect(readInteger(integerBytes(value, 8))).toBe(value)
    }
    for (const value of [-1, 1.5, Number.NaN, 2 ** 32]) {
      expect(await refusal(() => integerBytes(value, 4)), String(value)).toBe('MALFORMED')
    }
    expect(await refusal(() => integerBytes(2 ** 53, 8))).toBe('MALFORMED')
    expect(await refusal(() => readInteger(new Uint8Array(8).fill(255)))).toBe('MALFORMED')
  })

  test('identifiers are lower-case UUIDs and nothing else', async () => {
    const id = '01930000-0000-7abc-8def-00000000000a'
    expect(idText(idBytes(id))).toBe(id)
    expect(Buffer.from(idBytes(id)).toString('hex')).toBe(id.replaceAll('-', ''))
    const others = [id.toUpperCase(), id.slice(1), `${id}0`, id.replace('-', ''), `{${id}}`, '', id.replace('0', 'g')]
    for (const text of [...others, id.replaceAll('-', '_'), id.replace('0', '\u0130'), id.replace('a', '-')]) {
      expect(await refusal(() => idBytes(text)), text).toBe('MALFORMED')
    }
  })

  test('new identifiers are UUIDv7 of the time given, and differ', () => {
    const ids = Array.from({ length: 100 }, () => newId(0x0193_1234_5678))
    for (const id of ids) expect(id).toMatch(/^01931234-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    expect(new Set(ids).size).toBe(100)
    expect(newId(1) < newId(2)).toBe(true)
  })

  test('half a character is refused rather than replaced', async () => {
    expect(await refusal(() => toUtf8('\ud83d'))).toBe('MALFORMED')
    expect(toUtf8('\ufeff😀')).toEqual(utf8('\ufeff😀'))
  })
})
