import { argon2Sync, createHash, hkdfSync } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { computeArgon2id } from '../../src/primitives/argon2.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { deriveMasterKey, deriveSignIn } from '../../src/keys/password.ts'
import { toHex } from '../support/hex.ts'
import { refusal } from '../support/refusals.ts'

const argon2id = (password: string, username: string) =>
  toHex(
    argon2Sync('argon2id', {
      message: Buffer.from(password),
      nonce: createHash('sha256').update(`privity/v1${username}`).digest(),
      memory: 64 * 1024,
      passes: 3,
      parallelism: 1,
      tagLength: 32,
    }),
  )

afterEach(() => {
  vi.doUnmock('../../src/primitives/argon2.ts')
  vi.resetModules()
})

describe('the master key', { timeout: 60_000 }, () => {
  test('is Argon2id of the password with a salt from the username', async () => {
    expect(toHex(await deriveMasterKey('Correct horse 9!', 'ada'))).toBe(argon2id('Correct horse 9!', 'ada'))
  })

  test('takes the username as the server keeps it, and the password in one Unicode form', async () => {
    const expected = argon2id('caf\u00e9 \u00e9t\u00e9', 'ada')
    expect(toHex(await deriveMasterKey('cafe\u0301 e\u0301te\u0301', ' ADA '))).toBe(expected)
    expect(toHex(await deriveMasterKey('caf\u00e9 \u00e9t\u00e9', '\uff21da'))).toBe(expected)
  })

  test('is another for another case of the password or another username', async () => {
    const [one, two, three] = [['Secret 1', 'ada'] as const, ['secret 1', 'ada'] as const, ['Secret 1', 'ade'] as const]
    const keys = [await deriveMasterKey(...one), await deriveMasterKey(...two), await deriveMasterKey(...three)]
    expect(new Set(keys.map(toHex)).size).toBe(3)
  })

  test('is refused for an empty password', async () => {
    expect(await refusal(deriveMasterKey('', 'ada'))).toBe('MALFORMED')
  })

  test('is not derived where Argon2id gives a wrong answer, and is where it is right the next time', async () => {
    const compute = vi.fn(computeArgon2id).mockResolvedValueOnce(new Uint8Array(32))
    vi.doMock('../../src/primitives/argon2.ts', () => ({ computeArgon2id: compute }))
    vi.resetModules()
    const fresh = await import('../../src/keys/password.ts')
    const outcome = await fresh.deriveMasterKey('Secret 1', 'ada').catch((refused: unknown) => refused)
    expect(outcome).toMatchObject({ name: 'E2eeError', code: 'UNSUPPORTED' })
    expect(compute).toHaveBeenCalledTimes(1)
    expect(toHex(await fresh.deriveMasterKey('Secret 1', 'ada'))).toBe(argon2id('Secret 1', 'ada'))
  })
})

describe('the sign-in secrets', () => {
  const masterKey = new Uint8Array(32).fill(3)

  test('are HKDF-SHA-256 of the master key under their own labels', async () => {
    const { authKey, wrapKey } = await deriveSignIn(masterKey)
    const derived = (label: string) => hkdfSync('sha256', masterKey, '', encode(label, []), 32)
    expect(authKey).toBe(Buffer.from(derived('auth')).toString('base64url'))
    const iv = new Uint8Array(12)
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, wrapKey, masterKey)
    const raw = await crypto.subtle.importKey('raw', derived('wrap'), 'AES-GCM', false, ['decrypt'])
    expect(new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, raw, sealed))).toEqual(masterKey)
  })

  test('leave no key that can be taken out', async () => {
    const { wrapKey } = await deriveSignIn(masterKey)
    expect(wrapKey.extractable).toBe(false)
    await expect(crypto.subtle.exportKey('raw', wrapKey)).rejects.toThrow()
  })
})

test('a password of a version that this code does not know is not derived', async () => {
  expect(await refusal(deriveMasterKey('Secret 1', 'ada', 2))).toBe('UNSUPPORTED')
})
