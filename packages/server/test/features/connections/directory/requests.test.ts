import { connections } from '@privity/contract/connections'
import { directory } from '@privity/contract/directory'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { prefer } from '../../../support/scenes/preferences.ts'
import {
  answer,
  ask,
  receivedBy,
  refusedToAsk,
  requestNoticesOf,
  requestsOf,
  switchDirectoryOn,
  whoOf,
} from '../../../support/scenes/directory.ts'

let server: TestServer
let anna: Member
let ben: Member
beforeAll(async () => {
  server = await createTestServer()
  await switchDirectoryOn(server)
})
afterAll(() => server.close())
beforeEach(async () => {
  anna = await server.signUp()
  ben = await server.signUp()
})

const sentBy = async (member: Member) => (await requestsOf(member)).sent[0]?.id ?? ''
const change = (member: Member, columns: string) =>
  server.core.db.write((tx) => tx.run(`update users set ${columns} where id = ?`, [member.user.id]))
const noRequest = { status: 404, body: { code: 'CONNECTION_REQUEST_NOT_FOUND' } }
const block = async (member: Member, other: Member) => {
  const { id } = await server.connect(member, other)
  await member.call(connections.block, { params: { id } })
}

describe('a request', () => {
  test('is in the lists of both, by the name of the other one', async () => {
    await ask(anna, ben)
    const createdAt = server.clock.now()
    const times = { id: expect.any(String), createdAt, expiresAt: createdAt + limits.connectionRequestKept }
    expect(await requestsOf(ben)).toEqual({ received: [{ ...times, who: whoOf(anna) }], sent: [] })
    expect(await requestsOf(anna)).toEqual({ received: [], sent: [{ ...times, who: whoOf(ben) }] })
  })

  test('notifies the colleague by the list of notifications and a frame', async () => {
    const socket = await ben.socket()
    await ask(anna, ben)
    await socket.next('requests_changed')
    const { notification } = await socket.next('notification')
    expect(notification).toMatchObject({ kind: 'connection_requested', who: whoOf(anna), read: false })
    expect(await requestNoticesOf(ben)).toEqual([notification])
  })

  test('is refused twice', async () => {
    await ask(anna, ben)
    expect(await refusedToAsk(anna, ben)).toBe('CONNECTION_REQUEST_OPEN')
    expect(await requestNoticesOf(ben)).toHaveLength(1)
  })

  test('is refused to oneself and to a contact', async () => {
    expect(await refusedToAsk(anna, anna)).toBe('COLLEAGUE_NOT_FOUND')
    await server.connect(anna, ben)
    expect(await refusedToAsk(anna, ben)).toBe('ALREADY_CONNECTED')
  })

  test.each(['suspended = 1', 'is_active = 0'])('is refused to a member with %s', async (state) => {
    await change(ben, state)
    expect(await refusedToAsk(anna, ben)).toBe('COLLEAGUE_NOT_FOUND')
  })

  test('is refused to a person whom the member has blocked', async () => {
    await block(anna, ben)
    expect(await refusedToAsk(anna, ben)).toBe('PERSON_BLOCKED')
  })

  test('to a person who has blocked the member looks open and reaches nobody', async () => {
    await block(ben, anna)
    const socket = await ben.socket()
    expect(await ask(anna, ben)).toEqual({})
    expect((await requestsOf(anna)).sent).toHaveLength(1)
    await socket.settled()
    expect(socket.frames).toEqual([])
    expect([await requestsOf(ben), await requestNoticesOf(ben)]).toEqual([{ received: [], sent: [] }, []])
  })

  test('of which 20 are open refuses the next one, until one is withdrawn', async () => {
    const others: Member[] = []
    for (let n = 0; n < limits.openConnectionRequests; n++) others.push(await server.signUp())
    for (const other of others) await ask(anna, other)
    expect(await refusedToAsk(anna, ben)).toBe('CONNECTION_REQUESTS_FULL')
    await answer(anna, 'withdraw', await sentBy(anna))
    await ask(anna, ben)
  })

  test('expires after 7 days to the millisecond', async () => {
    await using own = await createTestServer()
    await switchDirectoryOn(own)
    const [one, two] = [await own.signUp(), await own.signUp()]
    // Else the sessions would end after 24 hours without use.
    for (const member of [one, two]) await prefer(member, { sessionTimeout: false })
    await ask(one, two)
    const id = await receivedBy(two)
    own.clock.advance(limits.connectionRequestKept - 1)
    expect((await requestsOf(two)).received).toHaveLength(1)
    own.clock.advance(1)
    expect([await requestsOf(one), await requestsOf(two)]).toEqual([
      { received: [], sent: [] },
      { received: [], sent: [] },
    ])
    expect(await answer(two, 'accept', id)).toMatchObject(noRequest)
    expect(await refusedToAsk(one, two)).toBe('CONNECTION_REQUEST_REPEATED')
    own.clock.advance(limits.connectionRequestsApart)
    await ask(one, two)
  })

  test('leaves the database a day after its end', async () => {
    await using own = await createTestServer()
    await switchDirectoryOn(own)
    const [one, two] = [await own.signUp(), await own.signUp()]
    await ask(one, two)
    const rows = () => own.core.db.read.all('select id from connection_requests', [])
    await own.advance(limits.connectionRequestKept + limits.connectionRequestsApart - 1)
    expect(await rows()).toHaveLength(1)
    await own.advance(60_000)
    expect(await rows()).toEqual([])
  })
})

describe('of the two and a stranger', () => {
  test.each([
    ['asker', 'accept', 404],
    ['asker', 'decline', 404],
    ['asker', 'withdraw', 200],
    ['colleague', 'accept', 201],
    ['colleague', 'decline', 200],
    ['colleague', 'withdraw', 404],
    ['stranger', 'accept', 404],
    ['stranger', 'decline', 404],
    ['stranger', 'withdraw', 404],
    ['visitor', 'accept', 401],
    ['visitor', 'decline', 401],
    ['visitor', 'withdraw', 401],
  ] as const)('the %s may %s: %i', async (who, how, status) => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    const people = { asker: anna, colleague: ben, stranger: await server.signUp(), visitor: server.visitor() }
    expect((await answer(people[who] as Member, how, id)).status).toBe(status)
  })
})

test('the log names the asked one and the accepted one, but not the declined one', async () => {
  await ask(anna, ben)
  await answer(ben, 'decline', await receivedBy(ben))
  const carl = await server.signUp()
  await ask(anna, carl)
  await answer(carl, 'accept', await receivedBy(carl))
  const entries = await server.core.db.read.all<{ action: string; target_id: string | null; details: string }>(
    `select action, target_id, details from audit_log where action like 'connection_request%' order by seq desc limit 4`,
    [],
  )
  const { details } = entries[0] ?? {}
  expect(details).toBe('{}')
  expect(entries.toReversed().map(({ action, target_id }) => [action, target_id])).toEqual([
    ['connection_requested', ben.user.id],
    ['connection_request_declined', null],
    ['connection_requested', carl.user.id],
    ['connection_request_accepted', anna.user.id],
  ])
})

test.each(['x', '%00', "' or 1=1 --"])('an id that is none is refused: %j', async (id) => {
  for (const how of ['accept', 'decline', 'withdraw'] as const)
    expect((await answer(anna, how, encodeURIComponent(id))).status).toBe(400)
  expect((await anna.request('POST', directory.request.path, { userId: id })).status).toBe(400)
})
