import { describe, expect, test } from 'vitest'
import {
  fromBase64url,
  type MessageBody,
  type MessageContext,
  messageLink,
  newId,
  openMessage,
  randomBytes,
  sealMessage,
  toBase64url,
} from '../../src/index.ts'
import { decode, encode } from '../../src/encoding/canonical.ts'
import { maxThumbnailBytes } from '../../src/files/thumbnail.ts'
import { sha256 } from '../../src/primitives/hash.ts'
import { idBytes } from '../../src/encoding/id.ts'
import { messageHeader } from '../../src/messages/messageHeader.ts'
import { utf8 } from '../support/hex.ts'
import { createConversation, createPerson, first, now } from '../support/people.ts'
import { refusal, unnoticedFlips } from '../support/refusals.ts'

const [ada, ben, eve] = [await createPerson(), await createPerson(), await createPerson()]
const { envelope, conversationKey } = await createConversation(ada, ben)
const text = (of: string): MessageBody => ({ kind: 'text', text: of })
const hash = toBase64url(randomBytes(32))
const file = { kind: 'file' as const, name: 'scene.jpg', type: 'image/jpeg', size: 5, keyHash: hash, bodyHash: hash }
const pictured = { ...file, thumbnail: toBase64url(randomBytes(maxThumbnailBytes(file) + 54)) }

const seal = (body: MessageBody, messageId = newId(now), context: MessageContext = first) =>
  sealMessage({ conversationKey, identity: ada.identity, messageId, envelope, body, context })
const open = (content: string) =>
  openMessage({ content, conversationKey, envelope, senderIdentityKey: ada.identityKey })

describe('a message', () => {
  test('opens to what was sealed', async () => {
    const messageId = newId(now)
    for (const said of ['', 'Hello', '😀'.repeat(500), 'a\u0000b\r\n\ufeff', 'x'.repeat(500)]) {
      const opened = await open(await seal(text(said), messageId))
      expect(opened).toMatchObject({ messageId, body: text(said) })
      expect([opened.frankingKey.length, opened.commitment.length]).toEqual([32, 32])
    }
  })

  test('has one of two lengths, which tell nothing but short or long', async () => {
    const lengths = async (said: string) => fromBase64url(await seal(text(said))).length
    expect(await lengths('')).toBe(1221)
    expect(await lengths('x'.repeat(500))).toBe(1221)
    expect(await lengths('é'.repeat(456))).toBe(1221)
    expect(await lengths('x'.repeat(1) + 'é'.repeat(456))).toBe(1221)
    expect(await lengths('é'.repeat(457))).toBe(2501)
    expect(await lengths('😀'.repeat(500))).toBe(2501)
  })

  test('of a file has one length, which does not show whether it has a thumbnail', async () => {
    const lengths = new Set<number>()
    const longest = { ...file, name: '€'.repeat(255), type: 'x'.repeat(127) }
    for (const body of [file, longest, { ...file, name: '', type: '' }, pictured])
      lengths.add(fromBase64url(await seal(body)).length)
    expect([...lengths]).toEqual([2501])
    expect((await open(await seal(pictured))).body).toEqual(pictured)
  })

  test('is sealed anew each time, with another key, IV and commitment', async () => {
    const messageId = newId(now)
    const [one, other] = [await seal(text('Same'), messageId), await seal(text('Same'), messageId)]
    const [a, b] = [fromBase64url(one), fromBase64url(other)]
    expect(a.slice(0, 57)).toEqual(b.slice(0, 57))
    expect(a.slice(61, 73)).not.toEqual(b.slice(61, 73))
    expect((await open(one)).frankingKey).not.toEqual((await open(other)).frankingKey)
  })

  test('of more than 500 characters is refused, counted as people count', async () => {
    expect(await refusal(seal(text('x'.repeat(501))))).toBe('TOO_LONG')
    expect(await refusal(seal(text('😀'.repeat(501))))).toBe('TOO_LONG')
    expect(await refusal(seal(text(`${'😀'.repeat(499)}ab`)))).toBe('TOO_LONG')
    expect(await refusal(seal(text('x'.repeat(100_000))))).toBe('TOO_LONG')
    expect((await open(await seal(text(`${'😀'.repeat(499)}a`)))).body).toEqual(text(`${'😀'.repeat(499)}a`))
    expect(await refusal(seal(text('half \ud83d')))).toBe('MALFORMED')
  })

  test('refuses every flipped bit', { timeout: 60_000 }, async () => {
    const bytes = fromBase64url(await seal(text('Meet me at ten.')))
    expect(await unnoticedFlips(bytes, (altered) => open(toBase64url(altered)))).toEqual([])
  })

  test('refuses trailing and missing bytes', async () => {
    const bytes = fromBase64url(await seal(text('Meet me at ten.')))
    for (const other of [bytes.slice(0, -1), bytes.slice(1), new Uint8Array([...bytes, 0]), new Uint8Array(1221)]) {
      expect(await refusal(open(toBase64url(other)))).toBe('MALFORMED')
    }
    expect(await refusal(open('Meet me at ten.'))).toBe('MALFORMED')
  })

  test('says what is wrong with it', async () => {
    const bytes = fromBase64url(await seal(text('Meet me at ten.')))
    const altered = (at: number) => toBase64url(bytes.with(at, (bytes[at] as number) ^ 1))
    expect(await refusal(open(altered(3)))).toBe('MALFORMED')
    expect(await refusal(open(altered(25)))).toBe('BAD_SIGNATURE')
    expect(await refusal(open(altered(45)))).toBe('WRONG_BINDING')
    expect(await refusal(open(altered(65)))).toBe('AUTHENTICATION_FAILED')
    for (const at of [80, 500, 1200]) expect(await refusal(open(altered(at)))).toBe('BAD_SIGNATURE')
  })
})

describe('the context of a message', () => {
  const link = () => toBase64url(randomBytes(20))

  test('opens to what was sealed', async () => {
    const contexts: MessageContext[] = [
      first,
      { sentAt: 0, n: 0xffffffff, lifetime: 0, previous: link(), otherPrevious: undefined, seen: undefined },
      { sentAt: 8.64e15, n: 2, lifetime: 0xffffffff, previous: undefined, otherPrevious: link(), seen: link() },
      { sentAt: now, n: 300, lifetime: 60_000, previous: link(), otherPrevious: link(), seen: link() },
    ]
    for (const context of contexts)
      expect((await open(await seal(text('Hello'), newId(now), context))).context).toEqual(context)
  })

  test('of another form is refused before it is sealed', async () => {
    const others = [
      { sentAt: -1 },
      { lifetime: -1 },
      { lifetime: 2 ** 32 },
      { sentAt: 0.5 },
      { sentAt: 2 ** 53 },
      { n: 0 },
      { n: 2 ** 32 },
      { previous: toBase64url(new Uint8Array(20)) },
      { otherPrevious: toBase64url(new Uint8Array(20)) },
      { seen: toBase64url(new Uint8Array(20)) },
      { previous: '' },
      { seen: toBase64url(new Uint8Array(32)) },
      { seen: `${link()}=` },
    ]
    for (const other of others)
      expect(await refusal(seal(text(''), newId(now), { ...first, ...other })), JSON.stringify(other)).toBe('MALFORMED')
  })

  test('names a message by the hash of its signature, which no other message has', async () => {
    const content = await seal(text('Hello'))
    const signature = fromBase64url(content).subarray(-64)
    const expected = toBase64url(sha256(encode('link', [signature])).slice(0, 20))
    expect(await messageLink(content)).toBe(expected)
    expect(await messageLink(await seal(text('Hello')))).not.toBe(expected)
    expect(await refusal(messageLink('Hello'))).toBe('MALFORMED')
  })
})

describe('a message is bound', () => {
  test('to its envelope, connection, users, epochs and sender', async () => {
    const content = await seal(text('For Ben alone'))
    const given = { content, conversationKey, envelope, senderIdentityKey: ada.identityKey }
    const changes = [
      { id: newId(now) },
      { connectionId: newId(now) },
      { from: eve.userId },
      { to: eve.userId },
      { epochFrom: 2 },
      { epochTo: 2 },
    ]
    for (const change of changes) {
      const other = { ...envelope, ...change }
      expect(await refusal(openMessage({ ...given, envelope: other }))).toBe('WRONG_BINDING')
      const sealing = sealMessage({
        ...given,
        identity: ada.identity,
        messageId: newId(now),
        envelope: other,
        body: text(''),
        context: first,
      })
      expect(await refusal(sealing)).toBe('WRONG_BINDING')
    }
    expect(await refusal(openMessage({ ...given, senderIdentityKey: eve.identityKey }))).toBe('WRONG_BINDING')
    const another = await createConversation(ada, ben, envelope.connectionId)
    expect(await refusal(openMessage({ ...given, ...another }))).toBe('WRONG_BINDING')
    const rest = { messageId: newId(now), envelope, body: text(''), context: first }
    const asEve = { conversationKey, identity: eve.identity, ...rest }
    expect(await refusal(sealMessage(asEve))).toBe('WRONG_BINDING')
  })

  test('to the header that each side makes from what it knows, not from the message', async () => {
    const content = await seal(text('For Ben alone'))
    const changes = { connectionId: newId(now), from: eve.userId, to: eve.userId, epochFrom: 2, epochTo: 2 }
    for (const [field, value] of Object.entries(changes)) {
      const binding = { ...conversationKey.binding, [field]: value }
      const key = { ...conversationKey, binding, header: messageHeader(binding) }
      const other = { ...envelope, [field]: value }
      const work = openMessage({ content, conversationKey: key, envelope: other, senderIdentityKey: ada.identityKey })
      expect(await refusal(work), field).toBe('BAD_SIGNATURE')
    }
    for (const field of ['identityFrom', 'identityTo'] as const) {
      const binding = { ...conversationKey.binding, [field]: eve.identityKey }
      const key = { ...conversationKey, binding, header: messageHeader(binding) }
      const work = openMessage({ content, conversationKey: key, envelope, senderIdentityKey: binding.identityFrom })
      expect(await refusal(work), field).toBe('BAD_SIGNATURE')
    }
  })

  test('to its id: it cannot be given another', async () => {
    const content = fromBase64url(await seal(text('Once')))
    const moved = content.slice()
    moved.set(idBytes(newId(now)), 21)
    expect(await refusal(open(toBase64url(moved)))).toBe('BAD_SIGNATURE')
    expect(await refusal(seal(text('Once'), 'no id'))).toBe('MALFORMED')
  })
})

test('the wire form is what docs/protocol.md says', async () => {
  const bytes = fromBase64url(await seal(text('Hello')))
  expect(bytes.slice(0, 17)).toEqual(Uint8Array.from([15, ...utf8('privity/message'), 1]))
  const sizes = decode(
    'message',
    bytes,
    Array.from({ length: 6 }, () => undefined),
  ).map((field) => field.length)
  expect(sizes).toEqual([16, 16, 12, 32, 1040, 64])
})
