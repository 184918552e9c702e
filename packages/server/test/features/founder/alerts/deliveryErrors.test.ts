import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loadConfig } from '../../../../src/core/config/config.ts'
import { retryDelaysMs, transportOptions } from '../../../../src/core/mail/mailer.ts'
import {
  claimDelivery,
  insertDelivery,
  markDelivery,
  selectDeliveriesOf,
} from '../../../../src/features/founder/alerts/queries.ts'
import {
  type AlertServer,
  choose,
  createAlertServer,
  listed,
  raise,
  settled,
  toEmail,
} from '../../../support/founder/alerts.ts'
import { freePort } from '../../../support/services/mailServer.ts'
import { refuse } from '../../../support/database/schema.ts'

let scene: AlertServer
beforeEach(async () => {
  scene = await createAlertServer()
})
afterEach(() => scene[Symbol.asyncDispose]())

const lock = { type: 'account_locked', address: '10.1.1.1' } as const

test('a mail server that refuses for now is asked again, with pauses, and then given up', async () => {
  const { server, mail, lines } = scene
  await choose(server, toEmail)
  mail.refuseWith(451)
  await raise(server, lock)
  for (const [at, pause] of retryDelaysMs.entries()) {
    await mail.seen(at + 1)
    await expect
      .poll(async () => (await listed(server))[0]?.deliveries)
      .toEqual([{ channel: 'email', state: 'waiting', reason: 'busy', nextAt: server.clock.now() + pause }])
    await server.advance(pause)
  }
  const alert = await settled(server, { email: 'failed' })
  expect(alert?.deliveries[0]).toEqual({ channel: 'email', state: 'failed', reason: 'busy' })
  expect(lines.filter((line) => line.includes('given up'))).toHaveLength(1)
  expect(lines.join()).not.toContain('security@example.com')
  await server.advance(24 * 60 * 60_000)
  await mail.seen(retryDelaysMs.length + 1)
  expect((await listed(server))[0]?.deliveries[0]?.state).toBe('failed')
})

test('a lasting refusal is given up at once', async () => {
  const { server, mail } = scene
  await choose(server, toEmail)
  mail.refuseWith(550)
  await raise(server, lock)
  expect((await settled(server, { email: 'failed' }))?.deliveries[0]?.reason).toBe('refused')
})

test('what waits outlives a restart, and is sent once', async () => {
  const { server, mail } = scene
  await choose(server, toEmail)
  mail.refuseWith(451)
  await raise(server, lock)
  await settled(server, { email: 'waiting' })
  await mail.seen(1)
  await server.app.close()
  mail.refuseWith(undefined)
  server.clock.advance(retryDelaysMs[0])
  await server.start()
  await settled(server, { email: 'sent' })
  await server.restart()
  await server.advance(60 * 60_000)
  expect(mail.delivered).toHaveLength(1)
})

test('an alert that was queued when the process died is sent after the next start', async () => {
  const { server, mail } = scene
  await choose(server, toEmail)
  // The state after a kill: the alert is stored, and nothing has triggered its delivery.
  server.core.bus.publish = () => {}
  await raise(server, lock)
  expect((await listed(server))[0]?.deliveries[0]?.state).toBe('waiting')
  await server.restart()
  await settled(server, { email: 'sent' })
  expect(mail.delivered).toHaveLength(1)
})

test('one that was sent and could not be noted as sent is not sent again', async () => {
  const { server, mail } = scene
  await choose(server, toEmail)
  const allow = await refuse(server.core.db, 'alert_deliveries', { before: 'update' })
  await raise(server, lock)
  await expect.poll(() => scene.lines.join()).toContain('alerts wait')
  await server.advance(60_000)
  await allow()
  await server.advance(10_000)
  await settled(server, { email: 'sent' })
  expect(mail.delivered).toHaveLength(1)
})

test('a process that was taken for gone leaves the result of the one that has sent since', async () => {
  const { server } = scene
  const { db } = server.core
  await raise(server, lock)
  const { id = '' } = (await listed(server))[0] ?? {}
  await db.write((tx) => insertDelivery(tx, id, { channel: 'sms', next_at: null, reason: null }))
  const row = (await selectDeliveriesOf(db.read, id)).find(({ channel }) => channel === 'sms')
  if (row === undefined) throw new Error('no delivery')
  for (const process of ['paused', 'other'])
    expect((await db.write((tx) => claimDelivery(tx, row, process))).changes).toBe(1)
  const outcome = { channel: 'sms', failures: 0, reason: null, next_at: null } as const
  await db.write((tx) => markDelivery(tx, id, { ...outcome, state: 'failed' }, 'paused'))
  await db.write((tx) => markDelivery(tx, id, { ...outcome, state: 'sent' }, 'other'))
  await db.write((tx) => markDelivery(tx, id, { ...outcome, state: 'failed' }, 'paused'))
  expect((await listed(server))[0]?.deliveries).toContainEqual({ channel: 'sms', state: 'sent' })
})

test('nobody waits for a mail server that never answers, and the attempt ends', async () => {
  const taken: Socket[] = []
  const silent = createServer((socket) => void taken.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await using own = await createAlertServer({ smtp: false, env: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  const { server } = own
  await choose(server, { ...toEmail, alertTypes: ['account_locked'] })
  const anna = await server.signUp('anna')
  const stranger = server.visitor()
  for (let guess = 0; guess < limits.failedSignIns; guess++)
    await stranger.refused(session.login, { body: { username: 'anna', password: 'x' } })
  await expect.poll(() => taken).not.toHaveLength(0)
  // Calls are served while the mail server is silent.
  await anna.call(session.getUser, {})
  expect((await listed(server))[0]?.deliveries).toMatchObject([{ state: 'waiting' }])
  server.clock.advance(limits.alertMailAttempt)
  expect((await settled(server, { email: 'waiting' }))?.deliveries[0]).toMatchObject({ channel: 'email' })
  await expect.poll(async () => (await listed(server))[0]?.deliveries[0]?.reason).toBe('timeout')
  // Stopping the server does not wait for it either.
  await raise(server, { ...lock, address: '10.1.1.9' })
  await expect.poll(() => taken.length).toBeGreaterThan(1)
  await server.app.close()
  await server.start()
  for (const socket of taken) socket.destroy()
  silent.close()
})

test('a mail server that is slow to take a letter gets it once', async () => {
  const { server, mail } = scene
  await choose(server, toEmail)
  const answer = mail.hold()
  await raise(server, lock)
  await expect.poll(() => mail.held()).toBe(1)
  server.clock.advance(limits.alertAttempt)
  await expect.poll(async () => (await listed(server))[0]?.deliveries).toHaveLength(1)
  await server.advance(retryDelaysMs[0])
  answer()
  await settled(server, { email: 'sent' })
  expect(mail.delivered).toHaveLength(1)
})

test('nodemailer gives up before the attempt does', () => {
  const { mail } = loadConfig({ SMTP_URL: 'smtp://mail.example.org' })
  const options = transportOptions(mail as NonNullable<typeof mail>)
  const { dnsTimeout, connectionTimeout, greetingTimeout, socketTimeout } = options
  // The socket timeout applies to each response, and an email has several.
  expect(dnsTimeout + connectionTimeout + greetingTimeout + 4 * socketTimeout).toBeLessThan(limits.alertMailAttempt)
})

test('a mail server that is down', async () => {
  await using own = await createAlertServer({
    smtp: false,
    env: { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` },
  })
  await choose(own.server, toEmail)
  await raise(own.server, lock)
  await expect
    .poll(async () => (await listed(own.server))[0]?.deliveries[0])
    .toMatchObject({ state: 'waiting', reason: 'unreachable' })
})

test('alerts are forgotten after 30 days', async () => {
  const { server } = scene
  await raise(server, lock)
  await settled(server, { log: 'logged' })
  await server.advance(limits.alertsKept + 60 * 60_000)
  expect(await listed(server)).toEqual([])
  expect(await server.core.db.read.all('select 1 from alert_deliveries')).toEqual([])
})
