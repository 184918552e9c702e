import { createCipheriv, createHash, createHmac } from 'node:crypto'
import { ml_kem768_x25519 as xwing } from '@noble/post-quantum/hybrid.js'
import { AEAD_AES_256_GCM, AEAD_ChaCha20Poly1305, CipherSuite, KDF_HKDF_SHA256 } from 'hpke'
import { describe, expect, test } from 'vitest'
import * as hpke from '../../src/primitives/hpke.ts'
import { xwingKem } from '../../src/primitives/xwing.ts'
import { fromHex, toHex, utf8 } from '../support/hex.ts'
import { testSealing, watchXWing } from '../support/hpkeCases.ts'
import vector from '../vectors/xwing.json' with { type: 'json' }

const { hpkePublicKey, openSealed, sealTo } = hpke

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** RFC 9180 section 5.1, written from its text on node:crypto: the key schedule of base mode with HKDF-SHA-256. */
function keySchedule(suiteId: Buffer, sharedSecret: Uint8Array, info: Uint8Array, keyLength: number) {
  const extract = (salt: Buffer, label: string, ikm: Uint8Array) =>
    createHmac('sha256', salt).update('HPKE-v1').update(suiteId).update(label).update(ikm).digest()
  const expand = (secret: Buffer, label: string, context: Buffer, length: number) => {
    const size = Buffer.from([length >> 8, length & 0xff])
    const labeled = Buffer.concat([
      size,
      Buffer.from('HPKE-v1'),
      suiteId,
      Buffer.from(label),
      context,
      Buffer.from([1]),
    ])
    // One block is enough for every output here.
    return createHmac('sha256', secret).update(labeled).digest().subarray(0, length)
  }
  const nothing = Buffer.alloc(0)
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(nothing, 'psk_id_hash', nothing),
    extract(nothing, 'info_hash', info),
  ])
  const secret = extract(Buffer.from(sharedSecret), 'secret', nothing)
  return { key: expand(secret, 'key', context, keyLength), nonce: expand(secret, 'base_nonce', context, 12) }
}

describe('X-Wing in HPKE', () => {
  const seed = fromHex(vector.privateKey)
  const publicKey = xwing.getPublicKey(seed)
  const { cipherText } = xwing.encapsulate(publicKey, fromHex(vector.encapsulationRandomness))

  test('gives the published keys, encapsulation, shared secret and ciphertext', async () => {
    expect(sha256(publicKey)).toBe(vector.publicKeySha256)
    expect(sha256(cipherText)).toBe(vector.encapsulationSha256)
    const kem = xwingKem()
    const privateKey = await kem.DeserializePrivateKey(seed, false)
    expect(toHex(await kem.Decap(cipherText, privateKey, undefined))).toBe(vector.sharedSecret)
    const suite = new CipherSuite(xwingKem, KDF_HKDF_SHA256, AEAD_ChaCha20Poly1305)
    const { aad, plaintext, ciphertext } = vector.encryption
    const info = fromHex(vector.info)
    const opened = await suite.Open(privateKey, cipherText, fromHex(ciphertext), { info, aad: fromHex(aad) })
    expect(toHex(opened)).toBe(plaintext)
  })

  test('is RFC 9180 with AES-256-GCM: an independent, proven key schedule seals what ours opens', async () => {
    const [shared, info] = [fromHex(vector.sharedSecret), fromHex(vector.info)]
    const published = keySchedule(Buffer.from(vector.suiteId, 'hex'), shared, info, 32)
    expect([toHex(published.key), toHex(published.nonce)]).toEqual([vector.key, vector.baseNonce])

    const ours = keySchedule(Buffer.from('48504b45647a00010002', 'hex'), shared, info, 32)
    const cipher = createCipheriv('aes-256-gcm', ours.key, ours.nonce)
    const key = new Uint8Array(32).fill(9)
    const sealed = Buffer.concat([cipherText, cipher.update(key), cipher.final(), cipher.getAuthTag()])
    expect(await openSealed(seed, info, new Uint8Array(sealed))).toEqual(key)
  })

  test('in JavaScript and of the runtime open what the other sealed', async () => {
    const javaScript = new CipherSuite(xwingKem, KDF_HKDF_SHA256, AEAD_AES_256_GCM)
    const [info, key] = [utf8('info'), new Uint8Array(32).fill(5)]
    const encapsulate = watchXWing()
    const sealed = await sealTo(publicKey, info, key)
    expect(encapsulate).toHaveBeenCalledOnce()
    const privateKey = await javaScript.DeserializePrivateKey(seed, false)
    const [encapsulation, ciphertext] = [sealed.subarray(0, cipherText.length), sealed.subarray(cipherText.length)]
    expect(new Uint8Array(await javaScript.Open(privateKey, encapsulation, ciphertext, { info }))).toEqual(key)

    const there = await javaScript.Seal(await javaScript.DeserializePublicKey(publicKey), key, { info })
    const arrived = new Uint8Array([...there.encapsulatedSecret, ...there.ciphertext])
    expect(await openSealed(seed, info, arrived)).toEqual(key)
    expect(await hpkePublicKey(seed)).toEqual(publicKey)
  })
})

describe('HPKE with the X-Wing of the runtime', () => {
  testSealing(hpke)
})
