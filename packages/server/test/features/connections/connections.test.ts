import { codeAlphabet } from '@privity/contract/connectionCode'
import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { countRows, createTalk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const byCode = (member: Member, connectionCode: string) =>
  member.refused(connections.create, { body: { connectionCode } })
const setUser = (member: Member, change: string) =>
  server.core.db.write((tx) => tx.run(`update users set ${change} where id = ?`, [member.user.id]))

function unusedCode(): string {
  const any = (from: string) => from[Math.floor(Math.random() * from.length)] ?? ''
  const some = (from: string) => any(from) + any(from) + any(from)
  return `${some(codeAlphabet.letters)}-${some(codeAlphabet.letters)}-${some(codeAlphabet.digits)}`
}

describe('connecting by code', () => {
  test('is at once for both, who hear of it live, and stays after a restart', async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    const typed = ` ${ben.user.connectionCode.toLowerCase().replaceAll('-', ' ')} `
    const made = await anna.call(connections.create, { body: { connectionCode: typed } })
    expect(made).toMatchObject({ status: 'active', connectedAt: server.clock.now(), lastSeq: 0 })
    expect([made.userId1, made.userId2].sort()).toEqual([anna.user.id, ben.user.id].sort())
    for (const user of [anna.user, ben.user]) {
      const party = made.user1.id === user.id ? made.user1 : made.user2
      const { id, username, firstName, lastName, email } = user
      expect(party).toEqual({ id, username, firstName, lastName, email, available: true, online: true })
    }
    expect((await ofAnna.next('connection_created')).connection).toEqual(made)
    expect((await ofBen.next('connection_created')).connection).toEqual(made)
    ofAnna.close()
    ofBen.close()
    await server.restart()
    expect((await ben.call(connections.list, {})).map(({ id }) => id)).toEqual([made.id])
  })

  test('refuses the own code, a code nobody has, and one already connected, changing nothing', async () => {
    const { anna, ben } = await createTalk(server)
    const before = await countRows(server)
    expect(await byCode(anna, anna.user.connectionCode)).toMatchObject({ status: 400, body: { code: 'CODE_OWN' } })
    expect(await byCode(anna, unusedCode())).toMatchObject({ status: 404, body: { code: 'CODE_UNKNOWN' } })
    expect(await byCode(anna, 'not a code')).toMatchObject({ status: 404, body: { code: 'CODE_UNKNOWN' } })
    for (const [one, other] of [[anna, ben] as const, [ben, anna] as const]) {
      const refusal = await byCode(one, other.user.connectionCode)
      expect(refusal).toMatchObject({ status: 409, body: { code: 'ALREADY_CONNECTED' } })
    }
    expect(await countRows(server)).toEqual(before)
  })

  test.each([undefined, {}, { connectionCode: '' }, { connectionCode: 7 }, { connectionCode: 'x'.repeat(65) }, '{'])(
    'refuses %j as input',
    async (body) => {
      const anna = await server.signUp()
      const answer = await anna.request('POST', '/api/connections', body)
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    },
  )

  test('an unused code still connects after ten years', async () => {
    await using own = await createTestServer()
    const anna = await own.signUp()
    await own.app.close()
    own.clock.advance(10 * 365 * 24 * 60 * 60_000)
    await own.start()
    // Long enough for every job to run: the slowest is daily.
    await own.advance(24 * 60 * 60_000)
    const { connectionCode } = anna.user
    const made = await (await own.signUp()).call(connections.create, { body: { connectionCode } })
    expect([made.user1.id, made.user2.id]).toContain(anna.user.id)
  })

  test('a replaced code does not work any more, and connections stay', async () => {
    const { anna, ben } = await createTalk(server)
    const cleo = await server.signUp()
    await anna.call(session.generateCode, {})
    expect((await byCode(cleo, anna.user.connectionCode)).body.code).toBe('CODE_UNKNOWN')
    expect(await ben.call(connections.list, {})).toHaveLength(1)
  })

  test.each(['suspended = 1', 'is_active = 0'])('refuses someone with %s', async (change) => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    await setUser(ben, change)
    const refusal = await byCode(anna, ben.user.connectionCode)
    expect(refusal).toMatchObject({ status: 403, body: { code: 'PEER_UNAVAILABLE' } })
    expect(await anna.call(connections.list, {})).toEqual([])
  })

  test('both entering the code of the other at once, again and again, makes one connection', async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const attempts = Array.from({ length: 12 }, (_, at) => {
      const [one, other] = at % 2 === 0 ? [anna, ben] : [ben, anna]
      return one.request('POST', '/api/connections', { connectionCode: other.user.connectionCode })
    })
    const statuses = (await Promise.all(attempts)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 201)).toHaveLength(1)
    expect(statuses.filter((status) => status === 409)).toHaveLength(11)
    expect(await anna.call(connections.list, {})).toEqual(await ben.call(connections.list, {}))
    expect(await anna.call(connections.list, {})).toHaveLength(1)
  })
})

describe('guessing codes', () => {
  const guessing = () =>
    server.core.db.read.all<{ user_id: string; address: string; severity: string }>(
      "select user_id, address, severity from security_events where event_type = 'code_guessing'",
    )

  test('is limited to 10 unknown codes an hour for an account, from all addresses and in parallel', async () => {
    const [anna, ben] = [await server.signUp(), await server.signUp()]
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, at) =>
        anna.request(
          'POST',
          '/api/connections',
          { connectionCode: unusedCode() },
          { 'x-forwarded-for': `10.9.9.${at}` },
        ),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(10)
    const limited = answers.find(({ status }) => status === 429)
    expect(limited?.body).toMatchObject({ code: 'RATE_LIMITED' })
    expect(limited?.headers.get('retry-after')).toBe('3600')
    // While the limit holds, a right guess is not revealed either.
    expect((await byCode(anna, ben.user.connectionCode)).status).toBe(429)
    expect(await guessing()).toContainEqual(expect.objectContaining({ user_id: anna.user.id, severity: 'medium' }))
    await server.advance(60 * 60 * 1000)
    expect((await byCode(anna, unusedCode())).status).toBe(404)
  })

  test('is limited for an address across accounts, and known codes do not count', { timeout: 30_000 }, async () => {
    const address = '10.77.0.1'
    const members = await Promise.all(Array.from({ length: 4 }, () => server.signUp(undefined, { address })))
    const [anna, ben, cleo, dan] = members as [Member, Member, Member, Member]
    await server.connect(anna, ben)
    for (let i = 0; i < 15; i++) await byCode(anna, ben.user.connectionCode)
    for (let i = 0; i < 5; i++) expect((await byCode(anna, unusedCode())).status).toBe(404)
    for (let i = 0; i < 5; i++) expect((await byCode(cleo, unusedCode())).status).toBe(404)
    expect((await byCode(dan, unusedCode())).status).toBe(429)
    const elsewhere = { 'x-forwarded-for': '10.77.0.2' }
    const answer = await dan.request('POST', '/api/connections', { connectionCode: ben.user.connectionCode }, elsewhere)
    expect(answer.status).toBe(201)
    expect(await guessing()).toContainEqual(expect.objectContaining({ user_id: cleo.user.id, address }))
  })
})

describe('the list', () => {
  test('has the newest first, and each participant as the other sees them', async () => {
    const [anna, ben, cleo] = [await server.signUp(), await server.signUp(), await server.signUp()]
    const first = await server.connect(anna, ben)
    server.clock.advance(1)
    const second = await server.connect(cleo, anna)
    await setUser(ben, 'suspended = 1')
    const list = await anna.call(connections.list, {})
    expect(list.map(({ id }) => id)).toEqual([second.id, first.id])
    const parties = list.flatMap(({ user1, user2 }) => [user1, user2])
    expect(parties.find(({ id }) => id === ben.user.id)).toMatchObject({ available: false, online: false })
    expect(parties.find(({ id }) => id === cleo.user.id)).toMatchObject({ available: true, online: false })
  })

  test('shows who is online; contacts hear of it live, others do not', async () => {
    const { anna, ben, connection } = await createTalk(server)
    const stranger = await server.signUp()
    const [ofAnna, ofStranger] = [await anna.socket(), await stranger.socket()]
    const ofBen = await ben.socket()
    const came = await ofAnna.next('party_changed')
    expect(came).toMatchObject({ connectionId: connection.id, party: { id: ben.user.id, online: true } })
    // Reloading the page sends no notice.
    ofBen.close()
    await ofBen.closed
    const again = await ben.socket()
    await server.advance(10_000)
    expect(ofAnna.frames).toEqual([])
    again.close()
    await again.closed
    // The server may process the close later than the browser.
    while (server.core.sockets.isOnline(ben.user.id)) await ofAnna.settled()
    await server.advance(3_000)
    const left = await ofAnna.next('party_changed')
    expect(left).toMatchObject({ connectionId: connection.id, party: { id: ben.user.id, online: false } })
    // With several processes, a leap of the clock makes browsers synchronize again, without naming anyone.
    expect(ofStranger.frames.filter(({ type }) => type !== 'resync')).toEqual([])
  })
})

describe('removing', () => {
  test('takes everything away for both, live, and they can connect again', async () => {
    const talk = await createTalk(server)
    const { anna, ben, connection } = talk
    await talk.send(anna)
    await talk.send(ben)
    const { filePath } = await talk.sendFile(anna)
    await ben.request('POST', '/api/file-authorizations/request', { filePath })
    const sockets = [await anna.socket(), await ben.socket()]
    await ben.call(connections.remove, { params: { id: connection.id } })
    for (const socket of sockets)
      expect(await socket.next('connection_removed')).toMatchObject({ connectionId: connection.id })
    for (const table of ['messages', 'envelopes', 'files', 'file_authorizations']) {
      const rows = await server.core.db.read.all(`select 1 from ${table} where connection_id = ?`, [connection.id])
      expect(rows, table).toEqual([])
    }
    expect(await server.core.storage.size(filePath.slice(-36))).toBeUndefined()
    for (const member of [anna, ben]) {
      expect(await member.call(connections.list, {})).toEqual([])
      const refusal = await member.refused(messages.list, { params: { id: connection.id }, query: {} })
      expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
    }
    const again = await server.connect(anna, ben)
    expect(again).toMatchObject({ lastSeq: 0 })
    expect(again.id).not.toBe(connection.id)
    await server.advance(15_000)
    expect(await server.core.db.read.all('select * from removed_connections')).toEqual([])
  })

  test('a second time, and by both at once, is refused once it is gone', async () => {
    const { anna, ben, connection } = await createTalk(server)
    const path = `/api/connections/${connection.id}`
    const answers = await Promise.all([anna.request('DELETE', path), ben.request('DELETE', path)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
    const refusal = await anna.refused(connections.remove, { params: { id: connection.id } })
    expect(refusal).toMatchObject({ status: 404, body: { code: 'CONNECTION_NOT_FOUND' } })
  })

  test('while the other sends: every message is refused or gone', async () => {
    const talk = await createTalk(server)
    await talk.send(talk.anna)
    const sends = Array.from({ length: 20 }, () => talk.anna.request('POST', '/api/messages', talk.text(talk.anna)))
    const removed = talk.ben.call(connections.remove, { params: { id: talk.connection.id } })
    const statuses = (await Promise.all(sends)).map(({ status }) => status)
    await removed
    expect(statuses.every((status) => status === 201 || status === 404)).toBe(true)
    const left = await server.core.db.read.all('select 1 from messages where connection_id = ?', [talk.connection.id])
    expect(left).toEqual([])
  })

  test('interrupted before its contents were destroyed, goes on at the next start', async () => {
    const talk = await createTalk(server)
    const { filePath } = await talk.sendFile(talk.anna)
    const { id } = talk.connection
    await server.core.db.write(async (tx) => {
      await tx.run('delete from connections where id = ?', [id])
      await tx.run('insert into removed_connections (id, removed_at) values (?, ?)', [id, server.clock.now()])
    })
    await server.restart()
    for (const table of ['messages', 'envelopes', 'files']) {
      expect(await server.core.db.read.all(`select 1 from ${table} where connection_id = ?`, [id]), table).toEqual([])
    }
    expect(await server.core.storage.size(filePath.slice(-36))).toBeUndefined()
  })
})

describe('the time of the newest message', () => {
  const timeFor = async (member: Member) => (await member.call(connections.list, {}))[0]?.lastMessageAt

  test('is in the list for both participants, and absent before the first', async () => {
    const { anna, ben, send } = await createTalk(server)
    expect(await timeFor(anna)).toBeUndefined()
    await send(anna)
    server.clock.advance(1_000)
    const { createdAt } = await send(ben)
    expect([await timeFor(anna), await timeFor(ben)]).toEqual([createdAt, createdAt])
  })

  test('is absent as soon as that message has expired', async () => {
    await using own = await createTestServer()
    const { anna, send } = await createTalk(own)
    await send(anna)
    own.clock.advance(limits.retention - 1)
    expect(await timeFor(anna)).toBeDefined()
    own.clock.advance(1)
    expect(await timeFor(anna)).toBeUndefined()
  })
})
