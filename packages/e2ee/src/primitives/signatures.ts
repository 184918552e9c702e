import { fromBase64urlOf, toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat } from '../encoding/bytes.ts'
import { E2eeError } from '../errors.ts'
import { isAcceptablePoint } from './ed25519Points.ts'

/** A non-extractable WebCrypto key, or the bare seed where the browser has no Ed25519. */
export type SigningKey = CryptoKey | { readonly seed: Bytes }

const pkcs8Prefix = Uint8Array.from([48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32])
const algorithm = 'Ed25519'

let supported: Promise<boolean> | undefined

/** Whether WebCrypto has Ed25519. */
function isSupported(): Promise<boolean> {
  supported ??= crypto.subtle.generateKey(algorithm, false, ['sign', 'verify']).then(
    () => true,
    () => false,
  )
  return supported
}

const fallback = () => import('./ed25519Fallback.ts')

function checkSeed(seed: Bytes): void {
  if (seed.length !== 32) throw new E2eeError('MALFORMED', 'An identity seed has 32 bytes.')
}

const importSeed = (seed: Bytes, extractable: boolean) =>
  crypto.subtle.importKey('pkcs8', concat(pkcs8Prefix, seed), algorithm, extractable, ['sign'])

export async function publicKeyOf(seed: Bytes): Promise<string> {
  checkSeed(seed)
  if (!(await isSupported())) return toBase64url((await fallback()).publicKeyOf(seed))
  const { x } = await crypto.subtle.exportKey('jwk', await importSeed(seed, true))
  return toBase64url(fromBase64urlOf(x ?? '', 32))
}

export async function importSigningKey(seed: Bytes): Promise<SigningKey> {
  checkSeed(seed)
  return (await isSupported()) ? importSeed(seed, false) : { seed: seed.slice() }
}

export async function sign(key: SigningKey, message: Bytes): Promise<Bytes> {
  if ('seed' in key) return (await fallback()).sign(key.seed, message)
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, message))
}

/** Resolves to undefined for an unacceptable public key. */
type VerifyingKey = Promise<CryptoKey | { readonly point: Bytes } | undefined>

const verifyingKeys = new Map<string, VerifyingKey>()
const maxVerifyingKeys = 256

async function importVerifyingKey(publicKey: string): VerifyingKey {
  const point = fromBase64urlOf(publicKey, 32)
  if (!isAcceptablePoint(point)) return undefined
  if (!(await isSupported())) return { point }
  // Some runtimes refuse a key that is not on the curve at import.
  return crypto.subtle.importKey('raw', point, algorithm, true, ['verify']).catch(() => undefined)
}

/** Caches the newest keys: an import costs a third of a verification. */
function verifyingKeyOf(publicKey: string): VerifyingKey {
  let key = verifyingKeys.get(publicKey)
  if (!key) {
    const oldest = verifyingKeys.size >= maxVerifyingKeys ? verifyingKeys.keys().next().value : undefined
    if (oldest !== undefined) verifyingKeys.delete(oldest)
    key = importVerifyingKey(publicKey)
    verifyingKeys.set(publicKey, key)
  }
  return key
}

/**
 * Strict Ed25519: beyond RFC 8032, public keys and R must be canonical and not of small order, so that all runtimes
 * agree. Throws BAD_SIGNATURE, or MALFORMED for a key of another form.
 */
export async function verify(publicKey: string, signature: Bytes, message: Bytes): Promise<void> {
  const key = await verifyingKeyOf(publicKey)
  const acceptable = key && signature.length === 64 && isAcceptablePoint(signature.subarray(0, 32))
  if (!acceptable || !(await isSignature(key, signature, message))) {
    throw new E2eeError('BAD_SIGNATURE', 'The signature is not by this identity key.')
  }
}

async function isSignature(key: CryptoKey | { readonly point: Bytes }, signature: Bytes, message: Bytes) {
  if ('point' in key) return (await fallback()).isSignature(key.point, signature, message)
  return crypto.subtle.verify(algorithm, key, signature, message)
}
