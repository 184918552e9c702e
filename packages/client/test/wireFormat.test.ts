import { createHash, createPublicKey, verify } from 'node:crypto'
import { hashedEpochBytes, signedEpochBytes, signedMessageBytes } from '@privity/contract/signedBytes'
import { grant } from '@privity/contract/grant'
import { epochKey, identityKey, sealed } from '@privity/contract/keys'
import { limits, sealedFileSize } from '@privity/contract/limits'
import { envelope as envelopeForm, sealedContent } from '@privity/contract/messages'
import { readSealedMessage, sealedMessageLengths } from '@privity/contract/sealedMessage'
import { reportKey, sealedReport } from '@privity/contract/messageReports'
import { base64url, secret } from '@privity/contract/values'
import {
  createAccountKey,
  createEnvelope,
  createEpoch,
  createFileKey,
  createIdentity,
  deriveSignIn,
  fromBase64url,
  importAccountKey,
  importIdentity,
  type MessageBody,
  newId,
  sealForOwner,
  sealMessage,
  sealNameForOwner,
  sealPrivate,
  wrapAccountKey,
} from '@privity/e2ee'
import { encryptFile } from '@privity/e2ee/fileEncryption'
import { createGrant } from '@privity/e2ee/grant'
import { createRecoveryKey, deriveRecovery } from '@privity/e2ee/recoveryKey'
import { repetitionTag } from '@privity/e2ee/repetition'
import { createReportKeys, sealReport } from '@privity/e2ee/report'
import { sealThumbnail } from '@privity/e2ee/thumbnail'
import { describe, expect, test } from 'vitest'

/** e2ee and contract know nothing of each other: here what the one makes is held against what the other takes. */
const now = Date.UTC(2030, 0, 31)

async function createPerson() {
  const userId = newId(now)
  const identity = await importIdentity((await createIdentity()).seed)
  const { epoch, seed } = await createEpoch({ identity, userId, n: 1, createdAt: now, startsAt: now })
  return { userId, identity, identityKey: identity.publicKey, epoch, seed }
}

const [ada, ben] = [await createPerson(), await createPerson()]
const conversation = { id: newId(now), connectionId: newId(now), sender: ada, recipient: ben }
const { envelope, conversationKey } = await createEnvelope(conversation)

const hash = 'A'.repeat(43)
const file = { kind: 'file' as const, type: 'application/pdf', size: limits.fileBytes, keyHash: hash, bodyHash: hash }
const picture = { ...ada, messageId: newId(now), fileKey: createFileKey(), picture: new Uint8Array(700) }
const thumbnail = await sealThumbnail({ ...picture, file: { ...file, name: 'scene.jpg' } })
const text = (of: string) => ({ kind: 'text' as const, text: of })
const context = {
  sentAt: now,
  n: 1,
  lifetime: limits.retention,
  previous: undefined,
  otherPrevious: undefined,
  seen: undefined,
}
const parts = { conversationKey, identity: ada.identity, envelope, context }
const bodies: MessageBody[] = [
  text(''),
  text('x'),
  text('x'.repeat(limits.messageCharacters)),
  text('é'.repeat(limits.messageCharacters)),
  text('😀'.repeat(limits.messageCharacters)),
  { ...file, name: '' },
  { ...file, name: '\u20ac'.repeat(255), type: 'x'.repeat(127) },
  { ...file, name: 'scene.jpg', thumbnail },
]

describe('the contract takes what the encryption makes', () => {
  test('every sealed message is read, and nothing but its clear header', async () => {
    const lengths = new Set<number>()
    for (const body of bodies) {
      const messageId = newId(now)
      const content = await sealMessage({ ...parts, messageId, body })
      expect(sealedContent.safeParse(content).success).toBe(true)
      expect(readSealedMessage(fromBase64url(content))).toMatchObject({ messageId, envelopeId: envelope.id })
      lengths.add(content.length)
    }
    expect([...lengths].toSorted((a, b) => a - b)).toEqual(sealedMessageLengths)
  })

  test('one character more is refused by both', async () => {
    const body = text('x'.repeat(limits.messageCharacters + 1))
    const sealing = sealMessage({ ...parts, messageId: newId(now), body })
    await expect(sealing).rejects.toMatchObject({ code: 'TOO_LONG' })
  })

  test('identity keys, epochs, envelopes and grants', async () => {
    expect(identityKey.parse(ada.identityKey)).toBe(ada.identityKey)
    expect(epochKey.parse(ada.epoch)).toEqual(ada.epoch)
    expect(envelopeForm.parse(envelope)).toEqual(envelope)
    const filePath = `/objects/${newId(now)}`
    const given = { identity: ada.identity, fileKey: createFileKey(), filePath, from: ada.userId, to: ben }
    const made = await createGrant(given)
    expect(grant.parse(made)).toEqual(made)
  })

  test('the bytes an epoch is signed and linked over are the same', async () => {
    const { identity, identityKey: x, userId, epoch } = ada
    const createdAt = now + 2 ** 33
    const { epoch: next } = await createEpoch({
      identity,
      userId,
      n: 2,
      createdAt,
      startsAt: createdAt + 1,
      previous: epoch,
    })
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    for (const each of [epoch, next])
      expect(verify(null, signedEpochBytes(x, each, fromBase64url), key, fromBase64url(each.signature))).toBe(true)
    const linked = createHash('sha256')
      .update(hashedEpochBytes(x, epoch, fromBase64url))
      .digest('base64url')
    expect(next.previousHash).toBe(linked)
  })

  test('the header of a message and the bytes it is signed over are the same', async () => {
    const { id: envelopeId, ...route } = conversationKey.binding
    const binding = { envelopeId, ...route, messageId: '00000000-0000-0000-0000-000000000000' }
    const none = new Uint8Array()
    expect(signedMessageBytes(binding, none, none, fromBase64url)).toEqual(conversationKey.header)

    const messageId = newId(now)
    const sealing = { ...parts, messageId, body: text('x') }
    const form = readSealedMessage(fromBase64url(await sealMessage(sealing)))
    const ciphertextHash = createHash('sha256')
      .update(form?.ciphertext ?? none)
      .digest()
    const signed = signedMessageBytes(
      { ...binding, messageId },
      form?.commitment ?? none,
      ciphertextHash,
      fromBase64url,
    )
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: ada.identityKey }, format: 'jwk' })
    expect(verify(null, signed, key, form?.signature ?? none)).toBe(true)
  })

  test('everything wrapped and sealed, and the secrets that travel', async () => {
    const raw = createAccountKey()
    const accountKey = await importAccountKey(raw)
    const { authKey, wrapKey } = await deriveSignIn(new Uint8Array(32))
    const { proof } = await deriveRecovery(createRecoveryKey().text)
    const { userId, seed } = ada
    const sentTo = { connectionId: newId(now), recipientId: newId(now), fileId: newId(now) }
    const texts = [
      await wrapAccountKey(wrapKey, raw, { userId, purpose: 'password' }),
      await sealPrivate(accountKey, { userId, purpose: 'identity', id: userId }, seed),
      await sealNameForOwner({ seed, userId, epoch: 1, ...sentTo }, '\u20ac'.repeat(255)),
      await sealForOwner({ seed, userId, epoch: 1, ...sentTo, purpose: 'file-key' }, createFileKey()),
    ]
    for (const each of texts) expect(sealed.parse(each)).toBe(each)
    for (const each of [authKey, proof]) expect(secret.parse(each)).toBe(each)
    const tag = await repetitionTag(accountKey, '2030-01-31', 'The same text again and again')
    expect(base64url(32).parse(tag)).toBe(tag)
  })

  test('the key for reports, and a report', async () => {
    const { publicKey } = await createReportKeys()
    const key = { id: newId(now), publicKey }
    expect(reportKey.parse(key)).toEqual(key)
    const body = text('x'.repeat(limits.messageCharacters))
    const content = await sealMessage({ ...parts, messageId: newId(now), body })
    const message = { content, conversationKey, envelope, senderIdentityKey: ada.identityKey }
    const report = await sealReport({ publicKey, message, receipt: hash, createdAt: now, reason: 'Unasked for' })
    expect(sealedReport.parse(report)).toBe(report)
  })

  test('an encrypted file has the size that the contract reckons', async () => {
    for (const size of [0, 1, 1_048_520, 1_048_521, 2_097_080, 2_097_081, 3_000_000]) {
      const source = async function* () {
        yield new Uint8Array(size)
      }
      let bytes = 0
      for await (const piece of encryptFile(createFileKey(), source(), new Uint8Array(1))) bytes += piece.length
      expect(bytes, `${size} bytes`).toBe(sealedFileSize(size))
    }
  })
})
