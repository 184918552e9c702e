import { expect, test } from 'vitest'
import {
  createAccountKey,
  createBrowserKey,
  createKeyShare,
  fromBase64url,
  newId,
  openForBrowser,
  sealForBrowser,
  toBase64url,
} from '../../src/index.ts'
import { now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const raw = createAccountKey()
const binding = { userId: newId(now), sessionId: newId(now) }
const share = createKeyShare()
const browserKey = await createBrowserKey()
const sealed = await sealForBrowser(browserKey, share, raw, binding)

test('the stored account key opens with the browser’s key and the server’s share', async () => {
  expect(await openForBrowser(browserKey, share, sealed, binding)).toEqual(raw)
})

test('the stored account key does not open for another browser, share, user or session', async () => {
  const open = [
    async () => openForBrowser(await createBrowserKey(), share, sealed, binding),
    () => openForBrowser(browserKey, createKeyShare(), sealed, binding),
    () => openForBrowser(browserKey, share, sealed, { ...binding, userId: newId(now) }),
    () => openForBrowser(browserKey, share, sealed, { ...binding, sessionId: newId(now) }),
  ]
  for (const work of open) expect(await refusal(work)).toBe('AUTHENTICATION_FAILED')
})

test('a share of another length, and a key of another length, are refused', async () => {
  const short = toBase64url(fromBase64url(share).slice(1))
  expect(await refusal(openForBrowser(browserKey, short, sealed, binding))).toBe('MALFORMED')
  expect(await refusal(sealForBrowser(browserKey, share, raw.slice(1), binding))).toBe('MALFORMED')
})

test('every flipped bit of the stored account key is refused', async () => {
  const open = (bytes: Uint8Array) => openForBrowser(browserKey, share, toBase64url(bytes), binding)
  expect(await unnoticedFlips(fromBase64url(sealed), open)).toEqual([])
})

test('every share is another one, and the browser’s key cannot be taken out', async () => {
  expect(fromBase64url(share)).toHaveLength(32)
  expect(createKeyShare()).not.toBe(share)
  expect(browserKey.extractable).toBe(false)
  expect(structuredClone(browserKey)).toBeInstanceOf(CryptoKey)
})
