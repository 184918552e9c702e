import { keys } from '@privity/contract/keys'
import { type Message, message as messageShape, messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { makeContent, makeEnvelope, makeEpoch, publication } from '../../support/server/memberKeys.ts'
import {
  countRows,
  createTalk,
  fileFields,
  randomFile,
  registerFile,
  type SendBody,
  type Talk,
} from '../../support/scenes/conversation.ts'

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

describe('a sealed message', () => {
  test('is stored and told to every socket of both at once, with its envelope', async () => {
    const { anna, ben, connection } = talk
    const sockets = [await anna.socket(), await anna.socket(), await ben.socket()]
    const body = talk.text(anna)
    const sent = await anna.call(messages.send, { body })
    expect(sent).toMatchObject({
      connectionId: connection.id,
      seq: 1,
      senderId: anna.user.id,
      sender: { firstName: anna.user.firstName, lastName: anna.user.lastName },
      messageType: 'text',
      createdAt: server.clock.now(),
      expiresAt: server.clock.now() + 24 * 60 * 60 * 1000,
    })
    for (const socket of sockets) {
      expect((await socket.next('new_message')).message).toEqual({
        ...sent,
        content: body.content,
        envelope: body.envelope,
      })
    }
    const { envelope: _known, ...bare } = talk.text(anna)
    const second = await anna.call(messages.send, { body: bare })
    expect(second.seq).toBe(2)
    const notice = await sockets[2]?.next('new_message')
    expect(notice?.message).toEqual({ ...second, content: bare.content })
  })

  test('of both padded sizes is accepted', async () => {
    const { envelope } = talk.text(talk.anna)
    const { content } = makeContent(envelope?.id ?? '', { padded: 2304 })
    await talk.anna.call(messages.send, { body: { connectionId: talk.connection.id, content, envelope } })
    const [stored] = await talk.ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
    expect(stored?.content).toBe(content)
  })

  test('sent again is stored once and answered as before, whatever has changed since', async () => {
    const { anna, ben } = talk
    const socket = await ben.socket()
    const body = talk.text(anna)
    const sent = await anna.call(messages.send, { body })
    await socket.next('new_message')
    const before = await countRows(server)
    server.clock.advance(1000)
    const { envelope: _given, ...bare } = body
    for (const again of [body, bare]) expect(await post(again)).toMatchObject({ status: 200, body: sent })
    await ben.call(keys.publishEpochs, publication(makeEpoch(ben.user.id, 2, server.clock.now())))
    expect(await post(body)).toMatchObject({ status: 200, body: sent })
    await socket.settled()
    expect(socket.frames.filter(({ type }) => type === 'new_message')).toEqual([])
    expect((await countRows(server)).messages).toBe(before.messages)
  })

  test('sent many times at once is stored once', async () => {
    const body = talk.text(talk.anna)
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(body)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(19)
    expect(new Set(answers.map(({ body }) => (body as Message).seq))).toEqual(new Set([1]))
  })

  test('numbers run without a gap, whoever sends and whatever was refused', async () => {
    const { anna, ben } = talk
    await talk.send(anna)
    await talk.send(ben)
    await post({ ...talk.text(anna), content: 'plain' })
    await Promise.all(Array.from({ length: 10 }, (_, at) => talk.send(at % 2 === 0 ? anna : ben)))
    const list = await anna.call(messages.list, { params: { id: talk.connection.id }, query: {} })
    expect(list.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
  })

  test('has a receipt that is its own', async () => {
    const [one, other] = [await talk.send(talk.anna), await talk.send(talk.anna)]
    expect(one.receipt).not.toBe(other.receipt)
    const list = await talk.ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
    expect(list.map(({ receipt }) => receipt)).toEqual([one.receipt, other.receipt])
  })
})

describe('what is not sealed is refused', () => {
  const flipped = (content: string, at: number) => {
    const bytes = Buffer.from(content, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    return bytes.toString('base64url')
  }

  test('plaintext, and every damage to the form', async () => {
    const { content } = makeContent(makeEnvelope({ connectionId: '', from: '', to: '' }).id)
    const plain = 'Meet me at the station.'
    const refused = [
      plain,
      '',
      Buffer.from(plain).toString('base64url'),
      plain.repeat(100).slice(0, content.length),
      'A'.repeat(content.length),
      content.slice(0, -1),
      `${content}A`,
      `${content}==`,
      content.replace(/.$/, '='),
      content.replace(/.$/, ' '),
      content.replace(/.$/, '.'),
      `${content.slice(0, 200)}+${content.slice(201)}`,
      `${content.slice(0, 200)}/${content.slice(201)}`,
      `${content.slice(0, 200)}é${content.slice(201)}`,
      ...[0, 1, 15, 16, 17, 20].map((at) => flipped(content, at)),
      makeContent(makeEnvelope({ connectionId: '', from: '', to: '' }).id, {
        messageId: '00000000-0000-0000-0000-000000000000',
      }).content,
    ]
    for (const each of refused)
      await expectRefused({ ...talk.text(talk.anna), content: each }, 400, 'MESSAGE_NOT_SEALED')
    // NUL is refused before the content is examined.
    const withNul = `${content.slice(0, 200)}\0${content.slice(201)}`
    await expectRefused({ ...talk.text(talk.anna), content: withNul }, 400, 'INVALID_INPUT')
  })

  test('bits that base64url does not use must be zero: one message has one text', async () => {
    const body = talk.text(talk.anna)
    const { content } = makeContent(body.envelope?.id ?? '', { padded: 2304 })
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const other = content.slice(0, -1) + alphabet[alphabet.indexOf(content.at(-1) ?? '') + 1]
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(content, 'base64url'))
    await expectRefused({ ...body, content: other }, 400, 'MESSAGE_NOT_SEALED')
    expect((await post({ ...body, content })).status).toBe(201)
  })

  test('a letter that Node takes for another one is refused: one message has one text', async () => {
    const body = talk.text(talk.anna)
    const other = body.content.replaceAll('A', '\u0141')
    expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(body.content, 'base64url'))
    await expectRefused({ ...body, content: other }, 400, 'MESSAGE_NOT_SEALED')
  })

  test.each<[string, (body: SendBody) => unknown]>([
    ['no body', () => undefined],
    ['no object', () => '[]'],
    ['broken JSON', () => '{"connectionId":'],
    ['no connection', ({ connectionId: _left, ...body }) => body],
    ['no content', ({ content: _left, ...body }) => body],
    ['a number as content', (body) => ({ ...body, content: 7 })],
    ['content too long', (body) => ({ ...body, content: 'A'.repeat(10_000) })],
    ['another type', (body) => ({ ...body, messageType: 'video' })],
    ['a connection that is no id', (body) => ({ ...body, connectionId: "' or 1=1" })],
    ['an envelope without signature', (body) => ({ ...body, envelope: { ...body.envelope, signature: '' } })],
    [
      'file fields with a text',
      (body) => ({ ...body, ...fileFields(`/objects/${body.connectionId}`, 1), messageType: 'text' }),
    ],
    [
      'a file without its key',
      (body) => ({ ...body, ...fileFields(`/objects/${body.connectionId}`, 1), fileKey: undefined }),
    ],
    ['a file without its path', (body) => ({ ...body, messageType: 'file' })],
    ['a path elsewhere', (body) => ({ ...body, ...fileFields('/objects/../../etc/passwd', 1) })],
  ])('%s is invalid input', async (_name, change) => {
    await expectRefused(change(talk.text(talk.anna)), 400, 'INVALID_INPUT')
  })

  test('a body of 100 KB is too large', async () => {
    await expectRefused({ ...talk.text(talk.anna), more: 'x'.repeat(100_000) }, 413, 'BODY_TOO_LARGE')
  })
})

describe('whose it is', () => {
  test('a connection of others does not exist, nor one that never was', async () => {
    const other = await createTalk(server)
    const foreign = other.text(other.anna)
    await expectRefused(foreign, 404, 'CONNECTION_NOT_FOUND')
    await expectRefused(
      { ...foreign, connectionId: '01900000-0000-7000-8000-000000000000' },
      404,
      'CONNECTION_NOT_FOUND',
    )
  })

  test('an id that is taken by another message, sender or connection is refused', async () => {
    const { anna, ben, connection } = talk
    const body = talk.text(anna)
    const { id } = await anna.call(messages.send, { body })
    const { content } = makeContent(body.envelope?.id ?? '', { messageId: id })
    await expectRefused({ connectionId: connection.id, content }, 409, 'MESSAGE_ID_TAKEN')
    await expectRefused(body, 409, 'MESSAGE_ID_TAKEN', ben)
    const other = await createTalk(server)
    await expectRefused({ ...body, connectionId: other.connection.id }, 409, 'MESSAGE_ID_TAKEN', other.anna)
  })

  test('a stored message gets no receipt for another contact of its sender', async () => {
    const body = talk.text(talk.anna)
    await talk.anna.call(messages.send, { body })
    const { ben: other } = await createTalk(server)
    const { id: connectionId } = await server.connect(talk.anna, other)
    await expectRefused({ ...body, connectionId }, 409, 'MESSAGE_ID_TAKEN', talk.anna)
  })

  test.each(['suspended = 1', 'is_active = 0'])('nobody writes to someone with %s', async (change) => {
    await talk.send(talk.anna)
    await server.core.db.write((tx) => tx.run(`update users set ${change} where id = ?`, [talk.ben.user.id]))
    await expectRefused(talk.text(talk.anna), 403, 'PEER_UNAVAILABLE')
    // A suspension ends the member's sessions; a request that is already past the guard is refused here.
    await expectRefused(talk.text(talk.ben), 401, 'NOT_SIGNED_IN', talk.ben)
  })
})

describe('file messages', () => {
  test('name a file of the sender, registered, once, with its size', async () => {
    const { anna, ben } = talk
    const bytes = randomFile(300)
    const { filePath } = await registerFile(anna, bytes)
    const stranger = await createTalk(server)
    const wrong = { status: 404, code: 'FILE_NOT_FOUND' }
    await expectRefused(talk.text(ben, fileFields(filePath, 300)), wrong.status, wrong.code, ben)
    await expectRefused(
      stranger.text(stranger.anna, fileFields(filePath, 300)),
      wrong.status,
      wrong.code,
      stranger.anna,
    )
    const nowhere = '/objects/01900000-0000-7000-8000-000000000000'
    await expectRefused(talk.text(anna, fileFields(nowhere, 300)), wrong.status, wrong.code)
    const size = await expectRefused(talk.text(anna, fileFields(filePath, 299)), 400, 'INVALID_INPUT')
    expect(size.details).toMatchObject([{ path: 'fileSize' }])

    const fields = fileFields(filePath, 300)
    const sockets = [await anna.socket(), await ben.socket()]
    const body = talk.text(anna, fields)
    const { envelope } = body
    const sent = await anna.call(messages.send, { body })
    expect(sent).toMatchObject(fields)
    expect((await sockets[0]?.next('new_message'))?.message).toMatchObject(fields)
    const { fileKey, ...forBen } = { ...sent, content: body.content }
    expect((await sockets[1]?.next('new_message'))?.message).toEqual({ ...forBen, envelope })
    expect(fileKey).toBe(fields.fileKey)
    expect((await post(body)).status).toBe(200)
    await expectRefused(talk.text(anna, fields), 409, 'FILE_IN_USE')
    const [seen] = await ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
    expect(seen).toEqual({ ...forBen, envelope })
    const [own] = await anna.call(messages.list, { params: { id: talk.connection.id }, query: {} })
    expect(messageShape.parse(own).fileKey).toBe(fields.fileKey)
  })

  test('the same file in many messages at once goes into one', async () => {
    const { anna } = talk
    await talk.send(anna)
    const { filePath } = await registerFile(anna, randomFile(10))
    const answers = await Promise.all(Array.from({ length: 8 }, () => post(talk.text(anna, fileFields(filePath, 10)))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    for (const { status, body } of answers) if (status !== 201) expect(body).toMatchObject({ code: 'FILE_IN_USE' })
  })
})

test('more than 60 in 10 seconds are too many', async () => {
  const statuses: number[] = []
  const body = talk.text(talk.anna)
  for (let i = 0; i < 61; i++) statuses.push((await post(body)).status)
  expect(statuses.filter((status) => status === 200 || status === 201)).toHaveLength(60)
  expect(statuses.at(-1)).toBe(429)
  await server.advance(10_000)
  expect((await post(body)).status).toBe(200)
})
