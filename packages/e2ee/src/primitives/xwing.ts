import { ml_kem768_x25519 as xwing } from '@noble/post-quantum/hybrid.js'
import type { KEMFactory, Key } from 'hpke'

/** A key in the form of `hpke`, holding its bytes. A private key is its 32-byte seed. */
interface XWingKey extends Key {
  readonly bytes: Uint8Array
}

const name = 'X-Wing'
const keyOf = (type: 'public' | 'private', bytes: Uint8Array): XWingKey => ({
  algorithm: { name },
  extractable: true,
  type,
  bytes: bytes.slice(),
})

/** The public key of the private key with this seed. */
export const xwingPublicKey = (seed: Uint8Array): Uint8Array => xwing.getPublicKey(seed)

/** X-Wing (X25519 + ML-KEM-768, HPKE's KEM 0x647a) in JavaScript, for runtimes without it. */
export const xwingKem: KEMFactory<XWingKey> = () => ({
  id: 0x647a,
  type: 'KEM',
  name,
  Nsecret: 32,
  Nenc: 1120,
  Npk: 1216,
  Nsk: 32,
  // A key is made from its seed by `xwingPublicKey`.
  DeriveKeyPair: () => Promise.reject(new TypeError('not part of the protocol')),
  async GenerateKeyPair() {
    const { secretKey, publicKey } = xwing.keygen()
    return { privateKey: keyOf('private', secretKey), publicKey: keyOf('public', publicKey) }
  },
  SerializePublicKey: async (key) => key.bytes,
  DeserializePublicKey: async (bytes) => keyOf('public', bytes),
  SerializePrivateKey: async (key) => key.bytes,
  DeserializePrivateKey: async (bytes) => keyOf('private', bytes),
  async Encap(publicKey) {
    const { cipherText, sharedSecret } = xwing.encapsulate(publicKey.bytes)
    return { shared_secret: sharedSecret, enc: cipherText }
  },
  Decap: async (encapsulated, privateKey) => xwing.decapsulate(encapsulated, privateKey.bytes),
})
