import { keys } from '@privity/contract/keys'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makeContent, makeEnvelope, makeEpoch, publication, random } from '../../support/server/memberKeys.ts'
import { countRows, createTalk, type Talk } from '../../support/scenes/conversation.ts'

const hour = 60 * 60 * 1000

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const post = (body: unknown, from = talk.anna) => from.request('POST', '/api/messages', body)

/** Expects a refusal that changes nothing. */
async function expectRefused(body: unknown, status: number, code: string, from = talk.anna) {
  const before = await countRows(server)
  const answer = await post(body, from)
  expect(answer).toMatchObject({ status, body: { code } })
  expect(await countRows(server)).toEqual(before)
  return answer.body as { details?: unknown }
}

const made = (
  ends: Partial<{ connectionId: string; from: string; to: string }>,
  epochs = { epochFrom: 1, epochTo: 1 },
) => {
  const { anna, ben, connection } = talk
  const envelope = makeEnvelope({ connectionId: connection.id, from: anna.user.id, to: ben.user.id, ...ends }, epochs)
  return { connectionId: connection.id, content: makeContent(envelope.id).content, envelope }
}

test('an envelope the server has not seen must come along', async () => {
  const { envelope: _left, ...body } = talk.text(talk.anna)
  await expectRefused(body, 409, 'ENVELOPE_UNKNOWN')
})

test('an envelope of another sender, recipient or connection is refused', async () => {
  const { ben } = talk
  const other = await createTalk(server)
  await expectRefused(made({ from: ben.user.id }), 400, 'ENVELOPE_INVALID')
  await expectRefused(made({ to: other.ben.user.id }), 400, 'ENVELOPE_INVALID')
  await expectRefused(made({ connectionId: other.connection.id }), 400, 'ENVELOPE_INVALID')
  const body = talk.text(talk.anna)
  await expectRefused({ ...made({}), content: body.content }, 400, 'ENVELOPE_INVALID')
})

test('an envelope that somebody else brought is refused, and cannot be replaced', async () => {
  const { anna, ben, connection } = talk
  const body = talk.text(anna)
  await anna.call(messages.send, { body })
  const id = body.envelope?.id ?? ''
  const { content } = makeContent(id)
  await expectRefused({ connectionId: connection.id, content }, 400, 'ENVELOPE_INVALID', ben)
  const mine = { ...makeEnvelope({ connectionId: connection.id, from: ben.user.id, to: anna.user.id }), id }
  await expectRefused({ connectionId: connection.id, content, envelope: mine }, 400, 'ENVELOPE_INVALID', ben)
  const changed = { ...body.envelope, sealedForRecipient: random(1168) }
  await expectRefused({ connectionId: connection.id, content, envelope: changed }, 400, 'ENVELOPE_INVALID')
})

test('a stored envelope serves no other connection of its sender', async () => {
  const { anna } = talk
  const { envelope } = talk.text(anna)
  await talk.send(anna)
  const { id: connectionId } = await server.connect(anna, (await createTalk(server)).ben)
  await expectRefused({ connectionId, content: makeContent(envelope?.id ?? '').content }, 400, 'ENVELOPE_INVALID')
})

test.each(['epochFrom', 'epochTo', 'sealedForSender', 'signature'] as const)(
  'an envelope with another %s than the stored one of its id is refused',
  async (field) => {
    const { connectionId, content, envelope } = made({})
    expect((await post({ connectionId, content, envelope })).status).toBe(201)
    const changed = { ...envelope, [field]: field.startsWith('epoch') ? 2 : random(field === 'signature' ? 64 : 1168) }
    const next = makeContent(envelope.id).content
    await expectRefused({ connectionId, content: next, envelope: changed }, 400, 'ENVELOPE_INVALID')
  },
)

test('both epochs of an envelope are stored as it names them', async () => {
  const { anna, ben, connection } = talk
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, server.clock.now())))
  const first = made({}, { epochFrom: 2, epochTo: 1 })
  expect((await post(first)).status).toBe(201)
  const next = { connectionId: connection.id, content: makeContent(first.envelope.id).content }
  expect((await post(next)).status).toBe(201)
  const listed = await ben.call(messages.list, { params: { id: connection.id }, query: {} })
  expect(listed.map(({ envelope }) => envelope)).toContainEqual(first.envelope)
})

test('an envelope of a superseded epoch is refused with the facts for a new one', async () => {
  const { anna, ben } = talk
  await talk.send(anna)
  await ben.call(keys.publishEpochs, publication(makeEpoch(ben.user.id, 2, server.clock.now())))
  const peer = await anna.call(keys.getContactKeys, { params: { id: talk.connection.id } })
  const known = await expectRefused(talk.text(anna), 409, 'EPOCH_SUPERSEDED')
  expect(known.details).toEqual({ epochFrom: 1, epochTo: 2, peer })
  const { wrappedSeed: _kept, ...epoch } = makeEpoch(anna.user.id, 2, server.clock.now())
  await anna.call(keys.publishEpochs, publication({ ...epoch, wrappedSeed: random(80) }))
  const inline = await expectRefused(made({}, { epochFrom: 1, epochTo: 2 }), 409, 'EPOCH_SUPERSEDED')
  expect(inline.details).toMatchObject({ epochFrom: 2, epochTo: 2, peer: { userId: ben.user.id } })
  await expectRefused(made({}, { epochFrom: 2, epochTo: 3 }), 409, 'EPOCH_SUPERSEDED')
  expect((await post(made({}, { epochFrom: 2, epochTo: 2 }))).status).toBe(201)
})

/** An envelope to Ben's first epoch, from a new one of Anna's, `after` the keys of both were made. */
async function toFirstEpoch(own: TestServer, after: number) {
  talk = await createTalk(own)
  const { anna, ben, connection } = talk
  for (let left = after; left > 0; left -= 12 * hour) {
    await own.advance(Math.min(left, 12 * hour))
    await anna.call(session.getUser, {})
    await ben.call(session.getUser, {})
  }
  await anna.call(keys.publishEpochs, publication(makeEpoch(anna.user.id, 2, own.clock.now())))
  const ends = { connectionId: connection.id, from: anna.user.id, to: ben.user.id }
  const envelope = makeEnvelope(ends, { epochFrom: 2, epochTo: 1 }, own.clock.now())
  return { connectionId: connection.id, content: makeContent(envelope.id).content, envelope }
}

test('an epoch that has ended is used on until the next one is published, and no longer', async () => {
  await using own = await createTestServer()
  const body = await toFirstEpoch(own, limits.epochDuration + limits.epochGrace)
  expect((await post(body)).status).toBe(201)
  await talk.ben.call(keys.publishEpochs, publication(makeEpoch(talk.ben.user.id, 2, own.clock.now())))
  const next = { ...body, content: makeContent(body.envelope.id).content }
  expect(await post(next)).toMatchObject({ status: 409, body: { code: 'EPOCH_SUPERSEDED' } })
})

test('the last epoch of a recipient is used until its seed is destroyed, and no longer', async () => {
  await using own = await createTestServer()
  const body = await toFirstEpoch(own, limits.epochDuration + limits.retention - 1)
  expect(await post(body)).toMatchObject({ status: 201, body: { expiresAt: own.clock.now() + 1 } })
  await own.advance(1)
  const next = { ...body, content: makeContent(body.envelope.id).content }
  expect(await post(next)).toMatchObject({ status: 409, body: { code: 'EPOCH_SUPERSEDED' } })
})

test('envelopes between accounts without keys are refused', async () => {
  const plain = await server.signUp(undefined, { keys: false })
  const connection = await server.connect(talk.anna, plain)
  const body = made({ connectionId: connection.id, to: plain.user.id })
  await expectRefused({ ...body, connectionId: connection.id }, 400, 'ENVELOPE_INVALID')
})
