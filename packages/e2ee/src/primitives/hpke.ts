import { type Bytes, concat, randomBytes } from '../encoding/bytes.ts'
import { E2eeError } from '../errors.ts'
import { tagBytes } from './aead.ts'
import type { KeyAgreement, SubtleWithXWing } from './keyAgreement.ts'

/** HPKE (RFC 9180) base mode: X-Wing (X25519 + ML-KEM-768), HKDF-SHA-256, AES-256-GCM. Why so: docs/decisions. */
const kemName = 'MLKEM768-X25519'

export const hpkePublicKeyBytes = 1216
const encapsulationBytes = 1120

/** A sealed 32-byte key: encapsulation, ciphertext and tag. */
export const sealedKeyBytes = encapsulationBytes + 32 + tagBytes

/** Whether WebCrypto has X-Wing. `generateKey` is called first, because Node prints a warning on `supports`. */
async function isNative(): Promise<boolean> {
  const { SubtleCrypto } = globalThis as { SubtleCrypto?: { supports?(operation: string, name: string): boolean } }
  if ((crypto.subtle as SubtleWithXWing).getPublicKey === undefined) return false
  try {
    await crypto.subtle.generateKey(kemName, false, ['encapsulateBits', 'decapsulateBits'] as unknown as KeyUsage[])
    return SubtleCrypto?.supports?.('generateKey', kemName) ?? false
  } catch {
    return false
  }
}

/** Uses WebCrypto's X-Wing where it exists (15 times as fast), otherwise JavaScript. */
async function createKeyAgreement(): Promise<KeyAgreement> {
  const loadXWing = async () => ((await isNative()) ? undefined : import('./xwing.ts'))
  const [{ createWithXWing, createNative }, xwing] = await Promise.all([import('./keyAgreement.ts'), loadXWing()])
  return xwing ? createWithXWing(xwing) : createNative()
}

let loading: Promise<KeyAgreement> | undefined

function load(): Promise<KeyAgreement> {
  loading ??= createKeyAgreement().catch((cause: unknown) => {
    loading = undefined
    throw cause
  })
  return loading
}

/** Loads the code ahead of its first use, which may happen without a network. */
export const loadKeyAgreement = async (): Promise<void> => void (await load())

/** The public key of a private key, which is any 32 bytes that nobody else can know: its seed. */
export async function hpkePublicKey(seed: Bytes): Promise<Bytes> {
  const { publicKeyOf } = await load()
  return new Uint8Array(await publicKeyOf(seed))
}

export async function createHpkeKeys(): Promise<{ seed: Bytes; publicKey: Bytes }> {
  const seed = randomBytes(32)
  return { seed, publicKey: await hpkePublicKey(seed) }
}

/** Encapsulation || ciphertext. `info` is the binding. Throws MALFORMED for an invalid public key. */
export async function sealTo(publicKey: Bytes, info: Bytes, plain: Bytes): Promise<Bytes> {
  const { suite } = await load()
  try {
    const key = await suite.DeserializePublicKey(publicKey)
    const { encapsulatedSecret, ciphertext } = await suite.Seal(key, plain, { info })
    return concat(encapsulatedSecret, ciphertext)
  } catch (cause) {
    throw new E2eeError('MALFORMED', 'The key is not an X-Wing public key.', { cause })
  }
}

/** Throws AUTHENTICATION_FAILED. */
export async function openSealed(seed: Bytes, info: Bytes, sealed: Bytes): Promise<Bytes> {
  const { suite } = await load()
  try {
    const key = await suite.DeserializePrivateKey(seed)
    const encapsulation = sealed.subarray(0, encapsulationBytes)
    return new Uint8Array(await suite.Open(key, encapsulation, sealed.subarray(encapsulationBytes), { info }))
  } catch (cause) {
    throw new E2eeError('AUTHENTICATION_FAILED', 'The sealed bytes do not open with this key and binding.', { cause })
  }
}
