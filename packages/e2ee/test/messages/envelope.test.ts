import { describe, expect, test } from 'vitest'
import {
  createEnvelope,
  type Envelope,
  fromBase64url,
  newId,
  openEnvelope,
  openMessage,
  randomBytes,
  sealMessage,
  toBase64url,
} from '../../src/index.ts'
import { integerBytes } from '../../src/encoding/bytes.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { sign } from '../../src/primitives/signatures.ts'
import { createConversation, createPerson, first, nextEpoch, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben, eve] = [await createPerson(), await createPerson(), await createPerson()]
const { envelope, conversationKey } = await createConversation(ada, ben)

const asBen = { envelope, me: ben, seed: ben.seed, contact: ada }
const asAda = { envelope, me: ada, seed: ada.seed, contact: ben }
const openAs = (changes: Partial<typeof asBen>) => refusal(openEnvelope({ ...asBen, ...changes }))

describe('an envelope', () => {
  test('opens for both parties, to the same key', async () => {
    const body = { kind: 'text' as const, text: 'Hello' }
    const messageId = newId(now)
    const content = await sealMessage({
      conversationKey,
      identity: ada.identity,
      messageId,
      envelope,
      body,
      context: first,
    })
    for (const side of [asBen, asAda]) {
      const opened = await openEnvelope(side)
      const message = { content, conversationKey: opened, envelope, senderIdentityKey: ada.identityKey }
      expect((await openMessage(message)).body).toEqual(body)
      expect(opened.key.extractable).toBe(false)
      expect(structuredClone(opened)).toMatchObject({ binding: opened.binding })
    }
  })

  test('names both parties and both epochs', () => {
    expect(envelope).toMatchObject({ from: ada.userId, to: ben.userId, epochFrom: 1, epochTo: 1 })
    expect(fromBase64url(envelope.sealedForRecipient).length).toBe(1168)
    expect(fromBase64url(envelope.sealedForSender).length).toBe(1168)
  })

  test('holds a key of its own each time', async () => {
    const again = await createConversation(ada, ben)
    expect(again.envelope.sealedForRecipient).not.toBe(envelope.sealedForRecipient)
  })

  test('does not open for anybody else, or as if from or to somebody else', async () => {
    expect(await openAs({ me: eve, seed: eve.seed })).toBe('WRONG_BINDING')
    expect(await openAs({ contact: eve })).toBe('WRONG_BINDING')
    expect(await openAs({ me: eve, contact: ben, seed: eve.seed })).toBe('WRONG_BINDING')
    expect(await openAs({ me: ben, contact: ben })).toBe('WRONG_BINDING')
    expect(await openAs({ seed: eve.seed })).toBe('AUTHENTICATION_FAILED')
    expect(await openAs({ seed: ada.seed })).toBe('AUTHENTICATION_FAILED')
    expect(await openAs({ contact: { ...ada, identityKey: eve.identityKey } })).toBe('BAD_SIGNATURE')
    expect(await openAs({ me: { ...ben, identityKey: eve.identityKey } })).toBe('BAD_SIGNATURE')
  })

  test('refuses any other value in any place', async () => {
    const other = await createConversation(ada, ben)
    const changes: Partial<Envelope>[] = [
      { id: newId(now) },
      { connectionId: newId(now) },
      { epochFrom: 2 },
      { epochTo: 2 },
      { sealedForRecipient: other.envelope.sealedForRecipient },
      { sealedForSender: other.envelope.sealedForSender },
      { sealedForRecipient: envelope.sealedForSender, sealedForSender: envelope.sealedForRecipient },
      { signature: other.envelope.signature },
    ]
    for (const change of changes) {
      expect(await openAs({ envelope: { ...envelope, ...change } }), Object.keys(change).join()).toBe('BAD_SIGNATURE')
    }
    const swapped = { ...envelope, from: ben.userId, to: ada.userId }
    expect(await openAs({ envelope: swapped })).toBe('BAD_SIGNATURE')
    const malformed: Partial<Envelope>[] = [
      { id: 'x' },
      { epochTo: -1 },
      { signature: 'AA' },
      { sealedForSender: 'AA' },
    ]
    for (const change of malformed) expect(await openAs({ envelope: { ...envelope, ...change } })).toBe('MALFORMED')
  })

  test('signed by its sender over another binding does not open: the sealed key is bound too', async () => {
    // Ada herself signs another connection's envelope around the same sealed key.
    const elsewhere = await createConversation(ada, ben)
    const { createSigned } = await resign(elsewhere.envelope)
    const moved = await createSigned({ ...elsewhere.envelope, sealedForRecipient: envelope.sealedForRecipient })
    expect(await openAs({ envelope: moved })).toBe('AUTHENTICATION_FAILED')
  })

  test('refuses every flipped bit', { timeout: 120_000 }, async () => {
    for (const field of ['sealedForRecipient', 'sealedForSender', 'signature'] as const) {
      const open = (bytes: Uint8Array) =>
        openEnvelope({ ...asBen, envelope: { ...envelope, [field]: toBase64url(bytes) } })
      expect(await unnoticedFlips(fromBase64url(envelope[field]), open), field).toEqual([])
    }
  })

  test('is not made for an epoch that is not its owner’s', async () => {
    const make = (recipient: Parameters<typeof createEnvelope>[0]['recipient']) =>
      refusal(createEnvelope({ id: newId(now), connectionId: newId(now), sender: ada, recipient }))
    expect(await make({ ...ben, epoch: eve.epoch })).toBe('WRONG_BINDING')
    expect(await make({ ...ben, epoch: { ...eve.epoch, userId: ben.userId } })).toBe('BAD_SIGNATURE')
    expect(await make({ ...ben, identityKey: eve.identityKey })).toBe('BAD_SIGNATURE')
    const forged = { ...ben.epoch, publicKey: eve.epoch.publicKey }
    expect(await make({ ...ben, epoch: forged })).toBe('BAD_SIGNATURE')
    const sender = { ...ada, epoch: forged }
    const own = createEnvelope({ id: newId(now), connectionId: newId(now), sender, recipient: ben })
    expect(await refusal(own)).toBe('WRONG_BINDING')
  })

  test('for a later epoch needs that epoch’s seed', async () => {
    const next = await nextEpoch(ben, ben.epoch)
    const later = await createConversation(ada, { ...ben, epoch: next.epoch })
    expect(later.envelope.epochTo).toBe(2)
    await openEnvelope({ ...asBen, envelope: later.envelope, seed: next.seed })
    expect(await openAs({ envelope: later.envelope })).toBe('AUTHENTICATION_FAILED')
    expect(await openAs({ envelope: later.envelope, seed: randomBytes(32) })).toBe('AUTHENTICATION_FAILED')
  })
})

/** Ada's own signature over an envelope of the same maker, from the published form (docs/protocol.md). */
async function resign(template: Envelope) {
  const createSigned = async (altered: Envelope): Promise<Envelope> => {
    const fields = [
      ...[altered.id, altered.connectionId, altered.from, altered.to].map(idBytes),
      integerBytes(altered.epochFrom, 4),
      integerBytes(altered.epochTo, 4),
      ...[ada.identityKey, ben.identityKey, altered.sealedForRecipient, altered.sealedForSender].map(fromBase64url),
    ]
    return { ...altered, signature: toBase64url(await sign(ada.identity.sign, encode('envelope', fields))) }
  }
  // The form is right: it gives the signature that is there (Ed25519 is deterministic).
  expect(await createSigned(template)).toEqual(template)
  return { createSigned }
}
