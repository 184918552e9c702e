import { connections } from '@privity/contract/connections'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { untilIdle } from '../../support/server/pendingQueries.ts'
import { prefer } from '../../support/scenes/preferences.ts'
import type { TestSocket } from '../../support/server/testSocket.ts'

let server: TestServer
let anna: Member
let ben: Member
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  ;[anna, ben] = [await server.signUp(), await server.signUp()]
  await server.connect(anna, ben)
})

/** Milliseconds after which a member with a closed socket counts as offline; a reload is shorter. */
const leavingTakes = 3_000

/** Whether `viewer` sees `of` as online in the list. */
async function online(viewer: Member, of: Member): Promise<boolean | undefined> {
  const [connection] = await viewer.call(connections.list, {})
  return [connection?.user1, connection?.user2].find((party) => party?.id === of.user.id)?.online
}

const told = ({ frames }: TestSocket) =>
  frames.flatMap((frame) => (frame.type === 'party_changed' ? [[frame.party.id, frame.party.online]] : []))

async function heard(socket: TestSocket) {
  await socket.settled()
  const frames = told(socket)
  socket.frames.length = 0
  return frames
}

async function leave(socket: TestSocket): Promise<void> {
  const { sockets } = server.core
  const left = sockets.count() - 1
  socket.close()
  // The server may process the close later than the browser.
  await expect.poll(sockets.count).toBe(left)
  await server.advance(leavingTakes)
}

test('on for both, each sees the other come and go', async () => {
  const ofAnna = await anna.socket()
  const ofBen = await ben.socket()
  expect(await heard(ofAnna)).toEqual([[ben.user.id, true]])
  expect(await online(anna, ben)).toBe(true)
  await leave(ofBen)
  expect(await heard(ofAnna)).toEqual([[ben.user.id, false]])
})

test.each(['who is seen', 'who looks'])(
  'off for %s, presence is withheld from both, in lists and notices',
  async (who) => {
    await prefer(who === 'who is seen' ? ben : anna, { onlineStatus: false })
    // Let the notices of the changed preference pass, which connected contacts get.
    await untilIdle(server.url)
    const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
    expect([await online(anna, ben), await online(ben, anna)]).toEqual([false, false])
    expect([await heard(ofAnna), await heard(ofBen)]).toEqual([[], []])
    await leave(ofBen)
    // Not even an empty notice: its time would reveal that the member left.
    expect(await heard(ofAnna)).toEqual([])
  },
)

test('one sees oneself as one is', async () => {
  await prefer(ben, { onlineStatus: false })
  await ben.socket()
  expect(await online(ben, ben)).toBe(true)
})

test('switching takes effect in open browsers at once, in both directions', async () => {
  const [ofAnna, ofBen] = [await anna.socket(), await ben.socket()]
  await heard(ofAnna)
  await heard(ofBen)
  await prefer(ben, { onlineStatus: false })
  expect(await heard(ofAnna)).toEqual([[ben.user.id, false]])
  expect(await heard(ofBen)).toEqual([[anna.user.id, false]])
  await prefer(ben, { onlineStatus: true })
  expect(await heard(ofAnna)).toEqual([[ben.user.id, true]])
  expect(await heard(ofBen)).toEqual([[anna.user.id, true]])
})

test('a new connection does not show it either, in the answer or in the notice', async () => {
  const carl = await server.signUp()
  await prefer(carl, { onlineStatus: false })
  const [ofAnna, ofCarl] = [await anna.socket(), await carl.socket()]
  const answer = await server.connect(anna, carl)
  const shown = (connection: typeof answer, of: Member) =>
    [connection.user1, connection.user2].find(({ id }) => id === of.user.id)?.online
  expect(shown(answer, carl)).toBe(false)
  expect(shown((await ofAnna.next('connection_created')).connection, carl)).toBe(false)
  const other = (await ofCarl.next('connection_created')).connection
  expect([shown(other, anna), shown(other, carl)]).toEqual([false, true])
})

test('coming, going and switching at the same moment: the last notice is what holds', async () => {
  const ofAnna = await anna.socket()
  for (let round = 0; round < 8; round++) {
    await prefer(ben, { onlineStatus: true })
    await heard(ofAnna)
    const [, socket] = await Promise.all([prefer(ben, { onlineStatus: false }), ben.socket()])
    const frames = await heard(ofAnna)
    expect(frames.at(-1) ?? [ben.user.id, false]).toEqual([ben.user.id, false])
    expect(await online(anna, ben)).toBe(false)
    await leave(socket)
    expect(await heard(ofAnna)).toEqual([])
  }
})

test('hidden facts cause no empty notice, which would reveal that somebody is online', async () => {
  await prefer(ben, { onlineStatus: false, profileVisibility: false })
  await prefer(anna, { onlineStatus: false, readReceipts: false })
  const ofAnna = await anna.socket()
  await ben.socket()
  await heard(ofAnna)
  const before = ofAnna.frames.length
  for (const on of [true, false]) await prefer(ben, { onlineStatus: on, readReceipts: !on, soundEnabled: !on })
  const { firstName, lastName } = ben.user
  const { password } = ben
  const { status } = await ben.request('PATCH', '/api/user', {
    firstName,
    lastName,
    email: 'hidden@example.com',
    password,
  })
  expect(status).toBe(200)
  await ofAnna.settled()
  expect(ofAnna.frames.slice(before)).toEqual([])
  await prefer(ben, { profileVisibility: true })
  expect((await ofAnna.next('party_changed')).party.email).toBe('hidden@example.com')
})
