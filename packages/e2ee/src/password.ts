import { toBase64url } from './base64url.ts'
import { type Bytes, concat, toUtf8 } from './bytes.ts'
import { deriveBytes, deriveInfo, deriveSealingKey, importSecret } from './derive.ts'
import { E2eeError } from './errors.ts'
import { sha256 } from './hash.ts'

/** Fixed by version, never taken from a server. */
const cost = { parallelism: 1, iterations: 3, memorySize: 64 * 1024 } as const

/** Argon2id('privity self-test', salt = bytes 0…15, t=3, p=1, m=64 KiB), 32 bytes; from OpenSSL's implementation. */
const knownAnswer = 'w5iz5e8RH0TP5-VQTdyZM38QXVpX0b8qifNM2WvolPA'

let selfTest: Promise<void> | undefined

async function argon2id(password: Bytes, salt: Bytes, memorySize: number): Promise<Bytes> {
  const { computeArgon2id } = await import('./argon2.ts')
  return computeArgon2id(password, salt, { ...cost, memorySize })
}

async function testSelf(): Promise<void> {
  const salt = Uint8Array.from({ length: 16 }, (_, at) => at)
  const answer = await argon2id(toUtf8('privity self-test'), salt, 64)
  if (toBase64url(answer) !== knownAnswer) {
    throw new E2eeError('UNSUPPORTED', 'This browser computes Argon2id wrongly. Nothing was sent.')
  }
}

/** Argon2id (64 MiB, t=3, p=1), 32 bytes, about half a second: meant for a Worker. The password is taken in NFKC form. */
export async function deriveFromPassword(password: string, salt: Bytes): Promise<Bytes> {
  if (password === '') throw new E2eeError('MALFORMED', 'The password is empty.')
  selfTest ??= testSelf()
  await selfTest.catch((refusal: unknown) => {
    // The code may not have been loaded this time: the next call tries again.
    selfTest = undefined
    throw refusal
  })
  return argon2id(toUtf8(password.toWellFormed().normalize('NFKC')), salt, cost.memorySize)
}

/**
 * Argon2id (64 MiB, t=3, p=1), 32 bytes, about half a second: meant for a Worker.
 * The password is taken in NFKC form, the username as the server keeps it (trimmed, lower case).
 */
export async function deriveMasterKey(password: string, username: string): Promise<Bytes> {
  const name = username.normalize('NFKC').trim().toLowerCase()
  return deriveFromPassword(password, sha256(concat(toUtf8('privity/v1'), toUtf8(name))))
}

/** What travels in the `password` field, and the key that wraps the account key. Neither gives the other. */
export async function deriveSignIn(masterKey: Bytes): Promise<{ authKey: string; wrapKey: CryptoKey }> {
  const secret = await importSecret(masterKey)
  const [auth, wrapKey] = await Promise.all([
    deriveBytes(secret, deriveInfo('auth')),
    deriveSealingKey(secret, deriveInfo('wrap')),
  ])
  return { authKey: toBase64url(auth), wrapKey }
}
