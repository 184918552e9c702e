import { files } from '@privity/contract/files'
import { limits } from '@privity/contract/limits'
import { messageReports } from '@privity/contract/messageReports'
import { messages } from '@privity/contract/messages'
import { notifications } from '@privity/contract/notifications'
import { readSealedMessage } from '@privity/contract/sealedMessage'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { random } from '../../support/server/memberKeys.ts'
import { makeReport, reportBy, reportKeyOf } from '../../support/founder/moderation.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'
import { connectSocket } from '../../support/server/testSocket.ts'
import { countRows, createTalk, deletionOf, download, type Talk } from '../../support/scenes/conversation.ts'
import { idIn, objects } from '../../support/scenes/uploads.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  talk = await createTalk(server)
})

const list = (member: Member) => member.call(messages.list, { params: { id: talk.connection.id }, query: {} })
const remove = (by: Member, message: Parameters<typeof deletionOf>[1]) =>
  by.call(messages.delete, deletionOf(by, message))
/** Sessions end after as long without a call. */
async function passLifetime() {
  server.clock.advance(limits.retention / 2)
  await Promise.all([list(talk.anna), list(talk.ben)])
  server.clock.advance(limits.retention / 2)
}

const formOf = (content: string) => readSealedMessage(new Uint8Array(Buffer.from(content, 'base64url')))

async function expectRefused(by: Member, { params, body }: ReturnType<typeof deletionOf>, status = 404) {
  const entries = async () => (await countRows(server))['audit_log']
  const before = await entries()
  const code = status === 404 ? 'MESSAGE_NOT_FOUND' : 'INVALID_INPUT'
  const answer = await by.request('POST', `/api/messages/${params.id}/delete`, body)
  expect(answer).toMatchObject({ status, body: { code } })
  expect(await entries()).toBe(before)
  expect((await list(talk.anna)).every(({ deletion }) => deletion === undefined)).toBe(true)
}

describe('a deleted message', () => {
  test('is listed to both sides with the signature of its deletion', async () => {
    const message = await talk.send(talk.anna)
    const deletion = deletionOf(talk.anna, message)
    await talk.anna.call(messages.delete, deletion)
    for (const member of [talk.anna, talk.ben])
      expect(await list(member)).toMatchObject([
        { id: message.id, seq: message.seq, deletion: deletion.body.deletion, expiresAt: message.expiresAt },
      ])
  })

  test('keeps nothing of its content but its ids and its signature', async () => {
    const message = await talk.send(talk.anna, {}, 2304)
    const { content } = await remove(talk.anna, message)
    const before = formOf(message.content)
    expect(formOf(content)).toEqual({
      messageId: message.id,
      envelopeId: before?.envelopeId,
      commitment: new Uint8Array(32),
      ciphertext: new Uint8Array(1040),
      signature: before?.signature,
    })
  })

  test('leaves no ciphertext in the files of the database', async () => {
    const { content, ...message } = await talk.send(talk.anna)
    const piece = content.slice(300, 400)
    expect((await storedBytes(server.dataDir)).includes(piece)).toBe(true)
    await remove(talk.anna, { ...message, content })
    await server.advance(15_000)
    expect((await storedBytes(server.dataDir)).includes(piece)).toBe(false)
  })

  test('is notified to both sides', async () => {
    const sockets = await Promise.all(
      [talk.anna, talk.ben].map((each) => connectSocket(server.url, each, each.user.id)),
    )
    const message = await remove(talk.anna, await talk.send(talk.anna))
    for (const socket of sockets) {
      expect(await socket.next('message_deleted')).toEqual({ type: 'message_deleted', message })
      socket.close()
    }
  })

  test('is not unread', async () => {
    const message = await talk.send(talk.anna)
    await talk.send(talk.anna)
    await remove(talk.anna, message)
    const connectionId = talk.connection.id
    expect(await talk.ben.call(messages.unreadCounts, {})).toEqual([{ connectionId, count: 1 }])
  })

  test('expires when the message would have', async () => {
    await remove(talk.anna, await talk.send(talk.anna))
    await passLifetime()
    await server.advance(15_000)
    expect(await list(talk.ben)).toEqual([])
    const rows = 'select 1 from messages where connection_id = ?'
    expect(await server.core.db.read.all(rows, [talk.connection.id])).toEqual([])
  })

  test('is not stored again by a repeated send', async () => {
    const body = talk.text(talk.anna)
    const sent = await talk.anna.call(messages.send, { body })
    await remove(talk.anna, { ...sent, content: body.content })
    expect(await talk.anna.refused(messages.send, { body })).toMatchObject({ body: { code: 'MESSAGE_ID_TAKEN' } })
    expect(await list(talk.ben)).toMatchObject([{ id: sent.id, deletion: expect.any(String) }])
  })

  test('that is deleted again stays as it is, and is audited once', async () => {
    const message = await talk.send(talk.anna)
    const deleted = await remove(talk.anna, message)
    const again = { params: { id: message.id }, body: { deletion: random(68) } }
    expect(await talk.anna.call(messages.delete, again)).toEqual(deleted)
    expect(await selectAudit(server.core.db.read, 'actor_id = ?', [talk.anna.user.id])).toHaveLength(
      (await selectAudit(server.core.db.read, "actor_id = ? and action <> 'message_deleted'", [talk.anna.user.id]))
        .length + 1,
    )
  })

  test('is audited without an id of it, of the connection or of the contact', async () => {
    await remove(talk.anna, await talk.send(talk.anna))
    const entries = await selectAudit(server.core.db.read, "action = 'message_deleted' and actor_id = ?", [
      talk.anna.user.id,
    ])
    expect(entries).toMatchObject([{ target_id: null, details: '{}' }])
  })
})

describe('a message is not deleted', () => {
  test('by its recipient', async () => {
    await expectRefused(talk.ben, deletionOf(talk.ben, await talk.send(talk.anna)))
  })

  test('by somebody else', async () => {
    await expectRefused(await server.signUp(), deletionOf(talk.anna, await talk.send(talk.anna)))
  })

  test('that does not exist', async () => {
    const { body } = deletionOf(talk.anna, await talk.send(talk.anna))
    await expectRefused(talk.anna, { params: { id: talk.connection.id }, body })
  })

  test('that has expired', async () => {
    const message = await talk.send(talk.anna)
    await passLifetime()
    await expectRefused(talk.anna, deletionOf(talk.anna, message))
  })

  test('by a session without the identity key', async () => {
    const { params } = deletionOf(talk.anna, await talk.send(talk.anna))
    await expectRefused(talk.anna, { params, body: { deletion: random(68) } }, 400)
  })

  test('by the signature of another deletion', async () => {
    const [message, other] = [await talk.send(talk.anna), await talk.send(talk.anna)]
    const { body } = deletionOf(talk.anna, other)
    await expectRefused(talk.anna, { params: { id: message.id }, body }, 400)
  })
})

describe('a deleted file message', () => {
  test('takes its object and its rows with it before the response', async () => {
    const { filePath, ...message } = await talk.sendFile(talk.anna)
    const id = idIn(filePath)
    expect(await objects(server)).toContain(id)
    const deleted = await remove(talk.anna, message)
    expect(deleted).not.toHaveProperty('filePath')
    expect(await objects(server)).not.toContain(id)
    expect(await server.core.db.read.all('select 1 from files where id = ?', [id])).toEqual([])
    expect((await download(talk.anna, filePath)).status).toBe(404)
  })

  test('leaves neither requests nor notifications', async () => {
    const { filePath, ...message } = await talk.sendFile(talk.anna)
    await talk.ben.call(files.request, { body: { filePath } })
    const kinds = async () =>
      (await talk.anna.call(notifications.list, { query: {} })).notifications.map(({ kind }) => kind)
    expect(await kinds()).toContain('file_requested')
    await remove(talk.anna, message)
    expect(await kinds()).not.toContain('file_requested')
    expect(await talk.anna.call(files.listPending, {})).toEqual([])
  })

  test('is deleted although the store is away, and its object once it is back', async () => {
    const { filePath, ...message } = await talk.sendFile(talk.anna)
    const { storage } = server.core
    const { remove: removeObject } = storage
    storage.remove = () => Promise.reject(new Error('away'))
    await remove(talk.anna, message)
    expect((await download(talk.anna, filePath)).status).toBe(404)
    storage.remove = removeObject
    await server.advance(15_000)
    expect(await objects(server)).not.toContain(idIn(filePath))
  })
})

describe('reports', () => {
  test('of a message that was deleted since stay', async () => {
    const { message } = await makeReport(server, talk)
    await remove(talk.anna, message)
    const flags = 'select 1 from message_flags where message_id = ?'
    expect(await server.core.db.read.all(flags, [message.id])).toHaveLength(1)
  })

  test('of a deleted message are refused', async () => {
    const message = await talk.send(talk.anna)
    const body = reportBy(talk.ben, message, await reportKeyOf(server, talk.ben))
    await remove(talk.anna, message)
    expect(await talk.ben.refused(messageReports.create, { body })).toMatchObject({
      body: { code: 'MESSAGE_NOT_FOUND' },
    })
  })
})
