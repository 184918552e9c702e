import { moderation } from '@privity/contract/founder/moderation'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countFlagged, flagTimes } from '../../../../src/features/founder/moderation/flags.ts'
import { scanMessages } from '../../../../src/features/founder/moderation/scan.ts'
import { readSent } from '../../../../src/features/founder/moderation/scanPages.ts'
import type { TestServer } from '../../../support/server/testServer.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { makeContent, makeEnvelope, random } from '../../../support/server/memberKeys.ts'
import {
  connectMany,
  createFloodedServer,
  type Flood,
  floodOf,
  makeReport,
} from '../../../support/founder/moderation.ts'
import { createTalk, type Talk } from '../../../support/scenes/conversation.ts'
import { refuse } from '../../../support/database/schema.ts'
import { sqliteTest } from '../../../support/database/sqliteTest.ts'

const hour = 60 * 60 * 1000
let server: TestServer
let founder: Caller
let talk: Talk
beforeAll(async () => {
  server = await createFloodedServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.core.db.write(async (tx) => {
    for (const table of ['message_flags', 'messages']) await tx.run(`delete from ${table}`)
  })
  founder = await signInFounder(server)
  talk = await createTalk(server)
})

const scan = async () => (await founder.call(moderation.scan, {})).flaggedCount
const list = (query = {}) => founder.call(moderation.flagged, { query })
const stats = () => founder.call(moderation.stats, {})

const flood = (...how: Flood) => floodOf(server, talk, ...how)

describe('a scan', () => {
  test('finds nothing among ordinary messages', async () => {
    await flood(19)
    expect(await scan()).toBe(0)
    expect(await list()).toEqual([])
    expect(await stats()).toEqual({ totalFlagged: 0, rapidSending: 0, bulkMessaging: 0, repeatedContent: 0 })
  })

  test('flags the 20th message within 60 seconds, once, with who sent it and why', async () => {
    for (let i = 0; i < 25; i++) {
      if (i > 0) server.clock.advance(1000)
      await talk.send(talk.anna)
    }
    server.clock.advance(5 * 60_000)
    expect(await scan()).toBe(1)
    const { user } = talk.anna
    const [flag, ...more] = await list()
    expect(more).toEqual([])
    expect(flag).toEqual({
      id: expect.any(String),
      kind: 'automatic',
      content: 'encrypted',
      flagReason: 'Rapid sending: 20 messages within 60 seconds',
      flaggedAt: server.clock.now(),
      sender: { id: user.id, username: user.username, firstName: user.firstName, lastName: user.lastName },
      messageId: expect.any(String),
      sentAt: server.clock.now() - 5 * 60_000 - 5_000,
      expiresAt: server.clock.now() - 5 * 60_000 - 5_000 + limits.retention,
    })
    expect(await scan()).toBe(0)
    expect(await list()).toEqual([flag])
    expect(await stats()).toEqual({ totalFlagged: 1, rapidSending: 1, bulkMessaging: 0, repeatedContent: 0 })
  })

  test('flags the tenth recipient within 10 minutes', async () => {
    const { anna } = talk
    for (const { other, connection } of await connectMany(server, anna, 10)) {
      const ends = { connectionId: connection.id, from: anna.user.id, to: other.user.id }
      const envelope = makeEnvelope(ends, undefined, server.clock.now())
      const { content } = makeContent(envelope.id)
      await anna.call(messages.send, { body: { connectionId: connection.id, content, envelope } })
      server.clock.advance(55_000)
    }
    expect(await scan()).toBe(1)
    expect(await list()).toMatchObject([{ flagReason: 'Bulk messaging: 10 recipients within 10 minutes' }])
    expect(await stats()).toMatchObject({ totalFlagged: 1, bulkMessaging: 1 })
  })

  test('flags the fifth equal tag of one sender within 24 hours, and compares none between senders', async () => {
    const repetition = random(32)
    await flood(4, 10 * 60_000, repetition)
    await talk.send(talk.ben, { repetition })
    await talk.send(talk.anna, { repetition: random(32) })
    expect(await scan()).toBe(0)
    await talk.send(talk.anna, { repetition })
    expect(await scan()).toBe(1)
    expect(await list()).toMatchObject([{ flagReason: 'Repeated content: 5 equal texts within 24 hours' }])
    expect(await stats()).toMatchObject({ totalFlagged: 1, repeatedContent: 1 })
    await talk.send(talk.anna, { repetition })
    expect(await scan()).toBe(0)
  })

  test('goes on where the flood goes on, and never flags a message that was unflagged', async () => {
    await flood(25)
    expect(await scan()).toBe(1)
    const [flag] = await list()
    await founder.call(moderation.unflag, { params: { id: flag?.id as string } })
    expect(await list()).toEqual([])
    expect(await scan()).toBe(0)
    await flood(10)
    expect(await scan()).toBe(0)
    await flood(60)
    expect(await scan()).toBe(1)
    expect((await list())[0]?.messageId).not.toBe(flag?.messageId)
  })

  test('reads every message that has not expired once, however they lie in time', async () => {
    await flood(3, 0)
    await flood(4, 60 * 60_000)
    await flood(5, 1)
    // After the first three have expired.
    const now = server.clock.now() + limits.retention - 3 * 60 * 60_000
    const read: string[] = []
    for await (const rows of readSent(server.core.db.read, now))
      read.push(...rows.map(([expiresAt, sender, connection, at]) => [expiresAt, sender, connection, at].join()))
    const stored = await server.core.db.read.all<Record<string, string>>(
      'select expires_at, sender_id, connection_id, created_at from messages where expires_at > ? order by expires_at',
      [now],
    )
    expect(read).toEqual(stored.map((row) => Object.values(row).join()))
    expect(read.length).toBe(8)
  })

  test('flags one of several that came within the same millisecond', async () => {
    await flood(22, 0)
    expect(await scan()).toBe(1)
    expect(await list()).toHaveLength(1)
    expect(await scan()).toBe(0)
  })

  test('two at once flag once', async () => {
    await flood(20)
    const counts = await Promise.all([scan(), scan(), scan()])
    expect(counts.toSorted()).toEqual([0, 0, 1])
    expect(await list()).toHaveLength(1)
  })

  test('leaves an entry of how many, and of nobody', async () => {
    await flood(20)
    await scan()
    const [entry] = (await selectAudit(server.core.db.read)).slice(-1)
    expect(entry).toMatchObject({ action: 'messages_scanned', actor_id: 'founder', target_id: null })
    expect(JSON.parse(entry?.details as string)).toEqual({ flagged: 1 })
  })

  test('that fails says so, and the next one finds all', async () => {
    await flood(20)
    const allow = await refuse(server.core.db, 'message_flags')
    const answer = await founder.request('POST', '/api/founder/scan-messages')
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL' } })
    await allow()
    expect(await scan()).toBe(1)
  })

  test('tells the other parts of the server of each flag, and nothing of it to any browser', async () => {
    const told: unknown[] = []
    const stop = server.core.bus.subscribe('messageFlagged', (event) => told.push(event))
    const [anna, ben] = [await talk.anna.socket(), await talk.ben.socket()]
    await flood(20)
    for (const socket of [anna, ben]) {
      await socket.settled()
      socket.frames.length = 0
    }
    await scan()
    expect(told).toEqual([{ rule: 'rapid', senderId: talk.anna.user.id }])
    for (const socket of [anna, ben]) {
      await socket.settled()
      expect(socket.frames).toEqual([])
    }
    stop()
  })

  sqliteTest('plans')('reads who, when and the tag from the index of expiry, and no content', async () => {
    const plan = await server.core.db.read.all<{ detail: string }>(
      `explain query plan select expires_at, sender_id, connection_id, created_at, repetition
       from messages indexed by messages_by_expiry where expires_at > ? and expires_at <= ? order by expires_at`,
      [0, 1],
    )
    expect(plan.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('USING COVERING INDEX messages_by_expiry'),
    ])
  })

  test('of nothing at all, and in an interrupted process, is no harm', async () => {
    expect(await scanMessages(server.core, { address: '10.0.0.1' })).toBe(0)
    await flood(20)
    const scanning = scan().catch(() => undefined)
    await server.restart()
    await scanning
    founder = await signInFounder(server)
    await scan()
    expect(await list()).toHaveLength(1)
  })
})

describe('flags', () => {
  test('of a scan are gone with their message, and its bytes from the disk', async () => {
    await flood(20)
    await scan()
    const [flag] = await list()
    server.clock.advance((flag?.expiresAt as number) - server.clock.now() - 1)
    founder = await signInFounder(server)
    expect(await list()).toHaveLength(1)
    server.clock.advance(1)
    expect(await list()).toEqual([])
    expect(await stats()).toMatchObject({ totalFlagged: 0 })
    const refused = await founder.refused(moderation.unflag, { params: { id: flag?.id as string } })
    expect(refused).toMatchObject({ body: { code: 'FLAG_NOT_FOUND' } })
    await server.advance(30_000)
    expect(await server.core.db.read.all('select * from message_flags')).toEqual([])
  })

  test('are listed newest first, page by page', async () => {
    for (let i = 0; i < 3; i++) {
      await flood(20)
      await scan()
      server.clock.advance(10 * 60_000)
    }
    const all = await list()
    expect(all.map(({ flaggedAt }) => flaggedAt)).toEqual(
      all.map(({ flaggedAt }) => flaggedAt).toSorted((a, b) => b - a),
    )
    const first = await list({ limit: 2 })
    expect([...first, ...(await list({ limit: 2, before: first[1]?.id }))]).toEqual(all)
    expect(await list({ before: all[2]?.id })).toEqual([])
    for (const query of ['limit=0', 'limit=201', 'before=x'])
      expect((await founder.request('GET', `/api/founder/flagged-messages?${query}`)).status).toBe(400)
  })

  test('and counts that have not changed are answered with 304', async () => {
    for (const path of ['/api/founder/flagged-messages', '/api/founder/moderation-stats']) {
      const tag = (await founder.fetch(path)).headers.get('etag') as string
      expect((await founder.fetch(path, { headers: { 'if-none-match': tag } })).status).toBe(304)
    }
  })

  test('are counted for the rest of the console', async () => {
    await flood(20)
    await scan()
    const at = server.clock.now()
    const { read } = server.core.db
    expect(await countFlagged(read, at)).toBe(1)
    expect(await flagTimes(read, at - hour, at)).toEqual([at])
    expect(await flagTimes(read, at + 1, at)).toEqual([])
  })

  sqliteTest('plans')('are counted by their index alone', async () => {
    const at = server.clock.now()
    const { read } = server.core.db
    const plan = async (sql: string, params: number[]) =>
      (await read.all<{ detail: string }>(`explain query plan ${sql}`, params)).map(({ detail }) => detail).join()
    const open = 'from message_flags where unflagged_at is null and expires_at > ?'
    expect(await plan(`select rule, count(*) ${open} group by rule`, [at])).toContain(
      'USING COVERING INDEX message_flags_open',
    )
    expect(await plan(`select flagged_at ${open} and flagged_at >= ? order by flagged_at`, [at, at])).toMatch(
      /SEARCH message_flags USING INDEX message_flags_by_time/,
    )
  })

  test('go with the account of the sender', async () => {
    await flood(20)
    await scan()
    await makeReport(server, talk)
    expect(await list()).toHaveLength(2)
    await server.core.db.write((tx) => tx.run('delete from users where id = ?', [talk.anna.user.id]))
    expect(await list()).toEqual([])
    expect(await server.core.db.read.all('select * from message_flags')).toEqual([])
  })

  test('twice unflagged is refused the second time', async () => {
    await flood(20)
    await scan()
    const [flag] = await list()
    const params = { id: flag?.id as string }
    const answers = await Promise.all(
      [1, 2].map(() => founder.request('DELETE', `/api/founder/flag-message/${params.id}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404])
    expect(await founder.refused(moderation.report, { params, query: {} })).toMatchObject({
      body: { code: 'FLAG_NOT_FOUND' },
    })
  })
})
