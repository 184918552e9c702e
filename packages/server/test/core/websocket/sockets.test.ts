import { once } from 'node:events'
import { connect } from 'node:net'
import { rateLimits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Caller } from '../../support/server/caller.ts'
import { createTestServer, type TestServer } from '../../support/server/testServer.ts'
import { connectSocket, openSocket } from '../../support/server/testSocket.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const notice = { type: 'user_changed' } as const

describe('becoming ready', () => {
  test('takes a session: visitors, ended sessions and other addresses are refused at the upgrade', async () => {
    const member = await server.signUp()
    await expect(openSocket(server.url, server.visitor())).rejects.toThrow('refused with 401')
    const ended = server.visitor()
    ended.cookies.set('privity_session', member.cookies.get('privity_session') as string)
    await member.call(session.logout, {})
    await expect(openSocket(server.url, ended)).rejects.toThrow('refused with 401')
    const other = await server.signUp()
    await expect(openSocket(`${server.url}/elsewhere`, other)).rejects.toThrow('refused with 404')
  })

  test('is refused to a session that ends while its upgrade is answered', async () => {
    const member = await server.signUp()
    const { db, sessions } = server.core
    const find = sessions.find.bind(sessions)
    vi.spyOn(sessions, 'find').mockImplementationOnce(async (...given) => {
      const found = await find(...given)
      await db.write((tx) => sessions.end(tx, member.user.id, 'all'))
      return found
    })
    await expect(openSocket(server.url, member)).rejects.toThrow('refused with 401')
  })

  test("naming anybody but the session's user closes it", async () => {
    const [member, other] = [await server.signUp(), await server.signUp()]
    const socket = await openSocket(server.url, member)
    socket.send({ type: 'authenticate', userId: other.user.id })
    expect(await socket.closed).toBe(4001)
  })

  test('before it nothing else is heard and no notice comes', async () => {
    const member = await server.signUp()
    const [silent, eager] = [await openSocket(server.url, member), await openSocket(server.url, member)]
    server.core.sockets.notify(member.user.id, notice)
    eager.send({ type: 'ping' })
    expect(await eager.closed).toBe(4001)
    silent.send({ type: 'authenticate', userId: member.user.id })
    await silent.next('authenticated')
    expect(silent.frames).toEqual([])
    silent.close()
  })

  test('must happen within 10 seconds', async () => {
    const member = await server.signUp()
    const [slow, ready] = [await openSocket(server.url, member), await member.socket()]
    server.clock.advance(9_999)
    expect(slow.raw.readyState).toBe(slow.raw.OPEN)
    server.clock.advance(1)
    expect(await slow.closed).toBe(4001)
    await ready.settled()
    ready.close()
  })
})

describe('frames', () => {
  test.each([
    ['text that is not JSON', '{'],
    ['an unknown type', '{"type":"new_message"}'],
    ['a wrong field', '{"type":"received","connectionId":"x","seq":1}'],
    ['a number', '5'],
    ['a binary frame', Buffer.from('{"type":"ping"}')],
  ])('%s closes the socket', async (_what, frame) => {
    const member = await server.signUp()
    const socket = await member.socket()
    socket.raw.send(frame)
    expect(await socket.closed).toBe(4009)
  })

  test('a huge frame closes the socket', async () => {
    const member = await server.signUp()
    const socket = await member.socket()
    socket.raw.send(`{"type":"ping","padding":"${'x'.repeat(5000)}"}`)
    expect(await socket.closed).toBe(1009)
  })

  test('a ping is answered, a second authenticate does no harm', async () => {
    const member = await server.signUp()
    const socket = await member.socket()
    socket.send({ type: 'authenticate', userId: member.user.id })
    await socket.next('authenticated')
    await socket.settled()
    socket.close()
  })
})

describe('notices', () => {
  test('reach every socket of a user and nobody else', async () => {
    const [anna, bela] = [await server.signUp(), await server.signUp()]
    const [one, two, other] = [await anna.socket(), await anna.socket(), await bela.socket()]
    server.core.sockets.notify([anna.user.id, 'nobody'], notice)
    await one.next('user_changed')
    await two.next('user_changed')
    await other.settled()
    expect(other.frames).toEqual([])
  })

  test('a browser that does not take them is closed, and others are not held up', async () => {
    const [slow, quick] = [await server.signUp(), await server.signUp()]
    const [stuck, fine] = [await slow.socket(), await quick.socket()]
    stuck.raw.pause()
    const user = { type: 'epoch_published', epoch: { publicKey: 'x'.repeat(512 * 1024) } } as never
    for (let at = 0; at < 40; at++) server.core.sockets.notify(slow.user.id, user)
    server.core.sockets.notify(quick.user.id, notice)
    await fine.next('user_changed')
    expect(server.core.sockets.isOnline(slow.user.id)).toBe(false)
    stuck.raw.terminate()
    fine.close()
  })
})

describe('presence', () => {
  test('is online from the first socket to the last', async () => {
    const member = await server.signUp()
    const heard: boolean[] = []
    const { sockets } = server.core
    sockets.onPresence((userId, online) => {
      if (userId === member.user.id) heard.push(online)
    })
    const first = await member.socket()
    const second = await member.socket()
    expect([heard, sockets.isOnline(member.user.id)]).toEqual([[true], true])
    first.close()
    await first.closed
    await second.settled()
    expect([heard, sockets.isOnline(member.user.id)]).toEqual([[true], true])
    await member.call(session.logout, {})
    expect(await second.closed).toBe(4003)
    expect([heard, sockets.isOnline(member.user.id)]).toEqual([[true, false], false])
  })

  test('ends for a browser that went away without a word', async () => {
    const member = await server.signUp()
    const dead = await connectSocket(server.url, member, member.user.id)
    const cookie = [...member.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    dead.close()
    await dead.closed

    const { hostname, port } = new URL(server.url)
    const stream = connect(Number(port), hostname)
    const key = 'dGhlIHNhbXBsZSBub25jZQ=='
    stream.write(
      `GET /ws HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
        `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n\r\n`,
    )
    await new Promise((resolve) => stream.once('data', resolve))
    const text = Buffer.from(JSON.stringify({ type: 'authenticate', userId: member.user.id }))
    stream.write(Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]))
    await new Promise((resolve) => stream.once('data', resolve))
    expect(server.core.sockets.isOnline(member.user.id)).toBe(true)

    const halfMinute = () => {
      for (let second = 0; second < 30; second++) server.clock.advance(1000)
    }
    halfMinute()
    expect(server.core.sockets.isOnline(member.user.id)).toBe(true)
    halfMinute()
    expect(server.core.sockets.isOnline(member.user.id)).toBe(false)
    stream.destroy()
  })
})

test('each socket is pinged once in 30 seconds, and not all at the same moment', async () => {
  const member = await server.signUp()
  const sockets = await Promise.all(Array.from({ length: 6 }, () => member.socket()))
  const asked = new Map<number, number>()
  for (const [at, { raw }] of sockets.entries()) raw.on('ping', () => asked.set(at, (asked.get(at) ?? 0) + 1))
  const perSecond: number[] = []
  for (let second = 0; second < 30; second++) {
    const before = [...asked.values()].reduce((sum, count) => sum + count, 0)
    server.clock.advance(1000)
    for (const socket of sockets) await socket.settled()
    perSecond.push([...asked.values()].reduce((sum, count) => sum + count, 0) - before)
  }
  expect([...asked.values()]).toEqual([1, 1, 1, 1, 1, 1])
  expect(Math.max(...perSecond)).toBe(1)
  for (const socket of sockets) socket.close()
})

test('acknowledgements go to whoever listens for them', async () => {
  const member = await server.signUp()
  const heard: unknown[] = []
  server.core.sockets.onReceived((userId, frame) => void heard.push([userId, frame]))
  const socket = await member.socket()
  const frame = { type: 'received', connectionId: '01890000-0000-7000-8000-000000000000', seq: 3 } as const
  socket.send(frame)
  await socket.settled()
  expect(heard).toEqual([[member.user.id, frame]])
  socket.close()
})

test('one user cannot hold any number of sockets', async () => {
  const member = await server.signUp()
  const first = await member.socket()
  const rest = []
  for (let at = 0; at < 32; at++) rest.push(await member.socket())
  expect(await first.closed).toBe(4008)
  await rest[0]?.settled()
  for (const socket of rest) socket.close()
})

test('sockets that have not said who they are count too', async () => {
  const member = await server.signUp()
  const sockets = []
  for (let at = 0; at < 40; at++) sockets.push(await openSocket(server.url, member))
  for (const ended of sockets.slice(0, 8)) expect(await ended.closed).toBe(4008)
  const rest = sockets.slice(8)
  for (const socket of rest) socket.send({ type: 'authenticate', userId: member.user.id })
  for (const socket of rest) await socket.next('authenticated')
  for (const socket of rest) socket.close()
})

test('a flood of frames closes its socket', async () => {
  const member = await server.signUp()
  const [busy, flooding] = [await member.socket(), await member.socket()]
  const frame = { type: 'received', connectionId: '01890000-0000-7000-8000-000000000000', seq: 3 } as const
  for (let at = 0; at < 298; at++) for (const socket of [busy, flooding]) socket.send(frame)
  await busy.settled()
  server.clock.advance(10_000)
  for (let at = 0; at < 298; at++) busy.send(frame)
  await busy.settled()
  expect(busy.raw.readyState).toBe(busy.raw.OPEN)
  for (let at = 0; at < 301; at++) flooding.send(frame)
  expect(await flooding.closed).toBe(4009)
  busy.close()
})

/** The server's answer to a request for a socket. */
async function rawUpgrade(path: string, headers: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(server.url)
  const stream = connect(Number(port), hostname)
  const lines = [`GET ${path} HTTP/1.1`, ...headers, 'Upgrade: websocket', 'Connection: Upgrade', '', '']
  stream.write(lines.join('\r\n'))
  const [answer] = (await once(stream, 'data')) as [Buffer]
  stream.destroy()
  return answer.toString()
}

describe('upgrades are limited as calls are', () => {
  const { requests, window } = rateLimits.other
  const refuse = (caller: Caller, address: string) =>
    openSocket(server.url, caller, { 'x-forwarded-for': address }).then(
      () => 'opened',
      (error: Error) => error.message,
    )

  test('those without a session by address', async () => {
    const visitor = server.visitor()
    for (let at = 0; at < requests; at++) expect(await refuse(visitor, '10.9.9.1')).toBe('refused with 401')
    expect(await refuse(visitor, '10.9.9.1')).toBe('refused with 429')
    const answer = await rawUpgrade('/ws', [`Host: ${new URL(server.url).host}`, 'X-Forwarded-For: 10.9.9.1'])
    expect(answer).toMatch(/^HTTP\/1.1 429 [^]*\r\nretry-after: 10\r\n[^]*"code":"RATE_LIMITED"/)
    expect(await refuse(visitor, '10.9.9.2')).toBe('refused with 401')
    server.clock.advance(window)
    expect(await refuse(visitor, '10.9.9.1')).toBe('refused with 401')
  })

  test('those with one by account, together with its calls', async () => {
    const member = await server.signUp()
    for (let at = 0; at < requests; at++) await member.call(session.getUser, {})
    expect(await refuse(member, '10.9.9.3')).toBe('refused with 429')
    server.clock.advance(window)
    expect(await refuse(member, '10.9.9.3')).toBe('opened')
  })
})

test.each([
  ['two hosts', ['Host: localhost', 'Host: evil.example']],
  ['no host', []],
])('an upgrade with %s is refused as a call is', async (_what, headers) => {
  expect(await rawUpgrade('/ws', headers)).toMatch(/^HTTP\/1.1 400 [^]*"code":"INVALID_INPUT"/)
})

test('an upgrade of no address is refused', async () => {
  expect(await rawUpgrade('//', ['Host: localhost'])).toMatch(/^HTTP\/1.1 400 /)
})
