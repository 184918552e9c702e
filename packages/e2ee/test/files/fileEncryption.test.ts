import { createCipheriv, createDecipheriv, createHash, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { decryptFile, encryptFile } from '../../src/files/fileEncryption.ts'
import { createHasher } from '../../src/files/fileHash.ts'
import { createFileKey, fileBinding, newId, randomBytes } from '../../src/index.ts'
import { fromHex, toHex, utf8 } from '../support/hex.ts'
import { now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'
import vector from '../vectors/tinkStreaming.json' with { type: 'json' }

const MiB = 1024 * 1024
const aad = fileBinding({ userId: newId(now), messageId: newId(now) })
const fileKey = createFileKey()

async function* chunks(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return new Uint8Array(Buffer.concat(all))
}

const sealFile = (plain: Uint8Array, chunk = 60_000) => gather(encryptFile(fileKey, chunks(plain, chunk), aad))
const openFile = (sealed: Uint8Array, chunk = 70_000, key = fileKey, binding = aad) =>
  gather(decryptFile(key, chunks(sealed, chunk), binding))

interface Tink {
  hash: string
  derivedKeyBytes: number
  segmentBytes: number
}
const ours: Tink = { hash: 'sha256', derivedKeyBytes: 32, segmentBytes: MiB }

/** Tink's AES-GCM-HKDF streaming, written from its specification on node:crypto, with any parameters. */
const tink = {
  segments(bytes: Uint8Array, first: number, rest: number): Uint8Array[] {
    const cuts = [bytes.subarray(0, first)]
    for (let at = first; at < bytes.length; at += rest) cuts.push(bytes.subarray(at, at + rest))
    return cuts
  },
  keyAndNonce(parameters: Tink, key: Uint8Array, header: Uint8Array, info: Uint8Array) {
    const { hash, derivedKeyBytes } = parameters
    const salt = header.subarray(1, 1 + derivedKeyBytes)
    const derived = Buffer.from(hkdfSync(hash, key, salt, info, derivedKeyBytes))
    const nonce = (index: number, last: boolean) => {
      const number = Buffer.alloc(5)
      number.writeUInt32BE(index)
      number[4] = last ? 1 : 0
      return Buffer.concat([header.subarray(1 + derivedKeyBytes), number])
    }
    return { cipher: `aes-${derivedKeyBytes * 8}-gcm` as const, derived, nonce }
  },
  encrypt(parameters: Tink, key: Uint8Array, random: Uint8Array, plain: Uint8Array, info: Uint8Array): Uint8Array {
    const header = Buffer.from([parameters.derivedKeyBytes + 8, ...random])
    const { cipher, derived, nonce } = tink.keyAndNonce(parameters, key, header, info)
    const rest = parameters.segmentBytes - 16
    const sealed = tink.segments(plain, rest - header.length, rest).map((segment, index, all) => {
      const sealing = createCipheriv(cipher as 'aes-256-gcm', derived, nonce(index, index === all.length - 1))
      return Buffer.concat([sealing.update(segment), sealing.final(), sealing.getAuthTag()])
    })
    return Buffer.concat([header, ...sealed])
  },
  decrypt(parameters: Tink, key: Uint8Array, sealed: Uint8Array, info: Uint8Array): Uint8Array {
    const header = sealed.subarray(0, parameters.derivedKeyBytes + 8)
    const { cipher, derived, nonce } = tink.keyAndNonce(parameters, key, header, info)
    const { segmentBytes } = parameters
    const cuts = tink.segments(sealed.subarray(header.length), segmentBytes - header.length, segmentBytes)
    const plain = cuts.map((segment, index, all) => {
      const opening = createDecipheriv(cipher as 'aes-256-gcm', derived, nonce(index, index === all.length - 1))
      opening.setAuthTag(segment.subarray(-16))
      return Buffer.concat([opening.update(segment.subarray(0, -16)), opening.final()])
    })
    return Buffer.concat(plain)
  },
}

const first = MiB - 40 - 16
const sizes = [0, 1, 1000, first - 1, first, first + 1, first + MiB - 16, first + MiB - 15, 3_000_000]

describe('the format is Tink’s AES256-GCM-HKDF-1MB', { timeout: 30_000 }, () => {
  test('the reference here gives the ciphertext that Tink publishes', () => {
    const [key, plain, info] = [fromHex(vector.key), utf8(vector.plaintext), utf8(vector.aad)]
    const random = fromHex(vector.salt + vector.noncePrefix)
    expect(toHex(tink.encrypt(vector, key, random, plain, info))).toBe(vector.ciphertext)
    expect(toHex(tink.decrypt(vector, key, fromHex(vector.ciphertext), info))).toBe(toHex(plain))
  })

  test.for(sizes)('the reference opens what ours encrypts, and ours what it encrypts: %i bytes', async (size) => {
    const plain = randomBytes(Math.min(size, 65_536))
    const whole = new Uint8Array(size).map((_, at) => plain[at % plain.length] as number)
    const sealed = await sealFile(whole)
    expect(sealed[0]).toBe(40)
    const segments = size <= first ? 1 : 1 + Math.ceil((size - first) / (MiB - 16))
    expect(sealed.length).toBe(40 + size + 16 * segments)
    expect(Buffer.compare(tink.decrypt(ours, fileKey, sealed, aad), whole)).toBe(0)
    const theirs = tink.encrypt(ours, fileKey, randomBytes(39), whole, aad)
    expect(Buffer.compare(await openFile(theirs), whole)).toBe(0)
    expect(Buffer.compare(await openFile(sealed), whole)).toBe(0)
  })
})

describe('an encrypted file', { timeout: 30_000 }, () => {
  const plain = randomBytes(50)

  test('comes and goes in chunks of any size', async () => {
    const large = new Uint8Array(first + MiB + 5).fill(9)
    for (const size of [700_000, first, MiB, 5_000_000]) {
      expect(Buffer.compare(await openFile(await sealFile(large, size), size), large)).toBe(0)
    }
    const sealed = await sealFile(plain, 1)
    expect(await openFile(sealed, 1)).toEqual(plain)
    const withEmpty = async function* () {
      yield new Uint8Array(0)
      yield* chunks(sealed, 100)
      yield new Uint8Array(0)
    }
    expect(await gather(decryptFile(fileKey, withEmpty(), aad))).toEqual(plain)
  })

  test('is read from a ReadableStream, which is let go when the consumer leaves', async () => {
    const sealed = await gather(encryptFile(fileKey, new Blob([plain]).stream(), aad))
    expect(await gather(decryptFile(fileKey, new Blob([sealed]).stream(), aad))).toEqual(plain)
    const cancelled = Promise.withResolvers<void>()
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(MiB)),
      cancel: () => cancelled.resolve(),
    })
    for await (const piece of encryptFile(fileKey, endless, aad)) if (piece.length > 40) break
    await cancelled.promise
  })

  test('may reuse the memory of its chunks', async () => {
    const reused = new Uint8Array(1000)
    const source = async function* () {
      for (let value = 0; value < 3000; value++) yield reused.fill(value & 0xff)
    }
    const opened = await openFile(await gather(encryptFile(fileKey, source(), aad)))
    expect(opened.length).toBe(3_000_000)
    expect(opened.every((byte, at) => byte === (Math.floor(at / 1000) & 0xff))).toBe(true)
  })

  test('passes on the failure of its source', async () => {
    const broken = async function* () {
      yield new Uint8Array(2 * MiB)
      throw new TypeError('The disk is gone.')
    }
    await expect(gather(encryptFile(fileKey, broken(), aad))).rejects.toThrow('The disk is gone.')
    await expect(gather(decryptFile(fileKey, broken(), aad))).rejects.toThrow()
  })

  test('is another ciphertext each time, and opens with its key and binding only', async () => {
    const sealed = await sealFile(plain)
    expect(await sealFile(plain)).not.toEqual(sealed)
    expect(await refusal(openFile(sealed, 100, createFileKey()))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openFile(sealed, 100, fileKey, utf8('other')))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openFile(sealed, 100, new Uint8Array(31)))).toBe('MALFORMED')
    const [userId, messageId] = [newId(now), newId(now)]
    const bindings = [fileBinding({ userId, messageId }), fileBinding({ userId: messageId, messageId: userId })]
    expect(toHex(bindings[0] as Uint8Array)).not.toBe(toHex(bindings[1] as Uint8Array))
  })

  test('refuses every flipped bit of a small file', { timeout: 60_000 }, async () => {
    expect(await unnoticedFlips(await sealFile(plain), (altered) => openFile(altered))).toEqual([])
    expect(await unnoticedFlips(await sealFile(new Uint8Array(0)), (altered) => openFile(altered))).toEqual([])
  })

  test('refuses flipped bits in every segment and tag of a large one', { timeout: 60_000 }, async () => {
    const sealed = await sealFile(new Uint8Array(2 * MiB + 100))
    const places = [
      40,
      MiB - 16,
      MiB - 1,
      MiB,
      2 * MiB - 16,
      2 * MiB - 1,
      2 * MiB,
      sealed.length - 16,
      sealed.length - 1,
    ]
    for (const at of places) {
      const altered = sealed.with(at, (sealed[at] as number) ^ 0x10)
      expect(await refusal(openFile(altered)), String(at)).toBe('AUTHENTICATION_FAILED')
    }
  })

  test('refuses to end early, wherever it is cut', async () => {
    const sealed = await sealFile(new Uint8Array(2 * MiB))
    expect(await refusal(openFile(sealed.subarray(0, MiB)))).toBe('TRUNCATED')
    expect(await refusal(openFile(sealed.subarray(0, 2 * MiB)))).toBe('TRUNCATED')
    for (const end of [0, 1, 39, 40])
      expect(await refusal(openFile(sealed.subarray(0, end))), String(end)).toBe('TRUNCATED')
    for (const end of [41, 56, 1000, MiB - 1, MiB + 1, MiB + 16, sealed.length - 1]) {
      expect(await refusal(openFile(sealed.subarray(0, end))), String(end)).toBe('AUTHENTICATION_FAILED')
    }
  })

  test('refuses segments in another order, twice, left out, added, or of another file', async () => {
    const content = new Uint8Array(3 * MiB)
    const [sealed, other] = [await sealFile(content), await sealFile(content)]
    const cut = (of: Uint8Array, at: number) => of.subarray(at * MiB, (at + 1) * MiB)
    const parts = [0, 1, 2, 3].map((at) => cut(sealed, at)) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array]
    const [a, b, c, d] = parts
    const wrong = [
      [a, c, b, d],
      [a, b, b, c, d],
      [a, c, d],
      [a, b, c, d, d],
      [a, b, c, d, new Uint8Array(16)],
      [a, b, c, d, new Uint8Array(1)],
      [a, cut(other, 1), c, d],
      [cut(other, 0), b, c, d],
    ]
    for (const order of wrong) {
      expect(await refusal(openFile(Buffer.concat(order)))).toMatch(/AUTHENTICATION_FAILED|TRUNCATED/)
    }
    expect((await openFile(Buffer.concat(parts))).length).toBe(3 * MiB)
  })

  test('gives nothing of a segment that is not genuine', async () => {
    const sealed = await sealFile(new Uint8Array(2 * MiB))
    const altered = sealed.with(MiB + 5, 1)
    const given: number[] = []
    const work = async () => {
      for await (const piece of decryptFile(fileKey, chunks(altered, 90_000), aad)) given.push(piece.length)
    }
    expect(await refusal(work())).toBe('AUTHENTICATION_FAILED')
    expect(given).toEqual([first])
  })

  test('is encrypted one segment ahead of the consumer, and no further', async () => {
    let read = 0
    const source = async function* () {
      for (; read < 50 * MiB; read += MiB) yield new Uint8Array(MiB)
    }
    const pieces = encryptFile(fileKey, source(), aad)
    await pieces.next()
    expect(read).toBe(0)
    for (let taken = 1; taken < 20; taken++) {
      await pieces.next()
      expect(read).toBeLessThanOrEqual((taken + 2) * MiB)
    }
    await pieces.return()
  })
})

describe('the hash of a ciphertext', { timeout: 30_000 }, () => {
  const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes)

  /** docs/protocol.md, in other words. */
  function reference(bytes: Uint8Array): string {
    const digests: Buffer[] = []
    for (let at = 0; at < bytes.length; at += MiB) digests.push(sha256(bytes.subarray(at, at + MiB)).digest())
    const total = Buffer.alloc(8)
    total.writeBigUInt64BE(BigInt(bytes.length))
    const joined = Buffer.concat(digests)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(joined.length)
    const parts = [Buffer.from([17]), 'privity/file-hash', Buffer.from([1, 0, 0, 0, 8]), total, length, joined]
    return sha256(Buffer.concat(parts.map((part) => Buffer.from(part)))).digest('base64url')
  }

  async function hash(bytes: Uint8Array, chunk: number): Promise<string> {
    const hasher = createHasher()
    for await (const piece of chunks(bytes, chunk)) await hasher.update(piece)
    return hasher.digest()
  }

  test('is the same however the bytes are cut', async () => {
    for (const size of [0, 1, MiB - 1, MiB, MiB + 1, 3 * MiB + 7]) {
      const bytes = new Uint8Array(size).map((_, at) => at * 7)
      const expected = reference(bytes)
      for (const chunk of [10_007, MiB, 5 * MiB]) expect(await hash(bytes, chunk), `${size} by ${chunk}`).toBe(expected)
    }
  })

  test('is right although the pieces’ memory is used again, and nobody waits', async () => {
    const hasher = createHasher()
    const reused = new Uint8Array(400_000)
    const whole = new Uint8Array(4_000_000)
    const updates: Promise<void>[] = []
    for (let piece = 0; piece < 10; piece++) {
      whole.set(reused.fill(piece), piece * reused.length)
      updates.push(hasher.update(reused))
    }
    await Promise.all(updates)
    expect(await hasher.digest()).toBe(reference(whole))
  })
})
