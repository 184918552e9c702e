import type { Argon2Cost } from '../primitives/argon2.ts'
import { toBase64url } from '../encoding/base64url.ts'
import { type Bytes, concat, toUtf8 } from '../encoding/bytes.ts'
import { deriveBytes, deriveInfo, deriveSealingKey, importSecret } from '../primitives/derive.ts'
import { E2eeError } from '../errors.ts'
import { sha256 } from '../primitives/hash.ts'

/** Fixed by version, never taken from a server; the founder's password is derived at the cost of version 1. */
const costs: Readonly<Record<number, Argon2Cost>> = {
  1: { parallelism: 1, iterations: 3, memorySize: 64 * 1024 },
}

/** Newest first: a new password gets the first. */
export const passwordVersions: readonly [number, ...number[]] = [1]

const testCost = { parallelism: 1, iterations: 3, memorySize: 64 }

/** Argon2id('privity self-test', salt = bytes 0…15, t=3, p=1, m=64 KiB), 32 bytes; from OpenSSL's implementation. */
const knownAnswer = 'w5iz5e8RH0TP5-VQTdyZM38QXVpX0b8qifNM2WvolPA'

let selfTest: Promise<void> | undefined

async function argon2id(password: Bytes, salt: Bytes, cost: Argon2Cost): Promise<Bytes> {
  const { computeArgon2id } = await import('../primitives/argon2.ts')
  return computeArgon2id(password, salt, cost)
}

async function testSelf(): Promise<void> {
  const salt = Uint8Array.from({ length: 16 }, (_, i) => i)
  const hash = await argon2id(toUtf8('privity self-test'), salt, testCost)
  if (toBase64url(hash) !== knownAnswer) {
    throw new E2eeError('UNSUPPORTED', 'This browser computes Argon2id wrongly. Nothing was sent.')
  }
}

/** Normalizes a password, so that composed and decomposed letters are equal. */
export const normalizePassword = (password: string): string => password.toWellFormed().normalize('NFKC')

/**
 * Derives 32 bytes with Argon2id at the cost of a version (1: 64 MiB, t=3, p=1), in about half a second: meant for a
 * Worker. The password is taken in NFKC form. Throws UNSUPPORTED for an unknown version.
 */
export async function deriveFromPassword(password: string, salt: Bytes, version = 1): Promise<Bytes> {
  const cost = costs[version]
  if (cost === undefined) throw new E2eeError('UNSUPPORTED', 'The password needs a newer version of this page.')
  if (password === '') throw new E2eeError('MALFORMED', 'The password is empty.')
  selfTest ??= testSelf()
  await selfTest.catch((refusal: unknown) => {
    // The code may have failed to load: the next call tries again.
    selfTest = undefined
    throw refusal
  })
  return argon2id(toUtf8(normalizePassword(password)), salt, cost)
}

/** Derives the master key, salted with the username as the server stores it (trimmed, lower case). */
export async function deriveMasterKey(password: string, username: string, version?: number): Promise<Bytes> {
  const name = username.normalize('NFKC').trim().toLowerCase()
  return deriveFromPassword(password, sha256(concat(toUtf8('privity/v1'), toUtf8(name))), version)
}

/** The value sent in the `password` field, and the key that wraps the account key. Neither reveals the other. */
export async function deriveSignIn(masterKey: Bytes): Promise<{ authKey: string; wrapKey: CryptoKey }> {
  const secret = await importSecret(masterKey)
  const [auth, wrapKey] = await Promise.all([
    deriveBytes(secret, deriveInfo('auth')),
    deriveSealingKey(secret, deriveInfo('wrap')),
  ])
  return { authKey: toBase64url(auth), wrapKey }
}
