import { rename } from 'node:fs/promises'
import { founderSessions } from '@privity/contract/founder/session'
import { limits } from '@privity/contract/limits'
import { session } from '@privity/contract/session'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type AlertServer,
  choose,
  createAlertServer,
  listed,
  raise,
  settled,
  toEmail,
} from '../../../support/founder/alerts.ts'

let scene: AlertServer
beforeEach(async () => {
  scene = await createAlertServer()
})
afterEach(() => scene[Symbol.asyncDispose]())

/** Emails to the founder; members get emails of their own. */
const letters = () => scene.mail.delivered.filter(({ source }) => /^Subject: \[Privity\]/m.test(source))
const subjects = () => letters().map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1]?.trim())
const textOf = (at: number) => letters()[at]?.source.replaceAll('=\r\n', '') ?? ''

const incident = {
  id: 'one',
  by: 'account',
  severity: 'high',
  description: 'What the rule says',
  userIds: [],
  addresses: ['10.9.9.9'],
  eventCount: 7,
  lastSeen: 0,
} as const

describe('what happens is told', () => {
  test('a locked account is mailed with its name and address, and nothing of what was typed', async () => {
    const { server } = scene
    await choose(server, { ...toEmail, alertTypes: ['account_locked'] })
    const anna = await server.signUp('anna')
    const stranger = server.visitor()
    for (let guess = 0; guess < limits.failedSignIns; guess++)
      await stranger.refused(session.login, { body: { username: 'anna', password: `guess ${guess}` } })
    await settled(server, { email: 'sent' })
    expect(letters()).toHaveLength(1)
    expect(letters()[0]).toMatchObject({ from: 'privity@example.org', to: ['security@example.com'] })
    expect(subjects()).toEqual(['[Privity] Account locked'])
    for (const part of ['Account: anna', `Address: ${stranger.address}`, 'Content-Type: text/plain'])
      expect(textOf(0)).toContain(part)
    for (const part of ['guess', anna.user.email, 'First anna', anna.user.id]) expect(textOf(0)).not.toContain(part)
  })

  test('a lock of a name that nobody has says so, and keeps no name', async () => {
    const { server } = scene
    await choose(server, { alertTypes: ['account_locked'] })
    const stranger = server.visitor()
    for (let guess = 0; guess < limits.failedSignIns; guess++)
      await stranger.refused(session.login, { body: { username: 'nobody-at-all', password: 'x' } })
    const alert = await settled(server, { log: 'logged' })
    expect(alert).toMatchObject({ type: 'account_locked', subject: stranger.address })
    expect(scene.lines.join()).not.toContain('nobody-at-all')
  })

  test("a lock of the founder's account, by its username, and the attack on it", async () => {
    const { server } = scene
    await choose(server, { ...toEmail, alertTypes: ['account_locked', 'failed_logins'] })
    const { username } = server.core.config.founder
    const stranger = server.visitor()
    for (let guess = 0; guess < limits.failedSignIns; guess++)
      await stranger.refused(founderSessions.login, { body: { username, password: `guess ${guess}` } })
    await expect
      .poll(async () => (await listed(server)).map(({ type, subject }) => [type, subject]).toSorted())
      .toEqual([
        ['account_locked', username],
        ['failed_logins', username],
      ])
    await scene.mail.seen(2)
    for (const at of [0, 1]) expect(textOf(at)).toContain(`Account: ${username}`)
  })

  test('a lock of an unknown name in the founder’s sign-in is reported by its address alone', async () => {
    const { server } = scene
    await choose(server, { alertTypes: ['account_locked'] })
    const stranger = server.visitor()
    for (let guess = 0; guess < limits.failedSignIns; guess++)
      await stranger.refused(founderSessions.login, { body: { username: 'somebody-else', password: 'x' } })
    expect(await settled(server, { log: 'logged' })).toMatchObject({ subject: stranger.address })
  })

  test('an error inside the server: the call, never its address', async () => {
    const { server } = scene
    await choose(server, toEmail)
    const anna = await server.signUp()
    await server.core.db.write((tx) => tx.run('drop table preferences'))
    const answer = await anna.request('GET', '/api/preferences?secret=1')
    expect(answer.status).toBe(500)
    const alert = await settled(server, { email: 'sent' })
    expect(alert).toMatchObject({ type: 'system_error', subject: 'GET /api/preferences' })
    expect(textOf(0)).toContain('Call: GET /api/preferences')
    expect(textOf(0)).not.toContain('secret')
  })

  test('files that cannot be reached', async () => {
    const { server } = scene
    await rename(`${server.dataDir}/objects`, `${server.dataDir}/gone`)
    await server.advance(15_000)
    await server.advance(60_000)
    expect(await settled(server, { log: 'logged' })).toMatchObject({ type: 'system_error', subject: 'files' })
    await rename(`${server.dataDir}/gone`, `${server.dataDir}/objects`)
  })

  test('a database that takes nothing, once it takes something again', async () => {
    const { server } = scene
    const alerts = () => server.core.db.read.all<{ subject: string }>('select subject from alerts')
    const write = vi.spyOn(server.core.db, 'write').mockRejectedValue(new Error('the disk is gone'))
    await server.advance(15_000)
    await server.advance(60_000)
    write.mockRestore()
    await server.advance(15_000)
    expect(await alerts()).toEqual([])
    await server.advance(60_000)
    expect(await settled(server, { log: 'logged' })).toMatchObject({ type: 'system_error', subject: 'database' })
    await server.advance(60_000)
    expect(await alerts()).toEqual([{ subject: 'health database' }])
    expect(await server.core.db.read.all('select held_back from alert_windows')).toEqual([{ held_back: 0 }])
  })

  test('many failed sign-ins, by the rule of the incidents', async () => {
    const { server } = scene
    await choose(server, { ...toEmail, alertTypes: ['failed_logins'] })
    await server.signUp('anna')
    const stranger = server.visitor()
    for (let guess = 0; guess < 5; guess++)
      await stranger.refused(session.login, { body: { username: 'anna', password: 'x' } })
    expect(await settled(server, { email: 'sent' })).toMatchObject({ type: 'failed_logins', subject: 'anna' })
    expect(textOf(0)).toContain('Events: 5')
  })

  test('passwords tried at many accounts from one network are reported by its address', async () => {
    const { server } = scene
    await choose(server, { ...toEmail, alertTypes: ['failed_logins'] })
    for (let n = 0; n < 5; n++) await server.signUp(`person${n}`, { address: `10.8.${n}.1`, keys: false })
    const stranger = server.visitor()
    for (let n = 0; n < 5; n++)
      await stranger.refused(session.login, { body: { username: `person${n}`, password: 'x' } })
    expect(await settled(server, { email: 'sent' })).toMatchObject({ type: 'failed_logins', subject: stranger.address })
    expect(textOf(0)).not.toContain('person')
  })

  test('many sign-ups from one address, by the rule of the incidents', async () => {
    const { server } = scene
    await choose(server, { ...toEmail, alertTypes: ['mass_signup'] })
    for (let n = 0; n < 5; n++) await server.signUp(`person${n}`, { address: '10.9.9.9', keys: false })
    expect(await settled(server, { email: 'sent' })).toMatchObject({ type: 'mass_signup', subject: '10.9.9.9' })
    expect(subjects()).toEqual(['[Privity] Mass signup'])
  })

  test('a flagged message: its sender, and nothing of what it says', async () => {
    const { server } = scene
    await choose(server, toEmail)
    const { user } = await server.signUp('anna')
    server.core.bus.publish('messageFlagged', { rule: 'bulk', senderId: user.id })
    expect(await settled(server, { email: 'sent' })).toMatchObject({ type: 'flagged_message', subject: 'anna' })
    expect(textOf(0)).toContain('Account: anna')
  })

  test('other incidents, and types that are off, are not told', async () => {
    const { server } = scene
    await choose(server, { alertTypes: ['mass_signup'] })
    for (const type of ['suspicious_user_behavior', 'brute_force_attack', 'rapid_account_creation'] as const)
      server.core.bus.publish('incidentOpened', { ...incident, id: type, type })
    await settled(server, { log: 'logged' })
    expect((await listed(server)).map(({ type }) => type)).toEqual(['mass_signup'])
  })

  test('a name or address cannot add headers, lines or tags, whatever a row holds', async () => {
    const { server } = scene
    await choose(server, toEmail)
    const { user } = await server.signUp()
    const name = 'a\r\nBcc: evil@example.org\r\n\r\n<script>alert(1)</script>'
    await server.core.db.write((tx) => tx.run('update users set username = ? where id = ?', [name, user.id]))
    await raise(server, { type: 'account_locked', userId: user.id, address: '<b>\r\nX-Evil: 1' })
    await settled(server, { email: 'sent' })
    expect(scene.mail.delivered[0]?.to).toEqual(['security@example.com'])
    expect(textOf(0)).not.toMatch(/^(Bcc|X-Evil):/im)
    expect(textOf(0)).not.toMatch(/[<](b|script)/)
  })
})

describe('one alert a quarter of an hour', () => {
  const lock = { type: 'account_locked', address: '10.1.1.1' } as const

  test('the same again is counted, and told once when the time is over', async () => {
    const { server } = scene
    await choose(server, toEmail)
    await raise(server, lock)
    await settled(server, { email: 'sent' })
    for (let more = 0; more < 3; more++) {
      await server.advance(4 * 60_000)
      await raise(server, lock)
    }
    expect(await listed(server)).toHaveLength(1)
    await server.advance(limits.alertWindow - 12 * 60_000 - 1)
    expect(await listed(server)).toHaveLength(1)
    await server.advance(10_000)
    await settled(server, { email: 'sent' })
    expect((await listed(server)).map(({ kind, heldBack }) => [kind, heldBack])).toEqual([
      ['digest', 3],
      ['alert', 0],
    ])
    expect(subjects()).toEqual(['[Privity] Account locked', '[Privity] More of: Account locked'])
    expect(textOf(1)).toContain('happened 3 more times')
    // The digest counts as an alert, too: later events are held back again.
    await raise(server, lock)
    await server.advance(limits.alertWindow - 60_000)
    expect(await listed(server)).toHaveLength(2)
    await server.advance(60_000)
    await expect.poll(() => listed(server)).toHaveLength(3)
    // After a quiet period, nothing is held back.
    await server.advance(2 * limits.alertWindow)
    await raise(server, lock)
    expect((await listed(server))[0]).toMatchObject({ kind: 'alert', heldBack: 0 })
  })

  test('the millisecond before the end is held back, the one at it is not', async () => {
    const { server } = scene
    await raise(server, lock)
    server.clock.advance(limits.alertWindow - 1)
    await raise(server, lock)
    expect(await listed(server)).toHaveLength(1)
    server.clock.advance(1)
    await expect.poll(() => listed(server)).toHaveLength(2)
    await server.advance(10_000)
    expect((await listed(server))[0]).toMatchObject({ kind: 'digest', heldBack: 1 })
  })

  test('another subject and another type are told at once', async () => {
    const { server } = scene
    await raise(server, lock)
    await raise(server, { ...lock, address: '10.1.1.2' })
    await raise(server, { type: 'failed_logins', address: '10.1.1.1' })
    expect(await listed(server)).toHaveLength(3)
  })

  test('several at the same moment are one alert', async () => {
    const { server } = scene
    await Promise.all(Array.from({ length: 20 }, () => raise(server, lock)))
    expect(await listed(server)).toHaveLength(1)
    await server.advance(limits.alertWindow)
    await expect.poll(async () => (await listed(server))[0]).toMatchObject({ kind: 'digest', heldBack: 19 })
  })

  test('of a flood with ever new subjects the first are told, the rest in one digest', async () => {
    const { server } = scene
    for (let n = 0; n < limits.alertSubjects + 30; n++) await raise(server, { ...lock, address: `10.2.0.${n}` })
    expect(await listed(server)).toHaveLength(limits.alertSubjects)
    await server.advance(limits.alertWindow)
    await expect.poll(() => listed(server)).toHaveLength(limits.alertSubjects + 1)
    expect((await listed(server))[0]).toMatchObject({ kind: 'digest', heldBack: 30, subject: 'several others' })
  })

  test('what was held back outlives a restart, and is dropped with a type that is switched off', async () => {
    const { server } = scene
    await raise(server, lock)
    await raise(server, lock)
    await raise(server, { type: 'mass_signup', address: '10.1.1.1' })
    await raise(server, { type: 'mass_signup', address: '10.1.1.1' })
    await choose(server, { alertTypes: ['mass_signup'] })
    await server.app.close()
    server.clock.advance(limits.alertWindow)
    await server.start()
    await expect.poll(async () => (await listed(server))[0]).toMatchObject({ kind: 'digest', type: 'mass_signup' })
    expect((await listed(server)).filter(({ kind }) => kind === 'digest')).toHaveLength(1)
  })
})
