import { expect, test } from 'vitest'
import { createBrowserKey, createKeyShare, fromBase64url, newId, toBase64url } from '../../src/index.ts'
import { deriveFounderSignIn, openWrapKey, sealWrapKey } from '../../src/keys/founderKeys.ts'
import { now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const { raw } = await deriveFounderSignIn(new Uint8Array(32).fill(7))
const session = { id: newId(now), keyShare: createKeyShare() }
const browserKey = await createBrowserKey()
const sealed = await sealWrapKey(browserKey, session, raw)

test('the founder’s stored key opens with the browser’s key and the server’s share', async () => {
  expect((await openWrapKey(browserKey, session, sealed)).raw).toEqual(raw)
})

test('the founder’s stored key does not open for another browser, share or session', async () => {
  const open = [
    async () => openWrapKey(await createBrowserKey(), session, sealed),
    () => openWrapKey(browserKey, { ...session, keyShare: createKeyShare() }, sealed),
    () => openWrapKey(browserKey, { ...session, id: newId(now + 1) }, sealed),
  ]
  for (const work of open) expect(await refusal(work)).toBe('AUTHENTICATION_FAILED')
})

test('every flipped bit of the founder’s stored key is refused', async () => {
  const open = (bytes: Uint8Array) => openWrapKey(browserKey, session, toBase64url(bytes))
  expect(await unnoticedFlips(fromBase64url(sealed), open)).toEqual([])
})
