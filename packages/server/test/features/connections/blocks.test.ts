import { connections } from '@privity/contract/connections'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { countRows, createTalk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const connectTo = (one: Member, other: Member) =>
  one.request('POST', '/api/connections', { connectionCode: other.user.connectionCode })
const block = (member: Member, connectionId: string) => member.call(connections.block, { params: { id: connectionId } })
const unblock = (member: Member, person: Member) => member.call(connections.unblock, { params: { id: person.user.id } })
const blocked = (member: Member) => member.call(connections.listBlocked, {})
const list = (member: Member) => member.call(connections.list, {})
const unknown = 'ABC-DEF-239'

describe('blocking', () => {
  test('removes the connection with its content for both, and lists the block for the blocker only', async () => {
    const talk = await createTalk(server)
    const { anna, ben, connection } = talk
    await talk.send(anna)
    const { filePath } = await talk.sendFile(ben)
    const person = await block(anna, connection.id)
    const { firstName, lastName } = ben.user
    expect(person).toEqual({ id: ben.user.id, firstName, lastName, blockedAt: server.clock.now() })
    expect(await blocked(anna)).toEqual([person])
    expect(await blocked(ben)).toEqual([])
    expect([await list(anna), await list(ben)]).toEqual([[], []])
    for (const table of ['messages', 'envelopes', 'files']) {
      const rows = await server.core.db.read.all(`select 1 from ${table} where connection_id = ?`, [connection.id])
      expect(rows, table).toEqual([])
    }
    expect(await server.core.storage.size(filePath.slice(-36))).toBeUndefined()
    await server.restart()
    expect(await blocked(anna)).toEqual([person])
  })

  test('keeps the name of that time: a block is no window on the account', async () => {
    const { anna, ben, connection } = await createTalk(server)
    const before = await block(anna, connection.id)
    await server.core.db.write((tx) =>
      tx.run("update users set first_name = 'Other', last_name = 'Name' where id = ?", [ben.user.id]),
    )
    expect(await blocked(anna)).toEqual([before])
  })

  test('a second time, or of no connection of one’s own, is refused and changes nothing', async () => {
    const { anna, connection } = await createTalk(server)
    await block(anna, connection.id)
    const before = await countRows(server)
    for (const id of [connection.id, anna.user.id]) {
      const refusal = await anna.refused(connections.block, { params: { id } })
      expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
    }
    expect(await countRows(server)).toEqual(before)
  })

  test('ends with the account of either', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await block(anna, connection.id)
    await server.core.db.write((tx) => tx.run('delete from users where id = ?', [ben.user.id]))
    expect(await blocked(anna)).toEqual([])
  })

  test.each(['x', '%00', "' or 1=1 --"])('refuses %j as an id', async (id) => {
    const anna = await server.signUp()
    for (const [method, path] of [
      ['POST', `/api/connections/${encodeURIComponent(id)}/block`],
      ['DELETE', `/api/blocks/${encodeURIComponent(id)}`],
    ] as const) {
      expect((await anna.request(method, path)).status, path).toBe(400)
    }
  })
})

describe('whoever is blocked', () => {
  test('is answered as with a code that nobody has, to the byte, and it counts as one', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await block(anna, connection.id)
    const wrong = await ben.request('POST', '/api/connections', { connectionCode: unknown })
    const refused = await connectTo(ben, anna)
    expect(wrong.status).toBe(404)
    expect([refused.status, refused.body]).toEqual([wrong.status, wrong.body])
    const names = (headers: Headers) => [...headers.keys()].sort()
    expect(names(refused.headers)).toEqual(names(wrong.headers))
    for (let i = 2; i < 10; i++) expect((await connectTo(ben, anna)).status).toBe(404)
    expect((await connectTo(ben, anna)).status).toBe(429)
    expect(await list(ben)).toEqual([])
  })

  test('hears of a removal like any other, and nothing more', async () => {
    const frames = async (end: (anna: Member, id: string) => Promise<unknown>) => {
      const { anna, ben, connection } = await createTalk(server)
      const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
      await ofAnna.next('party_changed')
      await end(anna, connection.id)
      await ofBen.settled()
      await ofAnna.settled()
      const types = ofAnna.frames.map(({ type }) => type)
      return { own: types, other: JSON.stringify(ofBen.frames).replaceAll(connection.id, 'ID') }
    }
    const removed = await frames((anna, id) => anna.call(connections.remove, { params: { id } }))
    const ended = await frames(block)
    expect(ended.other).toContain('connection_removed')
    expect(ended.other).toBe(removed.other)
    expect(ended.own).toEqual([...removed.own, 'blocks_changed'])
  })

  test('is named as blocked in no entry of the log: a block is written down like a removal', async () => {
    const entriesOf = (id: string) =>
      server.core.db.read.all<Record<string, unknown>>(
        'select action, actor_id, target_id, details from audit_log where details like ? order by seq desc limit 1',
        [`%${id}%`],
      )
    const one = await createTalk(server)
    await one.anna.call(connections.remove, { params: { id: one.connection.id } })
    const other = await createTalk(server)
    await block(other.anna, other.connection.id)
    for (const { anna, ben, connection } of [one, other]) {
      const details = JSON.stringify({ connectionId: connection.id })
      const entry = { action: 'connection_removed', actor_id: anna.user.id, target_id: ben.user.id, details }
      expect(await entriesOf(connection.id)).toEqual([entry])
    }
    await unblock(other.anna, other.ben)
    const lifted = await server.core.db.read.get('select * from audit_log order by seq desc limit 1')
    expect(lifted).toMatchObject({
      action: 'block_lifted',
      actor_id: other.anna.user.id,
      target_id: null,
      details: '{}',
    })
  })

  test('can be told from an inactive account by nobody: the block is looked at first', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await block(anna, connection.id)
    await server.core.db.write((tx) => tx.run('update users set suspended = 1 where id = ?', [anna.user.id]))
    expect((await connectTo(ben, anna)).body).toMatchObject({ code: 'CODE_UNKNOWN' })
  })
})

describe('unblocking', () => {
  test('allows a new connection, in both directions, which a block of one’s own did not', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await block(anna, connection.id)
    expect(await connectTo(anna, ben)).toMatchObject({ status: 409, body: { code: 'PERSON_BLOCKED' } })
    const socket = await anna.socket()
    await unblock(anna, ben)
    expect(await socket.next('blocks_changed')).toEqual({ type: 'blocks_changed' })
    expect(await blocked(anna)).toEqual([])
    expect((await connectTo(ben, anna)).status).toBe(201)
  })

  test('is one’s own: whoever is blocked, or has blocked nobody, is refused', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await block(anna, connection.id)
    for (const [member, person] of [[ben, anna] as const, [ben, ben] as const, [anna, anna] as const]) {
      const refusal = await member.refused(connections.unblock, { params: { id: person.user.id } })
      expect(refusal).toMatchObject({ status: 404, body: { code: 'BLOCK_NOT_FOUND' } })
    }
    expect(await blocked(anna)).toHaveLength(1)
    await unblock(anna, ben)
    expect((await anna.refused(connections.unblock, { params: { id: ben.user.id } })).status).toBe(404)
  })
})

describe('at the same moment', () => {
  test('blocking while the blocked person connects again and again leaves no connection', async () => {
    for (let round = 0; round < 8; round++) {
      const { anna, ben, connection } = await createTalk(server)
      // A separate address for each call, because a refused code counts as a guess.
      const again = (at: number) =>
        ben.request(
          'POST',
          '/api/connections',
          { connectionCode: anna.user.connectionCode },
          { 'x-forwarded-for': `10.60.${round}.${at}` },
        )
      const blockNow = () => anna.request('POST', `/api/connections/${connection.id}/block`)
      const calls = [0, 1, 2].map((at) => (at === round % 3 ? blockNow() : again(at)))
      const statuses = (await Promise.all(calls)).map(({ status }) => status)
      expect(statuses[round % 3]).toBe(201)
      for (const [at, status] of statuses.entries()) if (at !== round % 3) expect([404, 409]).toContain(status)
      expect([await list(anna), await list(ben)]).toEqual([[], []])
    }
  })

  test('both blocking each other: one does, the other finds the connection gone, and no code works', async () => {
    const { anna, ben, connection } = await createTalk(server)
    const path = `/api/connections/${connection.id}/block`
    const answers = await Promise.all([anna.request('POST', path), ben.request('POST', path)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404])
    const blocks = [...(await blocked(anna)), ...(await blocked(ben))]
    expect(blocks).toHaveLength(1)
    for (const [one, other] of [[anna, ben] as const, [ben, anna] as const])
      expect([404, 409]).toContain((await connectTo(one, other)).status)
  })

  test('blocks by both hold until both are lifted, and neither shows in the other’s responses', async () => {
    const { anna, ben } = await createTalk(server)
    // Insert both rows directly.
    for (const [one, other] of [[anna, ben] as const, [ben, anna] as const])
      await server.core.db.write((tx) =>
        tx.run("insert into blocks values (?, ?, 'A', 'B', 1)", [one.user.id, other.user.id]),
      )
    await anna.request('DELETE', `/api/connections/${(await list(anna))[0]?.id}`)
    expect((await connectTo(anna, ben)).body).toMatchObject({ code: 'PERSON_BLOCKED' })
    await unblock(anna, ben)
    expect((await connectTo(anna, ben)).body).toMatchObject({ code: 'CODE_UNKNOWN' })
    await unblock(ben, anna)
    expect((await connectTo(anna, ben)).status).toBe(201)
  })
})

describe('statistics', () => {
  const statistics = (member: Member) => member.call(connections.statistics, {})
  const period = 24 * 60 * 60 * 1000

  test('count what one has sent and received and is not deleted yet, and nothing of others', async () => {
    const talk = await createTalk(server)
    const { anna, ben } = talk
    expect(await statistics(anna)).toEqual({ sent: 0, received: 0, period })
    await talk.send(anna)
    await talk.send(anna)
    server.clock.advance(1000)
    await talk.sendFile(ben)
    const stranger = await createTalk(server)
    await stranger.send(stranger.anna)
    expect(await statistics(anna)).toEqual({ sent: 2, received: 1, period })
    expect(await statistics(ben)).toEqual({ sent: 1, received: 2, period })
    server.clock.advance(period - 1000)
    expect(await statistics(await server.signUp())).toEqual({ sent: 0, received: 0, period })
    const answer = await anna.request('GET', '/api/connections/statistics')
    // The session is 24 hours old and is still in use: only the two oldest messages have expired.
    expect(answer.body).toEqual({ sent: 0, received: 1, period })
  })
})
