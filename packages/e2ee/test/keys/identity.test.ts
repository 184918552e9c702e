import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { isAcceptablePoint } from '../../src/primitives/ed25519Points.ts'
import { createIdentity, importIdentity, randomBytes, toBase64url } from '../../src/index.ts'
import { sign, verify } from '../../src/primitives/signatures.ts'
import { fromHex, toHex, utf8 } from '../support/hex.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'
import edges from '../vectors/ed25519Cases.json' with { type: 'json' }

const message = utf8('signed')

afterEach(() => {
  vi.restoreAllMocks()
  vi.resetModules()
})

describe('an identity', () => {
  test('signs what its public key verifies, and cannot be taken out', async () => {
    const { seed, publicKey } = await createIdentity()
    const identity = await importIdentity(seed)
    expect(identity.publicKey).toBe(publicKey)
    await verify(publicKey, await sign(identity.sign, message), message)
    expect(identity.sign).toMatchObject({ type: 'private', extractable: false })
    expect(structuredClone(identity)).toEqual(identity)
  })

  test('is made of a seed of 32 bytes only', async () => {
    expect(await refusal(importIdentity(new Uint8Array(31)))).toBe('MALFORMED')
    expect(await refusal(importIdentity(new Uint8Array(33)))).toBe('MALFORMED')
  })

  test('signatures refuse another key, another message and every flipped bit', async () => {
    const [one, other] = [await importIdentity(randomBytes(32)), await importIdentity(randomBytes(32))]
    const signature = await sign(one.sign, message)
    expect(await refusal(verify(other.publicKey, signature, message))).toBe('BAD_SIGNATURE')
    expect(await refusal(verify(one.publicKey, signature, utf8('signeD')))).toBe('BAD_SIGNATURE')
    expect(await refusal(verify(one.publicKey, signature.slice(1), message))).toBe('BAD_SIGNATURE')
    expect(await refusal(verify(one.publicKey, new Uint8Array(64), message))).toBe('BAD_SIGNATURE')
    expect(await refusal(verify(toBase64url(new Uint8Array(31)), signature, message))).toBe('MALFORMED')
    expect(await unnoticedFlips(signature, (altered) => verify(one.publicKey, altered, message))).toEqual([])
    const key = ed25519.getPublicKey(randomBytes(32))
    expect(await unnoticedFlips(key, (altered) => verify(toBase64url(altered), signature, message))).toEqual([])
  })
})

describe('verification is strict', () => {
  const { Point } = ed25519
  const order = Point.Fn.ORDER

  /** Every encoding, canonical or not, of the eight points of small order. */
  const smallOrderEncodings = () => {
    const torsion = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
    const points = [Point.ZERO]
    for (let next = torsion; !next.equals(Point.ZERO); next = next.add(torsion)) points.push(next)
    expect(points.length).toBe(8)
    const encodings = points.map((point) => point.toHex())
    // y + p where that still fits in 255 bits, and the sign of a zero x set.
    const nonCanonical = ['ed', 'ee'].flatMap((low) => [`${low}${'ff'.repeat(30)}7f`, `${low}${'ff'.repeat(30)}ff`])
    const signed = [`01${'00'.repeat(30)}80`, `ec${'ff'.repeat(31)}`]
    return [...new Set([...encodings, ...nonCanonical, ...signed])]
  }

  test('a public key or R of small order is refused, in every encoding', async () => {
    const { publicKey, sign: key } = await importIdentity(randomBytes(32))
    const genuine = await sign(key, message)
    for (const encoding of smallOrderEncodings()) {
      const point = fromHex(encoding)
      // With A of small order, R = A and S = 0 satisfy the equation for one message in eight or more.
      for (let attempt = 0; attempt < 16; attempt++) {
        const forged = new Uint8Array([...point, ...new Uint8Array(32)])
        const work = verify(toBase64url(point), forged, Uint8Array.of(attempt))
        expect(await refusal(work), encoding).toBe('BAD_SIGNATURE')
      }
      const smallR = new Uint8Array([...point, ...genuine.slice(32)])
      expect(await refusal(verify(publicKey, smallR, message)), encoding).toBe('BAD_SIGNATURE')
    }
  })

  test('y of p and above is refused as another text of the same point', async () => {
    const genuine = await sign((await importIdentity(randomBytes(32))).sign, message)
    for (let low = 0xed; low <= 0xff; low++) {
      for (const high of ['7f', 'ff']) {
        const key = toBase64url(fromHex(`${low.toString(16)}${'ff'.repeat(30)}${high}`))
        expect(await refusal(verify(key, genuine, message))).toBe('BAD_SIGNATURE')
      }
    }
  })

  test('whatever a runtime itself accepts: the points are sorted out before it is asked', () => {
    for (const encoding of smallOrderEncodings()) expect(isAcceptablePoint(fromHex(encoding)), encoding).toBe(false)
    for (let low = 0xed; low <= 0xff; low++) {
      const above = `${low.toString(16)}${'ff'.repeat(30)}`
      expect([isAcceptablePoint(fromHex(`${above}7f`)), isAcceptablePoint(fromHex(`${above}ff`))]).toEqual([
        false,
        false,
      ])
    }
    const below = [
      `eb${'ff'.repeat(30)}7f`,
      `ed${'ff'.repeat(29)}fe7f`,
      `02${'00'.repeat(31)}`,
      `ff${'ff'.repeat(30)}7e`,
    ]
    for (const y of below) expect(isAcceptablePoint(fromHex(y)), y).toBe(true)
    for (let made = 0; made < 200; made++) {
      expect(isAcceptablePoint(fromHex(toHex(ed25519.getPublicKey(randomBytes(32)))))).toBe(true)
    }
  })

  test('even where a runtime would accept anything', async () => {
    const { publicKey, sign: key } = await importIdentity(randomBytes(32))
    const genuine = await sign(key, message)
    vi.spyOn(crypto.subtle, 'verify').mockResolvedValue(true)
    await verify(publicKey, genuine, message)
    for (const encoding of smallOrderEncodings()) {
      const point = fromHex(encoding)
      const smallR = new Uint8Array([...point, ...genuine.slice(32)])
      expect(await refusal(verify(publicKey, smallR, message)), encoding).toBe('BAD_SIGNATURE')
      expect(await refusal(verify(toBase64url(point), genuine, message)), encoding).toBe('BAD_SIGNATURE')
    }
  })

  test('S + L, which satisfies the equation too, is refused', async () => {
    const { publicKey, sign: key } = await importIdentity(randomBytes(32))
    const genuine = await sign(key, message)
    const s = BigInt(`0x${toHex(genuine.slice(32).reverse())}`)
    const malleable = fromHex((s + order).toString(16).padStart(64, '0')).reverse()
    const other = new Uint8Array([...genuine.slice(0, 32), ...malleable])
    expect(await refusal(verify(publicKey, other, message))).toBe('BAD_SIGNATURE')
    await verify(publicKey, genuine, message)
  })
})

/** Whether this implementation accepts one of the twelve cases. */
const outcomeOf = async (by: typeof verify, { publicKey, signature, message: of }: (typeof edges.cases)[number]) =>
  by(toBase64url(fromHex(publicKey)), fromHex(signature), fromHex(of)).then(
    () => true,
    () => false,
  )

test.each(edges.cases)('case $n of the many EdDSAs ($comment) has the answer it must have', async (edge) => {
  expect(await outcomeOf(verify, edge)).toBe(edge.valid)
})

describe('where WebCrypto has no Ed25519', () => {
  /** The package loaded afresh in a runtime that refuses the algorithm. */
  async function loadWithout() {
    const refuse = (real: (...given: never[]) => Promise<unknown>) =>
      function (this: SubtleCrypto, ...given: never[]) {
        const named = given.some((each) => (each as unknown) === 'Ed25519')
        return named ? Promise.reject(new DOMException('', 'NotSupportedError')) : real.apply(this, given)
      }
    for (const name of ['generateKey', 'importKey', 'sign', 'verify'] as const) {
      const real = crypto.subtle[name].bind(crypto.subtle) as (...given: never[]) => Promise<unknown>
      vi.spyOn(crypto.subtle, name).mockImplementation(refuse(real) as never)
    }
    vi.resetModules()
    return { ...(await import('../../src/keys/identity.ts')), ...(await import('../../src/primitives/signatures.ts')) }
  }

  test.each(edges.cases)('case $n of the many EdDSAs ($comment) has the same answer', async (edge) => {
    const without = await loadWithout()
    expect(await outcomeOf(without.verify, edge)).toBe(edge.valid)
  })

  test('keys and signatures are the same, and checked as strictly', async () => {
    const seed = randomBytes(32)
    const native = await importIdentity(seed)
    const nativeSignature = await sign(native.sign, message)
    const without = await loadWithout()
    const identity = await without.importIdentity(seed)
    expect(identity.publicKey).toBe(native.publicKey)
    expect(identity.sign).toEqual({ seed })
    expect(toHex(await without.sign(identity.sign, message))).toBe(toHex(nativeSignature))
    await without.verify(native.publicKey, nativeSignature, message)
    const refused = (work: Promise<void>) => expect(work).rejects.toMatchObject({ code: 'BAD_SIGNATURE' })
    await refused(without.verify(native.publicKey, nativeSignature, utf8('other')))
    await refused(without.verify(native.publicKey, new Uint8Array(64).fill(255), message))
    await refused(without.verify(toBase64url(new Uint8Array(32)), nativeSignature, message))
  })
})
