import { expect, test, vi } from 'vitest'
import type * as Hpke from '../../src/primitives/hpke.ts'
import { utf8 } from './hex.ts'
import { refusal, unnoticedFlips } from './refusals.ts'

/** Watches the runtime's own X-Wing; TypeScript does not know it. */
export const watchXWing = () =>
  vi.spyOn(crypto.subtle as unknown as { encapsulateBits(): Promise<unknown> }, 'encapsulateBits')

/** Adds the tests that HPKE passes with the X-Wing of the runtime and with the one in JavaScript. */
export function testSealing({ createHpkeKeys, hpkePublicKeyBytes, openSealed, sealedKeyBytes, sealTo }: typeof Hpke) {
  test('opens what it sealed, for the same key and info only', async () => {
    const [one, other] = [await createHpkeKeys(), await createHpkeKeys()]
    expect(one.publicKey.length).toBe(hpkePublicKeyBytes)
    const [info, key] = [utf8('info'), new Uint8Array(32).fill(5)]
    const sealed = await sealTo(one.publicKey, info, key)
    expect(sealed.length).toBe(sealedKeyBytes)
    expect(await openSealed(one.seed, info, sealed)).toEqual(key)
    expect(await sealTo(one.publicKey, info, key)).not.toEqual(sealed)
    expect(await refusal(openSealed(other.seed, info, sealed))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openSealed(one.seed, utf8('infO'), sealed))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openSealed(one.seed, info, sealed.slice(0, -1)))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(openSealed(one.seed, info, new Uint8Array(0)))).toBe('AUTHENTICATION_FAILED')
  })

  test('refuses flipped bits in every part of what was sealed', { timeout: 60_000 }, async () => {
    const { seed: mine, publicKey: key } = await createHpkeKeys()
    const info = utf8('info')
    const sealed = await sealTo(key, info, new Uint8Array(32).fill(5))
    expect(await unnoticedFlips(sealed, (altered) => openSealed(mine, info, altered), 97)).toEqual([])
    const end = sealed.slice(-48)
    const withEnd = (altered: Uint8Array) =>
      openSealed(mine, info, new Uint8Array([...sealed.slice(0, -48), ...altered]))
    expect(await unnoticedFlips(end, withEnd)).toEqual([])
  })

  test('refuses what is no public key', async () => {
    const sealing = (publicKey: Uint8Array<ArrayBuffer>) => sealTo(publicKey, utf8('info'), new Uint8Array(32))
    expect(await refusal(sealing(new Uint8Array(hpkePublicKeyBytes - 1)))).toBe('MALFORMED')
    expect(await refusal(sealing(new Uint8Array(hpkePublicKeyBytes).fill(255)))).toBe('MALFORMED')
    expect(await refusal(sealing(new Uint8Array(hpkePublicKeyBytes)))).toBe('MALFORMED')
  })
}
