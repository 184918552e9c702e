import { signedReportBytes } from '@privity/contract/signedBytes'
import { describe, expect, test } from 'vitest'
import { fromBase64url, type MessageBody, newId, openMessage, sealMessage, toBase64url } from '../../src/index.ts'
import { encode } from '../../src/encoding/canonical.ts'
import { integerBytes } from '../../src/encoding/bytes.ts'
import { hmacSha256, sha256 } from '../../src/primitives/hash.ts'
import { sealTo } from '../../src/primitives/hpke.ts'
import { writeBody } from '../../src/messages/body.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { messageFields } from '../../src/messages/message.ts'
import { messageHeader } from '../../src/messages/messageHeader.ts'
import { createReportKeys, openReport, sealedReportBytes, sealReport, signReport } from '../../src/messages/report.ts'
import { sign, verify } from '../../src/primitives/signatures.ts'
import { utf8 } from '../support/hex.ts'
import { createConversation, createPerson, first, now, type Person } from '../support/people.ts'
import { maxThumbnailBytes } from '../../src/files/thumbnail.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const founder = await createReportKeys()
const [ada, ben, eve] = [await createPerson(), await createPerson(), await createPerson()]
const { envelope, conversationKey } = await createConversation(ada, ben)
const receipt = toBase64url(new Uint8Array(32).fill(7))
const messageId = newId(now)
const binding = { messageId, senderId: ada.userId, reporterId: ben.userId }

const sealing = { conversationKey, identity: ada.identity, messageId, envelope, context: first }

const seal = async (body: MessageBody, reason = '', id = messageId) => {
  const content = await sealMessage({ ...sealing, messageId: id, body })
  const message = { content, conversationKey, envelope, senderIdentityKey: ada.identityKey }
  return sealReport({ publicKey: founder.publicKey, message, receipt, createdAt: now, reason })
}
const open = (sealed: string, of = binding, { seed } = founder) => openReport({ seed, sealed, binding: of })
const text = (of: string): MessageBody => ({ kind: 'text', text: of })
const hash = toBase64url(new Uint8Array(32))
const file = { kind: 'file' as const, name: '€'.repeat(255), type: 'x/y', size: 5, keyHash: hash, bodyHash: hash }
const thumbnail = toBase64url(new Uint8Array(maxThumbnailBytes(file) + 54))
const pictured: MessageBody = { ...file, thumbnail }

describe('the signature of a report', () => {
  const report = { reporterId: ben.userId, messageId, keyId: newId(now), sealed: toBase64url(new Uint8Array(6256)) }
  async function verifies(change: Partial<typeof report>): Promise<void> {
    const signature = fromBase64url(await signReport(ben.identity, report))
    const { sealed, ...signed } = { ...report, ...change }
    const bytes = signedReportBytes(ben.identityKey, { ...signed, hash: sha256(fromBase64url(sealed)) }, fromBase64url)
    await verify(ben.identityKey, signature, bytes)
  }

  test('covers the bytes that the server checks', async () => {
    await verifies({})
  })

  test.each([
    ['reporter', { reporterId: eve.userId }],
    ['message', { messageId: newId(now) }],
    ['key of the founder', { keyId: newId(now) }],
    ['content', { sealed: toBase64url(new Uint8Array(6256).fill(1)) }],
  ])('is of no other %s', async (_what, change) => {
    expect(await refusal(verifies(change))).toBe('BAD_SIGNATURE')
  })
})

describe('a report', () => {
  test.each([text(''), text('Pay, or else.'), text('😀'.repeat(500)), text('a\u0000b\r\n'), file, pictured])(
    'opens to what the sender wrote and the reporter added (%#)',
    async (body) => {
      const reason = '€'.repeat(500)
      expect(await open(await seal(body, reason))).toEqual({
        body,
        reason,
        identityKey: ada.identityKey,
        connectionId: envelope.connectionId,
        commitment: expect.stringMatching(/^[\w-]{43}$/),
        createdAt: now,
        receipt,
      })
    },
  )

  test('has one length, whatever it holds', async () => {
    const longest = '😀'.repeat(500)
    const held = [seal(text('')), seal(text(longest), longest), seal(file), seal(pictured, longest)]
    for (const sealed of await Promise.all(held)) expect(fromBase64url(sealed).length).toBe(sealedReportBytes)
  })

  test('with a reason of more than 500 characters, or to what is no key, is not made', async () => {
    expect(await refusal(seal(text('x'), '😀'.repeat(501)))).toBe('TOO_LONG')
    const content = await sealMessage({ ...sealing, body: text('x') })
    const message = { content, conversationKey, envelope, senderIdentityKey: ada.identityKey }
    const to = (publicKey: string) => sealReport({ publicKey, message, receipt, createdAt: now, reason: '' })
    expect(await refusal(to('AAAA'))).toBe('MALFORMED')
  })

  test('of a message whose signature fails is not made', async () => {
    const content = await sealMessage({ ...sealing, body: text('x') })
    const bytes = fromBase64url(content)
    const altered = toBase64url(bytes.with(500, (bytes[500] as number) ^ 1))
    const message = { content: altered, conversationKey, envelope, senderIdentityKey: ada.identityKey }
    expect(
      await refusal(sealReport({ publicKey: founder.publicKey, message, receipt, createdAt: now, reason: '' })),
    ).toBe('BAD_SIGNATURE')
  })

  test('refuses every flipped bit on its way', { timeout: 120_000 }, async () => {
    const bytes = fromBase64url(await seal(text('Pay, or else.')))
    expect(await unnoticedFlips(bytes, (altered) => open(toBase64url(altered)), 61)).toEqual([])
  })

  test('opens for no other message, sender, reporter or key', async () => {
    const sealed = await seal(text('Pay, or else.'))
    for (const other of [
      { ...binding, messageId: newId(now) },
      { ...binding, senderId: eve.userId },
      { ...binding, reporterId: eve.userId },
      { ...binding, senderId: ben.userId, reporterId: ada.userId },
    ])
      expect(await refusal(open(sealed, other))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(open(sealed, binding, await createReportKeys()))).toBe('AUTHENTICATION_FAILED')
    expect(await refusal(open('AAAA'))).toBe('MALFORMED')
  })
})

function bodyOf(said: string): Uint8Array<ArrayBuffer> {
  const target = new Uint8Array(200)
  return target.slice(0, writeBody(text(said), first, target))
}

/** Reports that a reporter with an altered client could seal, all of them well-formed. */
describe('a forged report', async () => {
  const content = await sealMessage({ ...sealing, body: text('See you at ten.') })
  const opened = await openMessage({ content, conversationKey, envelope, senderIdentityKey: ada.identityKey })
  const { ciphertext, signature } = messageFields(content)
  const header = messageHeader(conversationKey.binding)
  header.set(idBytes(messageId), header.indexOf(16, 20) + 1)
  const said = bodyOf('See you at ten.')
  const real = {
    header,
    frankingKey: opened.frankingKey,
    commitment: opened.commitment,
    ciphertextHash: sha256(ciphertext),
    signature,
    body: said,
    receipt: new Uint8Array(32),
    createdAt: integerBytes(now, 8),
    reason: utf8(''),
  }
  type Fields = Record<keyof typeof real, Uint8Array>

  async function forge(changes: Partial<Fields>, { length = undefined as number | undefined, under = binding } = {}) {
    const content = encode('report-content', Object.values({ ...real, ...changes }))
    const padded = new Uint8Array(5120)
    padded.set(integerBytes(length ?? content.length, 4))
    padded.set(content, 4)
    const info = encode('report', [idBytes(under.messageId), idBytes(under.senderId), idBytes(under.reporterId)])
    return toBase64url(await sealTo(fromBase64url(founder.publicKey), info, padded))
  }
  const headerOf = (changes: Partial<typeof conversationKey.binding>, id = messageId) => {
    const other = messageHeader({ ...conversationKey.binding, ...changes })
    other.set(idBytes(id), other.indexOf(16, 20) + 1)
    return other
  }

  test('opens when nothing is forged', async () => {
    expect((await open(await forge({}))).body).toEqual(text('See you at ten.'))
  })

  test('with other words is refused', async () => {
    const body = utf8('\u0001See you at one.')
    expect(await refusal(open(await forge({ body })))).toBe('BAD_COMMITMENT')
    const commitment = hmacSha256(real.frankingKey, header, body)
    expect(await refusal(open(await forge({ body, commitment })))).toBe('BAD_SIGNATURE')
    expect(await refusal(open(await forge({ frankingKey: new Uint8Array(32) })))).toBe('BAD_COMMITMENT')
  })

  test('with a signature by anybody else is refused', async () => {
    const signed = new Uint8Array([...header, ...real.commitment, ...real.ciphertextHash])
    for (const other of [await sign(ben.identity.sign, signed), new Uint8Array(64), real.signature.toReversed()])
      expect(await refusal(open(await forge({ signature: other })))).toBe('BAD_SIGNATURE')
  })

  test('that puts words into the mouth of another is refused', async () => {
    const under = (sender: Person) => ({ ...binding, senderId: sender.userId })
    // The whole of the real report, under the name of another.
    expect(await refusal(open(await forge({}, { under: under(eve) }), under(eve)))).toBe('WRONG_BINDING')
    // A header that names the other, with the signature of the real sender.
    const other = headerOf({ from: eve.userId, identityFrom: eve.identityKey })
    const commitment = hmacSha256(real.frankingKey, other, said)
    const forged = await forge({ header: other, commitment }, { under: under(eve) })
    expect(await refusal(open(forged, under(eve)))).toBe('BAD_SIGNATURE')
  })

  test('made with the reporter’s key opens as signed with it: only the receipt reveals it', async () => {
    const other = headerOf({ identityFrom: ben.identityKey })
    const body = bodyOf('Something that Ada never said.')
    const commitment = hmacSha256(real.frankingKey, other, body)
    const signed = new Uint8Array([...other, ...commitment, ...real.ciphertextHash])
    const forged = await forge({ header: other, body, commitment, signature: await sign(ben.identity.sign, signed) })
    const report = await open(forged)
    expect(report.identityKey).toBe(ben.identityKey)
    expect(report.commitment).not.toBe(toBase64url(real.commitment))
  })

  test('of another message, or replayed under another, is refused', async () => {
    const id = newId(now)
    expect(await refusal(open(await forge({ header: headerOf({}, id) })))).toBe('WRONG_BINDING')
    const replayed = { ...binding, messageId: id }
    expect(await refusal(open(await forge({}, { under: replayed }), replayed))).toBe('WRONG_BINDING')
  })

  test('of another form is refused', async () => {
    expect(await refusal(open(await forge({ header: header.subarray(1) })))).toBe('MALFORMED')
    expect(await refusal(open(await forge({ reason: new Uint8Array([0xff]) })))).toBe('MALFORMED')
    for (const length of [0, 1, 400, 5117, 2 ** 32 - 1])
      expect(await refusal(open(await forge({}, { length })))).toBe('MALFORMED')
  })
})
