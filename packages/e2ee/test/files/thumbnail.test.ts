import { createDecipheriv, hkdfSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFileKey, fromBase64url, newId, randomBytes, toBase64url } from '../../src/index.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { maxThumbnailBytes, openThumbnail, sealThumbnail } from '../../src/files/thumbnail.ts'
import { sealText } from '../../src/primitives/aead.ts'
import { deriveInfo, deriveSealingKey, importSecret } from '../../src/primitives/derive.ts'
import { now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const binding = { fileKey: createFileKey(), userId: newId(now), messageId: newId(now) }
const file = { name: 'scene.jpg', type: 'image/jpeg' }
const picture = randomBytes(700)
const sealed = await sealThumbnail({ ...binding, file, picture })

/** Seals as a sender with altered software could. */
async function sealPlain(plain: Uint8Array<ArrayBuffer>) {
  const key = await deriveSealingKey(await importSecret(binding.fileKey), deriveInfo('thumbnail-key'))
  return sealText(key, encode('thumbnail', [idBytes(binding.userId), idBytes(binding.messageId)]), plain)
}

describe('a thumbnail', () => {
  test('opens with the key of its file to what was sealed', async () => {
    expect(await openThumbnail({ ...binding, sealed })).toEqual(picture)
  })

  test('is sealed as docs/protocol.md describes it', () => {
    const encoding = (label: string, ...fields: Uint8Array[]) => {
      const sized = fields.flatMap((field) => [Buffer.from([0, 0, field.length >> 8, field.length]), field])
      return Buffer.concat([Buffer.from([label.length]), Buffer.from(label), Buffer.from([1]), ...sized])
    }
    const id = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
    const key = hkdfSync('sha256', binding.fileKey, '', encoding('privity/thumbnail-key'), 32)
    const bytes = Buffer.from(sealed, 'base64url')
    const [iv, ciphertext] = [bytes.subarray(20, 32), bytes.subarray(36)]
    expect(encoding('privity/sealed', iv, ciphertext)).toEqual(bytes)
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key), iv)
    decipher.setAAD(encoding('privity/thumbnail', id(binding.userId), id(binding.messageId)))
    decipher.setAuthTag(ciphertext.subarray(-16))
    const plain = Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()])
    expect(plain).toEqual(Buffer.concat([Buffer.from([700 >> 8, 700 & 0xff]), picture, Buffer.alloc(2010 - 700)]))
  })

  test('opens with no other key, owner or message', async () => {
    const others = [{ fileKey: createFileKey() }, { userId: newId(now) }, { messageId: newId(now) }]
    for (const other of others)
      expect(await refusal(openThumbnail({ ...binding, ...other, sealed }))).toBe('AUTHENTICATION_FAILED')
  })

  test('does not open with the file key itself, which encrypts nothing directly', async () => {
    const [iv, ciphertext] = [fromBase64url(sealed).slice(20, 32), fromBase64url(sealed).slice(36)]
    const key = await crypto.subtle.importKey('raw', binding.fileKey, 'AES-GCM', false, ['decrypt'])
    await expect(crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, ciphertext)).rejects.toThrow()
  })

  test('refuses flipped bits, every seventh', { timeout: 30_000 }, async () => {
    const open = (bytes: Uint8Array) => openThumbnail({ ...binding, sealed: toBase64url(bytes) })
    expect(await unnoticedFlips(fromBase64url(sealed), open, 7)).toEqual([])
  })

  test('has one length beside a name and type, whatever the picture', async () => {
    const lengths = [0, 1, maxThumbnailBytes(file)].map(async (length) => {
      return (await sealThumbnail({ ...binding, file, picture: randomBytes(length) })).length
    })
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([sealed.length]))
  })

  test('has 1,137 bytes beside the longest name of a picture', () => {
    expect(maxThumbnailBytes({ name: '€'.repeat(255), type: 'x'.repeat(127) })).toBe(1137)
    expect(maxThumbnailBytes(file)).toBe(2010)
  })

  test('is refused rather than cut when the picture is larger', async () => {
    const larger = randomBytes(maxThumbnailBytes(file) + 1)
    expect(await refusal(sealThumbnail({ ...binding, file, picture: larger }))).toBe('TOO_LONG')
  })

  test('is refused for a length beyond its end, or padding other than zeros', async () => {
    for (const plain of [[], [0], [0, 4, 1, 2, 3], [0xff, 0xff, 1], [0, 1, 7, 0, 1]])
      expect(await refusal(openThumbnail({ ...binding, sealed: await sealPlain(new Uint8Array(plain)) }))).toBe(
        'MALFORMED',
      )
  })
})
