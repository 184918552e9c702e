import { type Bytes, randomBytes } from '../encoding/bytes.ts'
import { importSigningKey, publicKeyOf, type SigningKey } from '../primitives/signatures.ts'

/** `publicKey` is base64url of 32 bytes. Can be stored in IndexedDB as it is. */
export interface Identity {
  readonly publicKey: string
  readonly sign: SigningKey
}

/** Creates an identity. The seed is for sealPrivate; importIdentity makes the signing key. */
export async function createIdentity(): Promise<{ seed: Bytes; publicKey: string }> {
  const seed = randomBytes(32)
  return { seed, publicKey: await publicKeyOf(seed) }
}

export async function importIdentity(seed: Bytes): Promise<Identity> {
  const [publicKey, sign] = await Promise.all([publicKeyOf(seed), importSigningKey(seed)])
  return { publicKey, sign }
}
