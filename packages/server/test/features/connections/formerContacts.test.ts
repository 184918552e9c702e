import { account } from '@privity/contract/account'
import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createTalk } from '../../support/scenes/conversation.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const connectTo = (one: Member, other: Member) =>
  one.request('POST', '/api/connections', { connectionCode: other.user.connectionCode })
const remove = (member: Member, id: string) => member.call(connections.remove, { params: { id } })
const former = (member: Member) => member.call(connections.listFormer, {})
const block = (member: Member, { user }: Member) => member.call(connections.blockFormer, { params: { id: user.id } })
const at = ({ user }: Member) => ({ params: { id: user.id } })
const gone = { status: 404, body: { code: 'FORMER_CONTACT_NOT_FOUND' } }
const nameOf = ({ user: { id, firstName, lastName } }: Member) => ({ id, firstName, lastName })

describe('an ended connection', () => {
  test('leaves each of the two in the other’s list, whoever ended it and however', async () => {
    for (const end of [connections.remove, connections.block]) {
      const { anna, ben, connection } = await createTalk(server)
      await anna.call(end, { params: { id: connection.id } })
      const endedAt = server.clock.now()
      expect(await former(ben)).toEqual([{ ...nameOf(anna), endedAt }])
      expect(await former(anna)).toEqual(end === connections.remove ? [{ ...nameOf(ben), endedAt }] : [])
    }
  })

  test('can be followed by a block, which refuses a new connection as any block does', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    const socket = await anna.socket()
    const person = await block(anna, ben)
    expect(person).toEqual({ ...nameOf(ben), blockedAt: server.clock.now() })
    await socket.next('blocks_changed')
    expect(await anna.call(connections.listBlocked, {})).toEqual([person])
    expect(await former(anna)).toEqual([])
    expect(await connectTo(ben, anna)).toMatchObject({ status: 404, body: { code: 'CODE_UNKNOWN' } })
    expect(await connectTo(anna, ben)).toMatchObject({ status: 409, body: { code: 'PERSON_BLOCKED' } })
    await anna.call(connections.unblock, at(ben))
    expect((await connectTo(ben, anna)).status).toBe(201)
  })

  test('can be followed by a block of whoever was removed, too', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    await block(ben, anna)
    expect(await connectTo(anna, ben)).toMatchObject({ status: 404, body: { code: 'CODE_UNKNOWN' } })
  })

  test('that is made anew is in no list', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    expect((await connectTo(ben, anna)).status).toBe(201)
    expect([await former(anna), await former(ben)]).toEqual([[], []])
    expect(await anna.refused(connections.blockFormer, at(ben))).toMatchObject(gone)
  })

  test('keeps the name of that time, and goes with the account of either', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    const before = await former(anna)
    await server.core.db.write((tx) => tx.run("update users set first_name = 'Other' where id = ?", [ben.user.id]))
    expect(await former(anna)).toEqual(before)
    await ben.call(account.remove, { body: { username: ben.user.username, password: ben.password } })
    expect(await former(anna)).toEqual([])
  })

  test('by the deletion of an account leaves nobody in a list', async () => {
    const { anna, ben } = await createTalk(server)
    await ben.call(account.remove, { body: { username: ben.user.username, password: ben.password } })
    expect(await former(anna)).toEqual([])
  })
})

describe('the list', () => {
  test('is empty after 24 hours to the millisecond, and its rows leave the disk', async () => {
    await using own = await createTestServer()
    const { anna, ben, connection } = await createTalk(own)
    await own.core.db.write((tx) => tx.run("update users set last_name = 'Zwillinghaus' where id = ?", [ben.user.id]))
    await remove(anna, connection.id)
    await own.core.db.write((tx) => tx.run("update users set last_name = 'B' where id = ?", [ben.user.id]))
    // The session is used in between, because it would end after 24 hours without use.
    own.clock.advance(limits.formerContactKept - 1)
    expect(await former(anna)).toHaveLength(1)
    own.clock.advance(1)
    expect(await former(anna)).toEqual([])
    expect(await anna.refused(connections.blockFormer, at(ben))).toMatchObject(gone)
    await own.advance(2 * 60_000)
    expect(await own.core.db.read.all('select * from former_contacts', [])).toEqual([])
    await own.advance(60_000)
    expect((await storedBytes(own.dataDir)).includes('Zwillinghaus')).toBe(false)
  })

  test('forgets somebody when asked to, once', async () => {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    await anna.call(connections.forgetFormer, at(ben))
    expect(await former(anna)).toEqual([])
    expect(await anna.refused(connections.forgetFormer, at(ben))).toMatchObject(gone)
    expect(await former(ben)).toHaveLength(1)
  })

  test('is one’s own: a stranger, oneself and a contact are not in it', async () => {
    const { anna, ben } = await createTalk(server)
    for (const person of [anna, ben, await server.signUp()])
      expect(await anna.refused(connections.blockFormer, at(person))).toMatchObject(gone)
  })

  test('blocking twice at once, or blocking and forgetting, happens once', async () => {
    for (const [method, path] of [
      ['POST', '/block'],
      ['DELETE', ''],
    ] as const) {
      const { anna, ben, connection } = await createTalk(server)
      await remove(anna, connection.id)
      const of = `/api/former-contacts/${ben.user.id}`
      const answers = await Promise.all([anna.request('POST', `${of}/block`), anna.request(method, `${of}${path}`)])
      expect(answers.map(({ status }) => status < 300)).toContain(true)
      expect(answers.map(({ status }) => status)).toContain(404)
    }
  })

  test.each(['x', '%00', "' or 1=1 --"])('refuses %j as an id', async (id) => {
    const anna = await server.signUp()
    const path = `/api/former-contacts/${encodeURIComponent(id)}`
    expect((await anna.request('POST', `${path}/block`)).status).toBe(400)
    expect((await anna.request('DELETE', path)).status).toBe(400)
  })
})

test('the log tells a late block from a name taken off the list by nothing, and names nobody', async () => {
  const entries: unknown[] = []
  for (const settle of [connections.blockFormer, connections.forgetFormer]) {
    const { anna, ben, connection } = await createTalk(server)
    await remove(anna, connection.id)
    await anna.call(settle, at(ben))
    const last = await server.core.db.read.get<Record<string, unknown>>(
      'select action, actor_id, target_id, details from audit_log order by seq desc limit 1',
    )
    expect(last?.['actor_id']).toBe(anna.user.id)
    entries.push({ ...last, actor_id: 'the same' })
  }
  expect(entries[0]).toEqual(entries[1])
  expect(entries[0]).toMatchObject({ action: 'former_contact_settled', target_id: null, details: '{}' })
})
