import { connections } from '@privity/contract/connections'
import { limits } from '@privity/contract/limits'
import { messages } from '@privity/contract/messages'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { makeContent, makeEnvelope } from '../../support/server/memberKeys.ts'
import { createTalk, type SendBody, type Talk } from '../../support/scenes/conversation.ts'

let server: TestServer
let talk: Talk
const refusedAs = (code: string) => ({ status: 409, body: { code } })
const outdated = refusedAs('ENVELOPE_OUTDATED')

async function open(env: Record<string, string> = {}) {
  server = await createTestServer({ env })
  talk = await createTalk(server)
}
afterEach(() => server.close())

const post = (body: SendBody) => talk.anna.request('POST', '/api/messages', body)
const list = () => talk.ben.call(messages.list, { params: { id: talk.connection.id }, query: {} })
const signInAgain = ({ call, user, password }: Member) =>
  call(session.login, { body: { username: user.username, password } })

/** A body under a new envelope whose id encodes this time. */
function datedAt(time: number, id?: string): SendBody {
  const { anna, ben, connection } = talk
  const ends = { connectionId: connection.id, from: anna.user.id, to: ben.user.id }
  const envelope = makeEnvelope(ends, undefined, time)
  if (id !== undefined) envelope.id = id
  return { connectionId: connection.id, content: makeContent(envelope.id).content, envelope }
}

const maxAhead = () => Math.min(5 * 60_000, server.core.config.retention / 4)

describe.each([
  // The time of its epochs has passed by then.
  ['24h', {}, refusedAs('EPOCH_SUPERSEDED')],
  ['10m', { MESSAGE_RETENTION: '10m' }, outdated],
])('with messages that live %s', (_life, env, refused) => {
  beforeEach(() => open(env))

  /** Replays a message after its expiry, as a thief of the session could; `after` is the time since. */
  async function sendExpired(ahead: number, after: number) {
    const body = datedAt(server.clock.now() + ahead)
    await talk.anna.call(messages.send, { body })
    await server.advance(server.core.config.retention + after)
    for (const member of [talk.anna, talk.ben]) await signInAgain(member)
    return post(body)
  }

  test('an expired message cannot be sent again by a session without keys', async () => {
    expect(await sendExpired(0, 20_000)).toMatchObject(refused)
    expect(await list()).toEqual([])
  })

  test('a message whose envelope was dated ahead cannot be sent again either', async () => {
    expect(await sendExpired(maxAhead() - 1, 20_000)).toMatchObject(refused)
    expect(await list()).toEqual([])
  })

  test('an expired message cannot be sent again under an envelope that is still in use', async () => {
    const { retention } = server.core.config
    const first = datedAt(server.clock.now())
    await talk.anna.call(messages.send, { body: first })
    const use = Math.min(retention / 2, limits.epochDuration) - 1
    await server.advance(use)
    const later = makeContent(first.envelope?.id ?? '').content
    expect((await post({ connectionId: talk.connection.id, content: later })).status).toBe(201)
    await server.advance(retention - use + 19_999)
    for (const member of [talk.anna, talk.ben]) await signInAgain(member)
    expect(await post({ ...first, envelope: undefined })).toMatchObject(refused)
    expect((await list()).map(({ content }) => content)).toEqual([later])
  })
})

describe('an envelope', () => {
  const half = 5 * 60_000
  beforeEach(() => open({ MESSAGE_RETENTION: '10m' }))

  test('carries messages for less than half of their lifetime', async () => {
    const { envelope, ...body } = datedAt(server.clock.now())
    expect((await post({ ...body, envelope })).status).toBe(201)
    const next = () => post({ ...body, content: makeContent(envelope?.id ?? '').content })
    await server.advance(half - 2)
    expect((await next()).status).toBe(201)
    await server.advance(1)
    // From here on the server knows all that it needs, and asks the database no more.
    expect((await next()).status).toBe(201)
    await server.advance(1)
    expect(await next()).toMatchObject(outdated)
  })

  test('is refused where it is dated ahead by a quarter of the lifetime', async () => {
    expect((await post(datedAt(server.clock.now() + half / 2 - 1))).status).toBe(201)
    expect(await post(datedAt(server.clock.now() + half / 2))).toMatchObject(outdated)
  })

  test('is refused where its id tells no time', async () => {
    expect(await post(datedAt(0, crypto.randomUUID()))).toMatchObject(outdated)
  })

  test('that has become too old does not hide that its message is stored', async () => {
    const body = talk.text(talk.anna)
    const first = await talk.anna.call(messages.send, { body })
    await server.advance(half)
    expect(await post(body)).toMatchObject({ status: 200, body: { id: first.id, seq: first.seq } })
  })
})

test('an envelope carries messages for less than half of the lifetime that the two have set', async () => {
  await open()
  const { anna, connection } = talk
  const [lifetime] = limits.lifetimes
  await anna.call(connections.setLifetime, { params: { id: connection.id }, body: { lifetime } })
  const body = talk.text(anna)
  expect((await post(body)).status).toBe(201)
  await server.advance(lifetime / 2)
  const { content } = makeContent(body.envelope?.id ?? '')
  expect(await post({ connectionId: connection.id, content })).toMatchObject(outdated)
})

test('an envelope is refused where it is dated ahead by 5 minutes', async () => {
  await open()
  expect((await post(datedAt(server.clock.now() + limits.clockTolerance - 1))).status).toBe(201)
  expect(await post(datedAt(server.clock.now() + limits.clockTolerance))).toMatchObject(outdated)
})
