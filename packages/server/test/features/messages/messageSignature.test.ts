import { generateKeyPairSync } from 'node:crypto'
import { connections } from '@privity/contract/connections'
import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import {
  makeContent,
  makeEnvelope,
  makeEpoch,
  publication,
  random,
  useIdentity,
} from '../../support/server/memberKeys.ts'
import { holdNext } from '../../support/server/gate.ts'
import { replaceKeys } from '../../support/scenes/keyReplacement.ts'
import { countRows, createTalk, type SendBody, type Talk } from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const post = (body: SendBody) => talk.anna.request('POST', '/api/messages', body)

async function expectRefused(body: SendBody, code = 'MESSAGE_NOT_SIGNED') {
  const before = await countRows(server)
  expect((await post(body)).body).toMatchObject({ code })
  expect(await countRows(server)).toEqual(before)
}

const ends = () => ({ connectionId: talk.connection.id, from: talk.anna.user.id, to: talk.ben.user.id })
const stranger = () => generateKeyPairSync('ed25519').privateKey

/** A body from Anna under a new envelope, bound to the current keys of both. */
function underNewEnvelope(
  epochs?: { epochFrom: number; epochTo: number },
  options?: Parameters<typeof makeContent>[1],
) {
  const envelope = makeEnvelope(ends(), epochs)
  return { connectionId: talk.connection.id, content: makeContent(envelope.id, options).content, envelope }
}

test('a message signed by a foreign key in a member’s session is refused and leaves nothing', async () => {
  await expectRefused(underNewEnvelope(undefined, { by: stranger() }))
})

test('a header with a foreign identity key is refused, although that key signed it', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  useIdentity(talk.anna.user.id, publicKey.export({ format: 'jwk' }).x ?? '', privateKey)
  await expectRefused(underNewEnvelope())
})

test('plain text in the shape of a sealed message is refused', async () => {
  const ciphertext = Buffer.alloc(1040, 'Meet me at the station. ')
  const { content, envelope, connectionId } = underNewEnvelope(undefined, { ciphertext, by: stranger() })
  expect(Buffer.from(content, 'base64url').includes('Meet me at the station.')).toBe(true)
  await expectRefused({ content, envelope, connectionId })
})

test('every byte of a message that was changed after it was signed is noticed', async () => {
  const { content, envelope, connectionId } = underNewEnvelope()
  const bytes = Buffer.from(content, 'base64url')
  // Message id, commitment, ciphertext and signature. The iv is covered only by the ciphertext's tag.
  for (const at of [30, 80, 130, bytes.length - 70, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    await expectRefused({ content: changed.toString('base64url'), envelope, connectionId })
  }
  expect((await post({ content, envelope, connectionId })).status).toBe(201)
})

test('a forged message under a known envelope is refused, and the next honest one is stored', async () => {
  const { envelope, connectionId, content } = underNewEnvelope()
  expect((await post({ envelope, connectionId, content })).status).toBe(201)
  expect((await post({ connectionId, content: makeContent(envelope.id).content })).status).toBe(201)
  await expectRefused({ connectionId, content: makeContent(envelope.id, { by: stranger() }).content })
  expect((await post({ connectionId, content: makeContent(envelope.id).content })).status).toBe(201)
})

test('a forged message among others that are sent at the same moment takes none of them with it', async () => {
  const { envelope, connectionId, content } = underNewEnvelope()
  expect((await post({ envelope, connectionId, content })).status).toBe(201)
  const bodies = Array.from({ length: 9 }, (_, at) => {
    const by = at % 3 === 1 ? stranger() : undefined
    return { connectionId, content: makeContent(envelope.id, { by }).content }
  })
  const statuses = (await Promise.all(bodies.map(post))).map(({ status }) => status)
  expect(statuses).toEqual([201, 400, 201, 201, 400, 201, 201, 400, 201])
})

test('a message sealed before new keys of its sender is answered with the facts to seal it again', async () => {
  const sealedBefore = underNewEnvelope()
  await replaceKeys(talk.anna)
  await expectRefused(sealedBefore, 'EPOCH_SUPERSEDED')
  expect((await post(underNewEnvelope({ epochFrom: 2, epochTo: 1 }))).status).toBe(201)
})

test('a message sealed to a former identity is answered with the facts to seal it again', async () => {
  const sealedBefore = underNewEnvelope()
  await replaceKeys(talk.ben)
  await expectRefused(sealedBefore, 'EPOCH_SUPERSEDED')
  expect((await post(underNewEnvelope({ epochFrom: 1, epochTo: 2 }))).status).toBe(201)
})

test('a former identity key signs no message of a newer epoch', async () => {
  const former = makeEnvelope(ends(), { epochFrom: 2, epochTo: 1 })
  await replaceKeys(talk.anna)
  const { connection } = talk
  await expectRefused({ connectionId: connection.id, content: makeContent(former.id).content, envelope: former })
})

test('the former identity key signs nothing more under an envelope that the server remembers', async () => {
  const { envelope, connectionId, content } = underNewEnvelope()
  expect((await post({ envelope, connectionId, content })).status).toBe(201)
  for (let sent = 0; sent < 2; sent++)
    expect((await post({ connectionId, content: makeContent(envelope.id).content })).status).toBe(201)
  await replaceKeys(talk.anna)
  await expectRefused({ connectionId, content: makeContent(envelope.id).content }, 'EPOCH_SUPERSEDED')
})

test('a message sent again after new keys is answered as the first time, with the same receipt', async () => {
  const body = underNewEnvelope()
  const sent = await talk.anna.call(messages.send, { body })
  await replaceKeys(talk.anna)
  expect(await post(body)).toMatchObject({ status: 200, body: sent })
})

test.each(['anna', 'ben'] as const)(
  'a message verified under an identity that %s replaces meanwhile is refused',
  async (who) => {
    await using own = await createTestServer()
    talk = await createTalk(own)
    const { anna, send, text } = talk
    await own.advance(limits.epochDuration - 1)
    for (let sent = 0; sent < 3; sent++) await send(anna)
    // The epoch has ended by itself, and still is in its time of grace: only its identity is a former one.
    await own.advance(60_000)
    await send(anna)
    const held = holdNext(own.core.db, 'write')
    const refused = post(text(anna))
    await held.during(() => replaceKeys(talk[who], own.clock.now()))
    expect((await refused).body).toMatchObject({ code: 'MESSAGE_NOT_SIGNED' })
  },
)

test('a message is not stored again under an expired envelope’s id with other epochs', async () => {
  await using own = await createTestServer()
  talk = await createTalk(own)
  const { anna, connection } = talk
  const [hour, , day] = limits.lifetimes
  const setLifetime = (lifetime: typeof hour) =>
    anna.call(connections.setLifetime, { params: { id: connection.id }, body: { lifetime } })
  await setLifetime(hour)
  await own.advance(limits.epochDuration - 1)
  const envelope = makeEnvelope(ends(), undefined, own.clock.now())
  const sent = Array.from({ length: 2 }, () => ({
    connectionId: connection.id,
    content: makeContent(envelope.id).content,
  }))
  for (const body of sent) expect((await post({ ...body, envelope })).status).toBe(201)
  // The server remembers the envelope, but stores neither it nor its messages any more.
  await own.advance(hour + 60_000)
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, own.clock.now())))
  await setLifetime(day)
  const other = { ...envelope, epochFrom: 2, signature: random(64) }
  for (const body of sent)
    expect((await post({ ...body, envelope: other })).body).toMatchObject({ code: 'MESSAGE_NOT_SIGNED' })
})
