import { argon2Sync } from 'node:crypto'
import { expect, test } from 'vitest'
import { computeArgon2id } from '../../src/primitives/argon2.ts'
import { toBase64url } from '../../src/encoding/base64url.ts'
import { deriveBytes, deriveSealingKey, importSecret } from '../../src/primitives/derive.ts'
import * as fallback from '../../src/primitives/ed25519Fallback.ts'
import { decrypt, encrypt, importSealingKey } from '../../src/primitives/aead.ts'
import { importSigningKey, publicKeyOf, sign, verify } from '../../src/primitives/signatures.ts'
import { fromHex, toHex, utf8 } from '../support/hex.ts'
import { refusal } from '../support/refusals.ts'
import aesGcm from '../vectors/aesGcm.json' with { type: 'json' }
import argon2 from '../vectors/argon2.json' with { type: 'json' }
import ed25519 from '../vectors/ed25519.json' with { type: 'json' }
import hkdf from '../vectors/hkdf.json' with { type: 'json' }

test.for(aesGcm.tests)('AES-256-GCM: $name', async (vector) => {
  const [key, iv, aad] = [await importSealingKey(fromHex(vector.key)), fromHex(vector.iv), fromHex(vector.aad)]
  const sealed = fromHex(vector.ciphertext + vector.tag)
  if (!vector.valid) return expect(await refusal(decrypt(key, iv, aad, sealed))).toBe('AUTHENTICATION_FAILED')
  expect(toHex(await encrypt(key, iv, aad, fromHex(vector.message)))).toBe(toHex(sealed))
  expect(toHex(await decrypt(key, iv, aad, sealed))).toBe(vector.message)
})

test.for(hkdf.tests)('HKDF-SHA-256: $name', async ({ secret, info, output }) => {
  const length = Math.min(64, output.length)
  const derived = await deriveBytes(await importSecret(fromHex(secret)), fromHex(info))
  expect(toHex(derived).slice(0, length)).toBe(output.slice(0, length))
})

test('a sealing key is the HKDF output as AES-256-GCM key', async () => {
  const secret = await importSecret(new Uint8Array(32).fill(7))
  const info = utf8('info')
  const raw = await importSealingKey(await deriveBytes(secret, info))
  const sealed = await encrypt(await deriveSealingKey(secret, info), new Uint8Array(12), info, utf8('text'))
  expect(toHex(await decrypt(raw, new Uint8Array(12), info, sealed))).toBe(toHex(utf8('text')))
})

test.for(ed25519.seeds)('Ed25519: $source', async ({ seed, publicKey, message, signature }) => {
  const key = toBase64url(fromHex(publicKey))
  expect(await publicKeyOf(fromHex(seed))).toBe(key)
  expect(toHex(await sign(await importSigningKey(fromHex(seed)), fromHex(message)))).toBe(signature)
  expect(toHex(fallback.publicKeyOf(fromHex(seed)))).toBe(publicKey)
  expect(toHex(fallback.sign(fromHex(seed), fromHex(message)))).toBe(signature)
  await verify(key, fromHex(signature), fromHex(message))
})

test.for(ed25519.signatures)('Ed25519: tcId $tcId', async ({ publicKey, message, signature, valid }) => {
  const inWebCrypto = verify(toBase64url(fromHex(publicKey)), fromHex(signature), fromHex(message))
  if (valid) await inWebCrypto
  else expect(await refusal(inWebCrypto)).toBe('BAD_SIGNATURE')
  expect(fallback.isSignature(fromHex(publicKey), fromHex(signature), fromHex(message))).toBe(valid)
})

test('Argon2id: the known answers of the reference implementation', { timeout: 30_000 }, async () => {
  for (const { password, salt, tag, ...cost } of argon2.reference) {
    expect(toHex(await computeArgon2id(utf8(password), utf8(salt), cost))).toBe(tag)
  }
})

/** RFC 9106's vector has associated data, which ours does not take: it vouches for what ours is then held against. */
test('Argon2id: the same as the implementation that RFC 9106 proves', { timeout: 30_000 }, async () => {
  const rfc = argon2.rfc9106
  const oracle = (message: Uint8Array, nonce: Uint8Array, cost: typeof argon2.rfc9106 | undefined, memory: number) =>
    argon2Sync('argon2id', {
      message,
      nonce,
      memory,
      passes: 3,
      parallelism: cost?.parallelism ?? 1,
      tagLength: 32,
      ...(cost && { secret: fromHex(cost.secret), associatedData: fromHex(cost.associatedData) }),
    })
  expect(toHex(oracle(fromHex(rfc.password), fromHex(rfc.salt), rfc, rfc.memorySize))).toBe(rfc.tag)
  const [password, salt] = [utf8('correct horse battery staple'), new Uint8Array(32).fill(3)]
  const ours = await computeArgon2id(password, salt, { parallelism: 1, iterations: 3, memorySize: 64 * 1024 })
  expect(toHex(ours)).toBe(toHex(oracle(password, salt, undefined, 64 * 1024)))
})
