import { moderation } from '@privity/contract/founder/moderation'
import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messageReports } from '@privity/contract/messageReports'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { selectAudit } from '../../support/scenes/auditEntries.ts'
import { signInFounder } from '../../support/founder/founder.ts'
import { random } from '../../support/server/memberKeys.ts'
import { makeReport, makeReportKey, reportBy } from '../../support/founder/moderation.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'
import { countRows, createTalk, type Talk } from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.core.db.write(async (tx) => {
    await tx.run('delete from message_flags')
    await tx.run('delete from founder_report_keys')
  })
  talk = await createTalk(server)
})

const reportOf = (message: { id: string }, keyId: string, by = talk.ben) => reportBy(by, message, keyId)
const post = (body: unknown, from = talk.ben) => from.request('POST', '/api/message-reports', body)

async function expectRefused(body: unknown, status: number, code: string, from = talk.ben) {
  const before = await countRows(server)
  expect(await post(body, from)).toMatchObject({ status, body: { code } })
  expect(await countRows(server)).toEqual(before)
}

describe('the key for reports', () => {
  test('is absent until the founder has one, and then the newest', async () => {
    expect(await talk.ben.call(messageReports.key, {})).toEqual({})
    await makeReportKey(server)
    server.clock.advance(1)
    const id = await makeReportKey(server)
    const { key } = await talk.ben.call(messageReports.key, {})
    expect(key).toEqual({ id, publicKey: expect.stringMatching(/^[\w-]+$/) })
  })
})

describe('a report', () => {
  test('is kept as it was sealed, and shown to the founder with whom it is about', async () => {
    const { anna, ben } = talk
    const { message, sealed, keyId } = await makeReport(server, talk)
    const founder = await signInFounder(server)
    const [flag] = await founder.call(moderation.flagged, { query: {} })
    const nameOf = ({ user }: typeof anna) => ({
      id: user.id,
      username: user.username,
      firstName: user.firstName,
      lastName: user.lastName,
    })
    expect(flag).toEqual({
      id: expect.any(String),
      kind: 'report',
      content: 'encrypted',
      flagReason: 'Reported by its recipient',
      flaggedAt: server.clock.now(),
      sender: nameOf(anna),
      reporter: nameOf(ben),
      messageId: message.id,
      sentAt: message.createdAt,
      expiresAt: server.clock.now() + limits.reportsKept,
    })
    expect(await founder.call(moderation.report, { params: { id: flag?.id as string }, query: {} })).toEqual({
      keyId,
      sealed,
      messageId: message.id,
      senderId: anna.user.id,
      reporterId: ben.user.id,
      sentAt: message.createdAt,
      identityKey: anna.keys?.identityKey,
    })
  })

  test('leaves an entry that names neither the sender nor the message', async () => {
    const { message } = await makeReport(server, talk)
    const [entry] = (await selectAudit(server.core.db.read)).slice(-1)
    expect(entry).toMatchObject({ action: 'message_reported', actor_id: talk.ben.user.id })
    for (const secret of [message.id, talk.anna.user.id, talk.anna.user.username, talk.connection.id])
      expect(JSON.stringify(entry)).not.toContain(secret)
  })

  test('is told to nobody', async () => {
    const sockets = [await talk.anna.socket(), await talk.ben.socket()]
    const keyId = await makeReportKey(server)
    const message = await talk.send(talk.anna)
    for (const socket of sockets) {
      await socket.settled()
      socket.frames.length = 0
    }
    await talk.ben.call(messageReports.create, { body: reportOf(message, keyId) })
    for (const socket of sockets) {
      await socket.settled()
      expect(socket.frames).toEqual([])
    }
  })

  test('stays for 30 days, longer than its message, and then is gone', async () => {
    await makeReport(server, talk)
    server.clock.advance(limits.reportsKept - 1)
    const count = async () => (await signInFounder(server)).call(moderation.stats, {})
    expect(await count()).toMatchObject({ totalFlagged: 1, rapidSending: 0 })
    server.clock.advance(1)
    expect(await count()).toMatchObject({ totalFlagged: 0 })
    await server.advance(30_000)
    expect(await server.core.db.read.all('select id from message_flags')).toEqual([])
  })

  test('leaves an entry when the founder fetches it: of the list once a session, in full each time', async () => {
    await makeReport(server, talk)
    const founder = await signInFounder(server)
    const [flag] = await founder.call(moderation.flagged, { query: {} })
    const params = { id: flag?.id as string }
    const opened = async () =>
      (await selectAudit(server.core.db.read))
        .filter(({ action, target_id }) => action === 'report_opened' && target_id === params.id)
        .map(({ actor_id, details }) => [actor_id, JSON.parse(details)])
    for (let polls = 0; polls < 3; polls++) await founder.call(moderation.report, { params, query: {} })
    await founder.call(moderation.flagged, { query: {} })
    const listed = ['founder', { view: 'list' }]
    expect(await opened()).toEqual([listed])
    const full = { params, query: { view: 'full' } } as const
    await founder.call(moderation.report, full)
    await founder.call(moderation.report, full)
    await founder.call(moderation.report, { params, query: {} })
    const whole = ['founder', { view: 'full' }]
    expect(await opened()).toEqual([listed, whole, whole])
    await (await signInFounder(server)).call(moderation.report, { params, query: {} })
    expect(await opened()).toEqual([listed, whole, whole, listed])
    await talk.anna.refused(moderation.report, { params, query: {} })
    await founder.refused(moderation.report, { params: { id: talk.anna.user.id }, query: {} })
    expect(await opened()).toHaveLength(4)
  })

  test('that is unflagged is erased at once, and the message cannot be reported again', async () => {
    const { message, keyId } = await makeReport(server, talk)
    const founder = await signInFounder(server)
    const [flag] = await founder.call(moderation.flagged, { query: {} })
    const params = { id: flag?.id as string }
    const stored = await server.core.db.read.get<{ sealed_report: string }>('select sealed_report from message_flags')
    const onDisk = async () =>
      (await storedBytes(server.dataDir)).includes(stored?.sealed_report.slice(1_000, 1_100) ?? '')
    await server.advance(20_000)
    expect(await onDisk()).toBe(true)
    await founder.call(moderation.unflag, { params })
    await server.advance(20_000)
    expect(await onDisk()).toBe(false)
    expect(await server.core.db.read.all('select sealed_report, expires_at from message_flags')).toEqual([
      { sealed_report: null, expires_at: message.expiresAt },
    ])
    expect(await founder.refused(moderation.report, { params, query: {} })).toMatchObject({
      body: { code: 'FLAG_NOT_FOUND' },
    })
    await expectRefused(reportOf(message, keyId), 409, 'ALREADY_REPORTED')
  })
})

describe('refused, and nothing kept, is a report', () => {
  test('before the founder has a key, or under one that is not the newest', async () => {
    const message = await talk.send(talk.anna)
    await expectRefused(reportOf(message, talk.anna.user.id), 409, 'REPORTING_NOT_SET_UP')
    const old = await makeReportKey(server)
    server.clock.advance(1)
    await makeReportKey(server)
    await expectRefused(reportOf(message, old), 409, 'REPORT_KEY_CHANGED')
  })

  test('of one’s own message, of other people’s, and of none', async () => {
    const keyId = await makeReportKey(server)
    const message = await talk.send(talk.anna)
    await expectRefused(reportOf(message, keyId, talk.anna), 404, 'MESSAGE_NOT_FOUND', talk.anna)
    const stranger = await server.signUp()
    await expectRefused(reportOf(message, keyId, stranger), 404, 'MESSAGE_NOT_FOUND', stranger)
    await expectRefused(reportOf({ id: talk.anna.user.id }, keyId), 404, 'MESSAGE_NOT_FOUND')
  })

  test('of a message that has expired, or whose connection is gone', async () => {
    const keyId = await makeReportKey(server)
    const first = await talk.send(talk.anna)
    const second = await talk.send(talk.anna)
    const expire = 'update messages set expires_at = ? where id = ?'
    await server.core.db.write((tx) => tx.run(expire, [server.clock.now(), first.id]))
    await expectRefused(reportOf(first, keyId), 404, 'MESSAGE_NOT_FOUND')
    await talk.anna.call(connections.remove, { params: { id: talk.connection.id } })
    await expectRefused(reportOf(second, keyId), 404, 'MESSAGE_NOT_FOUND')
  })

  test('a second time, also at the same moment', async () => {
    const keyId = await makeReportKey(server)
    const message = await talk.send(talk.anna)
    const answers = await Promise.all([1, 2, 3].map(() => post(reportOf(message, keyId))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    await expectRefused(reportOf(message, keyId), 409, 'ALREADY_REPORTED')
  })

  test('from a session without the identity key, which uses up no report', async () => {
    const keyId = await makeReportKey(server)
    const message = await talk.send(talk.anna)
    const other = await talk.send(talk.anna)
    const good = reportOf(message, keyId)
    const { signature } = reportOf(other, keyId)
    const foreign = reportBy({ ...talk.anna, keys: talk.ben.keys }, message, keyId)
    for (const forged of [{ sealed: random(6256) }, { signature }, { signature: foreign.signature }, { signature: 5 }])
      await expectRefused({ ...good, ...forged }, 400, 'INVALID_INPUT')
    expect((await post(good)).status).toBe(201)
  })

  test('of any other form', async () => {
    const keyId = await makeReportKey(server)
    const { id } = await talk.send(talk.anna)
    const good = reportOf({ id }, keyId)
    for (const sealed of [
      '',
      'plain words',
      random(6255),
      random(6257),
      `${random(6256).slice(0, -1)}_`,
      null,
      5,
      ['x'],
    ])
      await expectRefused({ ...good, sealed }, 400, 'INVALID_INPUT')
    for (const messageId of ['', 'x', id.toUpperCase(), null, 5, {}])
      await expectRefused({ ...good, messageId }, 400, 'INVALID_INPUT')
    for (const keyOf of ['', 'x', null]) await expectRefused({ ...good, keyId: keyOf }, 400, 'INVALID_INPUT')
    await expectRefused({ ...good, sealed: 'A'.repeat(70_000) }, 413, 'BODY_TOO_LARGE')
    expect((await post(good)).status).toBe(201)
  })

  test('beyond 20 in an hour; what was refused does not count', async () => {
    const keyId = await makeReportKey(server)
    const sent = []
    for (let i = 0; i < 21; i++) sent.push(await talk.send(talk.anna))
    const [first, ...others] = sent
    for (let i = 0; i < 25; i++) {
      expect((await post(reportOf({ id: talk.ben.user.id }, keyId))).status).toBe(404)
    }
    for (const message of others) expect((await post(reportOf(message, keyId))).status).toBe(201)
    await expectRefused(reportOf(first as never, keyId), 429, 'RATE_LIMITED')
    server.clock.advance(60 * 60_000)
    expect((await post(reportOf(first as never, keyId))).status).toBe(201)
  })
})
