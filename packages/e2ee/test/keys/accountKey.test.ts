import { describe, expect, test } from 'vitest'
import {
  createAccountKey,
  deriveSignIn,
  fromBase64url,
  importAccountKey,
  newId,
  openPrivate,
  sealPrivate,
  toBase64url,
  unwrapAccountKey,
  wrapAccountKey,
} from '../../src/index.ts'
import { createRecoveryKey, deriveRecovery } from '../../src/keys/recoveryKey.ts'
import { utf8 } from '../support/hex.ts'
import { now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const userId = newId(now)
const raw = createAccountKey()

describe('the wrapped account key', async () => {
  const { wrapKey } = await deriveSignIn(new Uint8Array(32).fill(1))
  const wrapped = await wrapAccountKey(wrapKey, raw, { userId, purpose: 'password' })

  test('opens with the same key, user and purpose', async () => {
    expect(await unwrapAccountKey(wrapKey, wrapped, { userId, purpose: 'password' })).toEqual(raw)
    const recovery = await deriveRecovery(createRecoveryKey().text)
    const again = await wrapAccountKey(recovery.wrapKey, raw, { userId, purpose: 'recovery' })
    expect(await unwrapAccountKey(recovery.wrapKey, again, { userId, purpose: 'recovery' })).toEqual(raw)
  })

  test('does not open for another key, user or purpose', async () => {
    const other = await deriveSignIn(new Uint8Array(32).fill(2))
    const open = [
      () => unwrapAccountKey(other.wrapKey, wrapped, { userId, purpose: 'password' }),
      () => unwrapAccountKey(wrapKey, wrapped, { userId: newId(now), purpose: 'password' }),
      () => unwrapAccountKey(wrapKey, wrapped, { userId, purpose: 'recovery' }),
    ]
    for (const work of open) expect(await refusal(work)).toBe('AUTHENTICATION_FAILED')
  })

  test('refuses every flipped bit, and every other length', { timeout: 30_000 }, async () => {
    const open = (bytes: Uint8Array) => unwrapAccountKey(wrapKey, toBase64url(bytes), { userId, purpose: 'password' })
    const bytes = fromBase64url(wrapped)
    expect(await unnoticedFlips(bytes, open)).toEqual([])
    expect(await refusal(open(bytes.slice(0, -1)))).toBe('MALFORMED')
    expect(await refusal(open(new Uint8Array([...bytes, 0])))).toBe('MALFORMED')
  })

  test('is made of 32 bytes only', async () => {
    expect(await refusal(wrapAccountKey(wrapKey, raw.slice(1), { userId, purpose: 'password' }))).toBe('MALFORMED')
    expect(await refusal(importAccountKey(new Uint8Array(33)))).toBe('MALFORMED')
  })
})

describe('private values', async () => {
  const accountKey = await importAccountKey(raw)
  const binding = { userId, purpose: 'draft', id: 'connection 1' }
  const plain = utf8('Typed, not sent.')
  const sealed = await sealPrivate(accountKey, binding, plain)

  test('open with the same account key, imported again', async () => {
    expect(await openPrivate(accountKey, binding, sealed)).toEqual(plain)
    expect(await openPrivate(await importAccountKey(raw), binding, sealed)).toEqual(plain)
    expect(await openPrivate(accountKey, binding, await sealPrivate(accountKey, binding, new Uint8Array(0)))).toEqual(
      new Uint8Array(0),
    )
  })

  test('are sealed anew each time', async () => {
    expect(await sealPrivate(accountKey, binding, plain)).not.toBe(sealed)
  })

  test('do not open for another account key, user, purpose or id', async () => {
    const other = await importAccountKey(createAccountKey())
    const open = [
      () => openPrivate(other, binding, sealed),
      () => openPrivate(accountKey, { ...binding, userId: newId(now) }, sealed),
      () => openPrivate(accountKey, { ...binding, purpose: 'outbox' }, sealed),
      () => openPrivate(accountKey, { ...binding, id: 'connection 2' }, sealed),
      () => openPrivate(accountKey, { ...binding, purpose: 'draftc', id: 'onnection 1' }, sealed),
    ]
    for (const work of open) expect(await refusal(work)).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openPrivate(accountKey, { ...binding, userId: 'ada' }, sealed))).toBe('MALFORMED')
  })

  test('refuse every flipped bit', async () => {
    const open = (bytes: Uint8Array) => openPrivate(accountKey, binding, toBase64url(bytes))
    expect(await unnoticedFlips(fromBase64url(sealed), open)).toEqual([])
  })

  test('may be as large as a pin list', async () => {
    const large = new Uint8Array(180_000).fill(7)
    expect(await openPrivate(accountKey, binding, await sealPrivate(accountKey, binding, large))).toEqual(large)
  })

  test('the account key itself cannot be taken out', async () => {
    expect(accountKey.extractable).toBe(false)
    expect(structuredClone(accountKey)).toBeInstanceOf(CryptoKey)
  })
})
