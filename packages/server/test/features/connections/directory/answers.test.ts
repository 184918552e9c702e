import { connections } from '@privity/contract/connections'
import { notifications } from '@privity/contract/notifications'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../../support/server/testServer.ts'
import { createOrganization } from '../../../support/scenes/organization.ts'
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

const connectionsOf = (member: Member) => member.call(connections.list, {})
const sentBy = async (member: Member) => (await requestsOf(member)).sent[0]?.id ?? ''
const change = (member: Member, columns: string) =>
  server.core.db.write((tx) => tx.run(`update users set ${columns} where id = ?`, [member.user.id]))
const noRequest = { status: 404, body: { code: 'CONNECTION_REQUEST_NOT_FOUND' } }

describe('accepting', () => {
  test('connects as a code does: both get the connection, and the asker is notified', async () => {
    await ask(anna, ben)
    const sockets = [await anna.socket(), await ben.socket()]
    const { status, body } = await answer(ben, 'accept', await receivedBy(ben))
    expect(status).toBe(201)
    for (const socket of sockets) expect((await socket.next('connection_created')).connection).toEqual(body)
    const { notifications: told } = await anna.call(notifications.list, { query: {} })
    expect(told[0]).toMatchObject({ kind: 'connection_created', who: whoOf(ben) })
    expect(await requestsOf(anna)).toEqual({ received: [], sent: [] })
    expect(await requestNoticesOf(ben)).toEqual([])
  })

  test('takes a former contact off the list, as a code does', async () => {
    const { id } = await server.connect(anna, ben)
    await anna.call(connections.remove, { params: { id } })
    await ask(anna, ben)
    await answer(ben, 'accept', await receivedBy(ben))
    expect(await anna.call(connections.listFormer, {})).toEqual([])
  })

  test('twice at once connects once', async () => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    const answers = await Promise.all([answer(ben, 'accept', id), answer(ben, 'accept', id)])
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 404])
    expect(await connectionsOf(anna)).toHaveLength(1)
  })

  test.each(['suspended = 1', 'is_active = 0'])('connects with nobody who has %s meanwhile', async (state) => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    await change(anna, state)
    expect((await requestsOf(ben)).received).toEqual([])
    expect(await answer(ben, 'accept', id)).toMatchObject({ status: 404, body: { code: 'COLLEAGUE_NOT_FOUND' } })
  })

  test('connects with nobody who is in another organization meanwhile', async () => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    await change(anna, `organization_id = '${await createOrganization(server, 'Elsewhere')}'`)
    expect((await requestsOf(ben)).received).toEqual([])
    expect(await answer(ben, 'accept', id)).toMatchObject({ status: 404, body: { code: 'COLLEAGUE_NOT_FOUND' } })
  })

  test('is not possible once a code has connected the two', async () => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    const socket = await anna.socket()
    await server.connect(ben, anna)
    await socket.next('requests_changed')
    expect(await answer(ben, 'accept', id)).toMatchObject(noRequest)
    expect((await requestsOf(anna)).sent).toEqual([])
  })
})

describe('two who ask each other', () => {
  test('one after the other are connected', async () => {
    await ask(anna, ben)
    const { connection } = await ask(ben, anna)
    expect(await connectionsOf(anna)).toMatchObject([{ id: connection?.id }])
    expect([await requestsOf(anna), await requestsOf(ben)]).toEqual([
      { received: [], sent: [] },
      { received: [], sent: [] },
    ])
  })

  test('at the same time are connected once', async () => {
    await Promise.all([ask(anna, ben), ask(ben, anna)])
    expect(await connectionsOf(anna)).toHaveLength(1)
  })

  test('are connected even if one had declined before', async () => {
    await ask(anna, ben)
    await answer(ben, 'decline', await receivedBy(ben))
    expect((await ask(ben, anna)).connection).toBeDefined()
  })
})

describe('declining', () => {
  test('shows the asker nothing: the request looks open, and no frame comes', async () => {
    await ask(anna, ben)
    const before = await requestsOf(anna)
    const socket = await anna.socket()
    await answer(ben, 'decline', await receivedBy(ben))
    await socket.settled()
    expect(socket.frames).toEqual([])
    expect(await requestsOf(anna)).toEqual(before)
    expect(await refusedToAsk(anna, ben)).toBe('CONNECTION_REQUEST_OPEN')
  })

  test('removes the request and its notification from the colleague’s lists', async () => {
    await ask(anna, ben)
    await answer(ben, 'decline', await receivedBy(ben))
    expect([await requestsOf(ben), await requestNoticesOf(ben)]).toEqual([{ received: [], sent: [] }, []])
  })

  test('looks like no answer also to one who withdraws and asks again', async () => {
    const carl = await server.signUp()
    for (const other of [ben, carl]) await ask(anna, other)
    await answer(ben, 'decline', await receivedBy(ben))
    for (const { id } of (await requestsOf(anna)).sent) expect((await answer(anna, 'withdraw', id)).status).toBe(200)
    for (const other of [ben, carl]) expect(await refusedToAsk(anna, other)).toBe('CONNECTION_REQUEST_REPEATED')
  })
})

describe('withdrawing', () => {
  test('takes the request and its notification from the colleague, with a frame', async () => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    const socket = await ben.socket()
    await answer(anna, 'withdraw', id)
    await socket.next('requests_changed')
    expect([await requestsOf(ben), await requestNoticesOf(ben)]).toEqual([{ received: [], sent: [] }, []])
    expect(await answer(ben, 'accept', id)).toMatchObject(noRequest)
  })

  test('twice is refused', async () => {
    await ask(anna, ben)
    const id = await sentBy(anna)
    await answer(anna, 'withdraw', id)
    expect(await answer(anna, 'withdraw', id)).toMatchObject(noRequest)
  })
})

describe('blocking from a request', () => {
  test('shows the asker nothing, neither by a frame nor by asking again', async () => {
    await ask(anna, ben)
    const before = await requestsOf(anna)
    const socket = await anna.socket()
    expect((await answer(ben, 'block', await receivedBy(ben))).status).toBe(200)
    await socket.settled()
    expect(socket.frames).toEqual([])
    expect(await requestsOf(anna)).toEqual(before)
    expect(await refusedToAsk(anna, ben)).toBe('CONNECTION_REQUEST_OPEN')
  })

  test('adds the asker to the blocked people, on all open pages', async () => {
    await ask(anna, ben)
    const socket = await ben.socket()
    const { body } = await answer(ben, 'block', await receivedBy(ben))
    await socket.next('blocks_changed')
    expect(await ben.call(connections.listBlocked, {})).toEqual([body])
    expect(body).toEqual({ ...whoOf(anna), blockedAt: server.clock.now() })
  })

  test('is not possible for the asker, and not a second time', async () => {
    await ask(anna, ben)
    const id = await receivedBy(ben)
    expect(await answer(anna, 'block', id)).toMatchObject(noRequest)
    expect(await anna.call(connections.listBlocked, {})).toEqual([])
    await answer(ben, 'block', id)
    expect(await answer(ben, 'block', id)).toMatchObject(noRequest)
  })
})

describe('a block', () => {
  test('ends the requests of both, and the blocked one sees nothing of it', async () => {
    const { id } = await server.connect(anna, ben)
    await anna.call(connections.remove, { params: { id } })
    await ask(anna, ben)
    await ben.call(connections.blockFormer, { params: { id: anna.user.id } })
    expect((await requestsOf(anna)).sent).toHaveLength(1)
    expect((await requestsOf(ben)).received).toEqual([])
  })

  test('withdraws the blocker’s own request', async () => {
    const { id } = await server.connect(anna, ben)
    await anna.call(connections.remove, { params: { id } })
    await ask(anna, ben)
    const request = await receivedBy(ben)
    await anna.call(connections.blockFormer, { params: { id: ben.user.id } })
    expect(await answer(ben, 'accept', request)).toMatchObject(noRequest)
  })
})
