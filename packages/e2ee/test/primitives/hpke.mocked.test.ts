import { describe, expect, test } from 'vitest'
import { testSealing, watchXWing } from '../support/hpkeCases.ts'

// As in a browser that lacks X-Wing. hpke.ts decides once which one it uses.
Reflect.deleteProperty(SubtleCrypto.prototype, 'getPublicKey')
const hpke = await import('../../src/primitives/hpke.ts')

describe('HPKE with X-Wing in JavaScript', () => {
  test('is used where the runtime lacks X-Wing', async () => {
    const encapsulate = watchXWing()
    const { publicKey } = await hpke.createHpkeKeys()
    await hpke.sealTo(publicKey, new Uint8Array(1), new Uint8Array(32))
    expect(encapsulate).not.toHaveBeenCalled()
  })

  testSealing(hpke)
})
