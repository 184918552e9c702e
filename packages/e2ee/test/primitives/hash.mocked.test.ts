import { createHash, createHmac } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fastHmacSha256, fastSha256, hmacSha256, sha256 } from '../../src/primitives/hash.ts'
import { randomBytes } from '../../src/index.ts'
import { fromHex, toHex } from '../support/hex.ts'
import hmac from '../vectors/hmac.json' with { type: 'json' }

interface Hashes {
  fastHmacSha256: typeof fastHmacSha256
  fastSha256: typeof fastSha256
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
const mac = (key: Uint8Array, bytes: Uint8Array) => createHmac('sha256', key).update(bytes).digest('hex')

/** All lengths around the hash's block of 64 bytes, all at once, so that the one hasher is asked for by many. */
async function check({ fastHmacSha256: fastMac, fastSha256: fast }: Hashes): Promise<void> {
  const work = Array.from({ length: 300 }, async (_, length) => {
    const [bytes, key] = [randomBytes(length), randomBytes(1 + (length % 64))]
    const [head, tail] = [bytes.subarray(0, length >> 1), bytes.subarray(length >> 1)]
    const [digest, code] = await Promise.all([fast(bytes), fastMac(key, head, tail)])
    expect(toHex(digest), `${length} bytes`).toBe(hash(bytes))
    expect(toHex(code), `${length} bytes`).toBe(mac(key, bytes))
    expect(toHex(sha256(bytes))).toBe(hash(bytes))
    expect(toHex(hmacSha256(key, head, tail))).toBe(mac(key, bytes))
  })
  await Promise.all(work)
}

afterEach(() => {
  vi.doUnmock('hash-wasm')
  vi.resetModules()
})

describe('SHA-256 and HMAC-SHA-256 for messages', () => {
  test.for(hmac.tests)('HMAC: $name', async ({ key, data, code }) => {
    expect(toHex(await fastHmacSha256(fromHex(key), fromHex(data)))).toBe(code)
    expect(toHex(hmacSha256(fromHex(key), fromHex(data)))).toBe(code)
  })

  test('are right when many ask at once', () => check({ fastHmacSha256, fastSha256 }))

  test('are right where a page’s policy refuses WebAssembly', async () => {
    const refused = vi.fn(() => Promise.reject(new WebAssembly.CompileError('refused')))
    vi.doMock('hash-wasm', () => ({ createSHA256: refused }))
    vi.resetModules()
    await check(await import('../../src/primitives/hash.ts'))
    expect(refused).toHaveBeenCalledTimes(1)
  })
})
