import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { auditLogs } from '@privity/contract/auditLogs'
import { organizationPolicy } from '@privity/contract/organization'
import { session } from '@privity/contract/session'
import { support } from '@privity/contract/support'
import { expect, test } from 'vitest'
import type { BusEvents } from '../../src/core/cluster/bus.ts'
import { audit } from '../../src/core/audit/audit.ts'
import { listDownloads } from '../../src/features/files/activeTransfers.ts'
import { createGate } from '../support/server/gate.ts'
import { createTestServer, type TestServer } from '../support/server/testServer.ts'
import type { Caller } from '../support/server/caller.ts'
import { signInFounder } from '../support/founder/founder.ts'
import { createMailServer } from '../support/services/mailServer.ts'
import { createOrganization, join } from '../support/scenes/organization.ts'
import { address } from '../support/founder/platformExport.ts'
import { ask } from '../support/database/storedBytes.ts'
import { approve, createTalk, randomFile } from '../support/scenes/conversation.ts'
import { newAddress, startPut, untilArriving } from '../support/scenes/uploads.ts'

type Asks = (...given: never[]) => unknown

/** Records the queries after the database has begun to close. */
function watchClosed({ db }: TestServer['core']): string[] {
  const asked: string[] = []
  let isClosed = false
  function watch<Key extends string>(of: Record<Key, Asks>, key: Key): void {
    const answer = of[key].bind(of)
    of[key] = (...given) => {
      if (isClosed) asked.push(`${key}: ${String(given[0])}`)
      return answer(...given)
    }
  }
  watch(db.read, 'get')
  watch(db.read, 'all')
  watch(db.read.kysely.getExecutor(), 'executeQuery')
  watch(db, 'write')
  watch(db, 'purgeDeletedRows')
  const { close } = db
  db.close = () => {
    isClosed = true
    return close()
  }
  return asked
}

const turns = async (count = 100) => {
  for (let turn = 0; turn < count; turn++) await setImmediate()
}

/** Triggers everything that could query after a stop: timers of two days, and notices from other processes. */
async function goOn({ clock, core: { bus } }: TestServer): Promise<void> {
  for (const step of [100, 3_000, 60_000, 60 * 60_000, 24 * 60 * 60_000, 24 * 60 * 60_000]) {
    clock.advance(step)
    await turns()
  }
  const notices: Partial<BusEvents> = {
    policyChanged: { organizationId: 'any' },
    internalError: { route: 'GET /api/user' },
    alertQueued: {},
    messageFlagged: { rule: 'report', senderId: 'any' },
    signalsStored: {},
    eventsLost: {},
    eventsRestored: {},
  }
  for (const [kind, event] of Object.entries(notices)) bus.publishHere(kind as keyof BusEvents, event as never)
  await turns()
}

type Closes = (server: TestServer, browser: Caller, path: string) => Promise<() => void>

/** A browser that reads a response; resolves with a function that closes all connections. */
const readUntilCut: Closes = async ({ url, app }, browser, path) => {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const request = get(url + path, { headers: { cookie }, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return () => app.app.server.closeAllConnections()
}

/** The same, while reading the audit log lasts until the database begins to close, or longer than a stop may take. */
const exportUntilCut: Closes = async (server, browser, path) => {
  const { db } = server.core
  const { read, close } = db
  const { all } = read
  const gate = createGate()
  read.all = async (sql, params) => {
    if (sql.includes('from audit_log')) await gate.pass()
    return all(sql, params)
  }
  db.close = () => {
    gate.open()
    return close()
  }
  const cut = readUntilCut(server, browser, path)
  await gate.reached
  return () => {
    void cut.catch(() => {})
    server.app.app.server.closeAllConnections()
    void turns(10_000).then(gate.open)
  }
}

/**
 * Work in progress when the server stops, by name; each may resolve with a function to run after the stop has begun.
 */
const scenes: Record<string, (server: TestServer) => Promise<(() => void) | void>> = {
  async 'nothing at all'() {},
  async 'browsers that look on'(server) {
    const { anna, ben } = await createTalk(server)
    await anna.socket()
    await ben.socket()
  },
  async 'a browser that has just gone'(server) {
    const { anna, ben } = await createTalk(server)
    await ben.socket()
    const socket = await anna.socket()
    socket.close()
    await expect.poll(() => server.core.sockets.isOnline(anna.user.id)).toBe(false)
  },
  async 'a browser that has just acknowledged a message'(server) {
    const { anna, ben, connection, send } = await createTalk(server)
    await send(anna)
    const socket = await ben.socket()
    socket.send({ type: 'received', connectionId: connection.id, seq: 1 })
    await socket.settled()
  },
  async 'a call whose caller has gone'(server) {
    const { user } = await server.signUp()
    const { passwords } = server.core
    const { verify } = passwords
    const gate = createGate()
    passwords.verify = async (...given) => {
      await gate.pass()
      return verify(...given)
    }
    const { port } = new URL(server.url)
    const stream = connect(Number(port), '127.0.0.1')
    const body = JSON.stringify({ username: user.username, password: 'wrong' })
    const head = `POST /api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
    stream.write(`${head}\r\n\r\n${body}`)
    await gate.reached
    stream.destroy()
    return gate.open
  },
  async 'an upload that is cut off'(server) {
    const anna = await server.signUp()
    const path = await newAddress(anna)
    startPut(server, anna, path, 'content-length: 100000', randomFile(70_000))
    await untilArriving(server, path)
    return () => server.app.app.server.closeAllConnections()
  },
  async 'a download that is cut off'(server) {
    const { anna, ben, sendFile } = await createTalk(server)
    const { filePath } = await sendFile(anna, randomFile(20_000_000))
    await approve(anna, ben, filePath)
    const cut = await readUntilCut(server, ben, filePath)
    expect(listDownloads()).toHaveLength(1)
    return cut
  },
  async 'an export of the log that is cut off'(server) {
    const organizationId = await createOrganization(server, 'Chambers')
    const admin = await join(server, 'org_admin', { organizationId })
    const { downloadURL } = await admin.call(auditLogs.createExport, { query: {} })
    return exportUntilCut(server, admin, downloadURL)
  },
  async 'an export of the whole log that is cut off'(server) {
    const dates = { startDate: new Date(server.clock.now() - 1_000), endDate: new Date(server.clock.now()) }
    const query = { format: 'json', startDate: dates.startDate.toISOString(), endDate: dates.endDate.toISOString() }
    return exportUntilCut(server, await signInFounder(server), address(query))
  },
  async 'a policy that has just changed'(server) {
    const organizationId = await createOrganization(server, 'Chambers')
    const admin = await join(server, 'org_admin', { organizationId })
    await admin.socket()
    await admin.call(organizationPolicy.update, { body: { screenshotProtection: true } })
  },
  async 'a lock that raises an alert'(server) {
    const { user } = await server.signUp()
    const stranger = server.visitor()
    const body = { username: user.username, password: 'wrong' }
    for (let guess = 0; guess < 5; guess++) await stranger.refused(session.login, { body })
  },
}

test.each(Object.keys(scenes))('%s: once the database is told to close, nobody asks it anything', async (name) => {
  await using server = await createTestServer()
  const asked = watchClosed(server.core)
  const meanwhile = await scenes[name]?.(server)
  const closing = server.app.close()
  await turns()
  meanwhile?.()
  await closing
  await goOn(server)
  expect(asked).toEqual([])
})

test('what a browser has acknowledged is kept, however soon the server stops', async () => {
  await using server = await createTestServer()
  const { anna, ben, connection, send } = await createTalk(server)
  await send(anna)
  const socket = await ben.socket()
  socket.send({ type: 'received', connectionId: connection.id, seq: 1 })
  await socket.settled()
  await server.app.close()
  const rows = await ask<{ seq: number }>(
    server.dataDir,
    'select delivered_seq_1 + delivered_seq_2 as seq from connections where id = ?',
    [connection.id],
  )
  expect(rows).toEqual([{ seq: 1 }])
})

test('an email that the mail server accepts during the stop counts as sent at the next start', async () => {
  await using mail = await createMailServer()
  await using server = await createTestServer({ env: { SMTP_URL: mail.url, SUPPORT_EMAIL: 'help@example.org' } })
  const asked = watchClosed(server.core)
  const anna = await server.signUp()
  const answer = mail.hold()
  await anna.call(support.create, { body: { subject: 'Help', category: 'connections', message: 'Please.' } })
  await expect.poll(() => mail.held()).toBe(1)
  const closing = server.app.close()
  await turns()
  answer()
  await closing
  expect(asked).toEqual([])
  await server.start()
  await server.advance(2 * 60 * 60_000)
  await mail.seen(1)
  expect(mail.delivered).toHaveLength(1)
})

test('what is written down while the server stops is signed', async () => {
  await using server = await createTestServer()
  const { user } = await server.signUp()
  const gate = createGate()
  const { db, background, clock } = server.core
  background.run('an entry', async () => {
    await gate.pass()
    await db.write((tx) => audit(tx, { action: 'session_ended', actorId: user.id, at: clock.now() }))
  })
  const closing = server.app.close()
  await turns()
  gate.open()
  await closing
  const [end] = await ask<{ seq: number; action: string }>(
    server.dataDir,
    'select seq, action from audit_log order by seq desc limit 1',
  )
  expect(end?.action).toBe('session_ended')
  expect(await ask(server.dataDir, 'select max(seq) as seq from audit_heads')).toEqual([{ seq: end?.seq }])
})

test('what never ends is left behind by a stop, once, with a line in the log', async () => {
  await using server = await createTestServer()
  const { log, background } = server.core
  const lines: unknown[] = []
  log.error = (...line: unknown[]) => void lines.push(line)
  void background.track(new Promise(() => {}))
  await server.app.close()
  expect(lines).toEqual([[{ underWay: 1 }, expect.stringContaining('does not end')]])
})
