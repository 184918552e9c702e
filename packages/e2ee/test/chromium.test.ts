import type { Page } from '@playwright/test'
import { describe, expect, test } from 'vitest'
import { decryptFile, encryptFile } from '../src/files/fileEncryption.ts'
import { createHasher } from '../src/files/fileHash.ts'
import {
  createEnvelope,
  createFileKey,
  deriveMasterKey,
  deriveSignIn,
  fromBase64url,
  newId,
  openEnvelope,
  openMessage,
  sealMessage,
  toBase64url,
} from '../src/index.ts'
import { createRecoveryKey, deriveRecovery } from '../src/keys/recoveryKey.ts'
import { withPage } from './support/browser.ts'
import { fromHex } from './support/hex.ts'
import type { Far, FarPerson, Sent } from './page.ts'
import { createPerson, first, now } from './support/people.ts'
import ed25519 from './vectors/ed25519.json' with { type: 'json' }
import edges from './vectors/ed25519Cases.json' with { type: 'json' }

declare const far: Far

const aad = new Uint8Array(1)
const plain = toBase64url(new Uint8Array(2_500_000).map((_, at) => at * 13))

async function gather(pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece)
  return Buffer.concat(all)
}

async function* once(text: string) {
  yield fromBase64url(text)
}

async function messagesBothWays(page: Page): Promise<void> {
  const here = await createPerson()
  const there: FarPerson = await page.evaluate((at) => far.createPerson(at), now)
  const { userId, identityKey, epoch } = here

  const sentHere: Sent = await page.evaluate(([from, to]) => far.send(from, to, 'From the browser 😀'), [
    there,
    { userId, identityKey, epoch },
  ] as const)
  const openedKey = await openEnvelope({ envelope: sentHere.envelope, me: here, seed: here.seed, contact: there })
  const message = { ...sentHere, conversationKey: openedKey, senderIdentityKey: there.identityKey }
  expect((await openMessage(message)).body).toEqual({ kind: 'text', text: 'From the browser 😀' })

  const ids = { id: newId(now), connectionId: newId(now) }
  const { envelope, conversationKey } = await createEnvelope({ ...ids, sender: here, recipient: there })
  const body = { kind: 'text' as const, text: 'From Node 😀' }
  const messageId = newId(now)
  const { identity } = here
  const content = await sealMessage({ conversationKey, identity, messageId, envelope, body, context: first })
  const arrives = { envelope, content }
  const received = await page.evaluate(([me, peer, sent]) => far.receive(me, peer, sent), [
    there,
    { userId, identityKey },
    arrives,
  ] as const)
  expect(received).toEqual(body)
}

async function filesBothWays(page: Page): Promise<void> {
  const key = createFileKey()
  const text = toBase64url(key)
  const there = await page.evaluate(([k, p]) => far.encryptFile(k, p), [text, plain] as const)
  expect(toBase64url(await gather(decryptFile(key, once(there.sealed), aad))) === plain).toBe(true)
  const hasher = createHasher()
  await hasher.update(fromBase64url(there.sealed))
  expect(await hasher.digest()).toBe(there.hash)
  const here = toBase64url(await gather(encryptFile(key, once(plain), aad)))
  expect((await page.evaluate(([k, s]) => far.decryptFile(k, s), [text, here] as const)) === plain).toBe(true)
}

async function secretsAlike(page: Page): Promise<void> {
  const { text } = createRecoveryKey()
  const there = await page.evaluate(([key]) => far.derived('Correct horse 9!', 'ada', key), [text] as const)
  const { authKey } = await deriveSignIn(await deriveMasterKey('Correct horse 9!', 'ada'))
  expect(there).toEqual({ authKey, proof: (await deriveRecovery(text)).proof })
}

async function asStrict(page: Page): Promise<void> {
  const text = (hex: string) => toBase64url(fromHex(hex))
  for (const { publicKey, signature, message, valid, tcId } of ed25519.signatures) {
    const given = [text(publicKey), text(signature), text(message)] as const
    const outcome = await page.evaluate(([key, by, of]) => far.check(key, by, of), given)
    expect(outcome, `tcId ${tcId}`).toBe(valid ? 'accepted' : 'BAD_SIGNATURE')
  }
  for (const { publicKey, signature, message, valid, n } of edges.cases) {
    const given = [text(publicKey), text(signature), text(message)] as const
    const outcome = await page.evaluate(([key, by, of]) => far.check(key, by, of), given)
    expect(outcome, `case ${n}`).toBe(valid ? 'accepted' : 'BAD_SIGNATURE')
  }
  // A public key of small order satisfies the equation with R = A and S = 0 for some messages.
  for (const y of ['01', 'ec']) {
    const point = fromHex(y === '01' ? `01${'00'.repeat(31)}` : `ec${'ff'.repeat(30)}7f`)
    const forged = toBase64url(new Uint8Array([...point, ...new Uint8Array(32)]))
    for (const message of ['AA', 'AQ', 'Ag', 'Aw']) {
      const given = [toBase64url(point), forged, message] as const
      expect(await page.evaluate(([key, by, of]) => far.check(key, by, of), given)).toBe('BAD_SIGNATURE')
    }
  }
  for (const refused of ['A', 'AA==', 'AAA=', 'AB', 'AAB', 'AA+A', 'A A', ' AAAA', 'AAAA\n', 'AAAA   ', 'AA é']) {
    const outcome = await page.evaluate((given) => far.readBase64url(given), refused)
    expect(outcome, JSON.stringify(refused)).toBe('MALFORMED')
  }
  expect(await page.evaluate(() => far.readBase64url('AAAA'))).toBe('accepted')
}

describe('in Chromium, with its own primitives, everything is as in Node', () => {
  test('messages, files, derived secrets, strict signatures and encodings', { timeout: 60_000 }, async () => {
    await withPage(new URL('page.ts', import.meta.url), async (page) => {
      await messagesBothWays(page)
      await filesBothWays(page)
      await secretsAlike(page)
      await asStrict(page)
    })
  })
})
