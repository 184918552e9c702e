import type { AlertType } from '@privity/contract/founder/alerts'
import { limits } from '@privity/contract/limits'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../../src/core/config/config.ts'
import { retryDelaysMs } from '../../../../src/core/mail/mailer.ts'
import { queueAlert } from '../../../../src/features/founder/alerts/queue.ts'
import {
  choose,
  createAlertServer,
  listed,
  raise,
  sendgrid,
  settled,
  toEmail,
  toPhone,
  twilio,
} from '../../../support/founder/alerts.ts'

const lock = { type: 'account_locked', address: '10.1.1.1' } as const

const ways = [
  ['SendGrid', 'email', sendgrid, toEmail],
  ['Twilio', 'sms', twilio, toPhone],
] as const

describe('what the services are asked', () => {
  test('SendGrid: its key, plain text, one recipient, no tracking', async () => {
    await using scene = await createAlertServer({ smtp: false, env: sendgrid })
    await choose(scene.server, toEmail)
    await raise(scene.server, lock)
    await settled(scene.server, { email: 'sent' })
    expect(scene.services.asked).toHaveLength(1)
    const [asked] = scene.services.asked
    expect(asked).toMatchObject({ method: 'POST', path: '/v3/mail/send' })
    expect(asked?.headers).toMatchObject({
      authorization: `Bearer ${sendgrid.SENDGRID_API_KEY}`,
      'content-type': 'application/json',
    })
    const body = JSON.parse(asked?.body ?? '') as { content: { type: string; value: string }[] }
    expect(body).toMatchObject({
      personalizations: [{ to: [{ email: 'security@example.com' }] }],
      from: { email: 'privity@example.org' },
      subject: '[Privity] Account locked',
      tracking_settings: { click_tracking: { enable: false }, open_tracking: { enable: false } },
    })
    expect(body.content).toEqual([{ type: 'text/plain', value: expect.stringContaining('Address: 10.1.1.1') }])
  })

  test('Twilio: its account and token, a form with number, sender and a short text', async () => {
    await using scene = await createAlertServer({ smtp: false, env: twilio })
    await choose(scene.server, { ...toPhone, smsPhoneNumber: '15550199' })
    await raise(scene.server, lock)
    await settled(scene.server, { sms: 'sent' })
    const [asked] = scene.services.asked
    const { TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token } = twilio
    expect(asked).toMatchObject({ method: 'POST', path: `/2010-04-01/Accounts/${sid}/Messages.json` })
    expect(asked?.headers).toMatchObject({
      authorization: `Basic ${Buffer.from(`${sid}:${token}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    })
    const form = Object.fromEntries(new URLSearchParams(asked?.body))
    expect(form).toEqual({ To: '+15550199', From: '+15550100', Body: expect.stringContaining('Account locked') })
    expect(form['Body']?.length).toBeLessThan(161)
  })

  test('a messaging service stands in the place of the number', async () => {
    const service = `MG${'0123456789abcdef'.repeat(2)}`
    await using scene = await createAlertServer({ smtp: false, env: { ...twilio, TWILIO_FROM: service } })
    await choose(scene.server, toPhone)
    await raise(scene.server, lock)
    await settled(scene.server, { sms: 'sent' })
    const form = new URLSearchParams(scene.services.asked[0]?.body)
    expect([form.get('MessagingServiceSid'), form.get('From')]).toEqual([service, null])
  })

  test('both channels are used, each by itself: one that fails does not hold up the other', async () => {
    await using scene = await createAlertServer({ env: twilio })
    scene.services.answerWith(500)
    await choose(scene.server, { ...toEmail, ...toPhone })
    await raise(scene.server, lock)
    await expect
      .poll(async () => (await listed(scene.server))[0]?.deliveries)
      .toMatchObject([
        { channel: 'email', state: 'sent' },
        { channel: 'sms', state: 'waiting', reason: 'trouble' },
      ])
  })

  test('with SMTP_URL and a key, the mail server is used', async () => {
    await using scene = await createAlertServer({ env: sendgrid })
    await choose(scene.server, toEmail)
    await raise(scene.server, lock)
    await settled(scene.server, { email: 'sent' })
    expect([scene.mail.delivered.length, scene.services.asked.length]).toEqual([1, 0])
  })
})

describe.each(ways)('trouble with %s', (_name, channel, env, channels) => {
  test.each([
    [429, 'waiting', 'busy'],
    [500, 'waiting', 'trouble'],
    [503, 'waiting', 'trouble'],
    [401, 'waiting', 'credentials'],
    [403, 'waiting', 'credentials'],
    [302, 'waiting', 'redirected'],
    [307, 'waiting', 'redirected'],
    [400, 'failed', 'refused'],
    [413, 'failed', 'refused'],
  ] as const)('%d: %s, %s', async (status, state, reason) => {
    await using scene = await createAlertServer({ smtp: false, env })
    scene.services.answerWith(status)
    await choose(scene.server, channels)
    await raise(scene.server, lock)
    await expect
      .poll(async () => (await listed(scene.server))[0]?.deliveries)
      .toMatchObject([{ channel, state, reason }])
    // The redirect was not followed.
    expect(scene.services.asked).toHaveLength(1)
    const logged = scene.lines.join()
    for (const secret of [...Object.values(env), 'security@example.com', '15550199', 'echo'])
      expect(logged).not.toContain(secret)
    if (state === 'failed') return
    scene.services.answerWith(202)
    await scene.server.advance(retryDelaysMs[0])
    await settled(scene.server, { [channel]: 'sent' })
    expect(scene.services.asked).toHaveLength(2)
  })

  test('one that never answers costs one attempt and nobody a wait', async () => {
    await using scene = await createAlertServer({ smtp: false, env })
    scene.services.answerWith('nothing')
    await choose(scene.server, channels)
    await raise(scene.server, lock)
    await expect.poll(() => scene.services.asked).toHaveLength(1)
    scene.server.clock.advance(limits.alertAttempt)
    await expect
      .poll(async () => (await listed(scene.server))[0]?.deliveries)
      .toMatchObject([{ channel, state: 'waiting', reason: 'timeout' }])
  })
})

test(
  'beyond twenty text messages an hour, alerts go by email and log only, and say so',
  { timeout: 20_000 },
  async () => {
    await using scene = await createAlertServer({ env: twilio })
    const { server, services } = scene
    await choose(server, { ...toEmail, ...toPhone })
    const types = ['account_locked', 'failed_logins', 'system_error'] as const
    for (let n = 0; n < limits.alertSms + 4; n++)
      await raise(server, { type: types[n % 3] as AlertType, address: `10.3.0.${n}` })
    await scene.mail.seen(limits.alertSms + 4)
    const messages = async () => (await listed(server)).flatMap(({ deliveries }) => deliveries.slice(1))
    const logged = { channel: 'sms', state: 'logged', reason: 'too_many' }
    await expect.poll(async () => (await messages()).filter(({ state }) => state === 'waiting')).toEqual([])
    expect((await messages()).filter(({ state }) => state !== 'sent')).toEqual(Array.from({ length: 4 }, () => logged))
    expect(services.asked).toHaveLength(limits.alertSms)
    expect(scene.lines.filter((line) => line.includes('"ALERT: '))).toHaveLength(4)
    // Digests count towards the limit; a test alert of the founder does not.
    await raise(server, { type: 'account_locked', address: '10.3.0.0' })
    await server.advance(limits.alertWindow)
    await expect.poll(async () => (await listed(server))[0]).toMatchObject({ kind: 'digest' })
    await settled(server, { email: 'sent', sms: 'logged' })
    expect(services.asked).toHaveLength(limits.alertSms)
    await server.core.db.write((tx) => queueAlert(tx, server.core, { ...told, kind: 'test' }))
    await expect.poll(() => services.asked).toHaveLength(limits.alertSms + 1)
    // An hour later, text messages are sent again.
    server.clock.advance(limits.alertSmsWindow)
    await raise(server, { type: 'mass_signup', address: '10.3.0.1' })
    await expect.poll(() => services.asked).toHaveLength(limits.alertSms + 2)
  },
)

const told = { type: 'account_locked', subject: '', address: null, event_count: null, held_back: 0 } as const

test('without a service the alert is in the server’s log, and its state says why', async () => {
  await using scene = await createAlertServer({ smtp: false })
  await choose(scene.server, { ...toEmail, ...toPhone })
  await raise(scene.server, lock)
  await settled(scene.server, { email: 'logged', sms: 'logged' })
  expect((await listed(scene.server))[0]?.deliveries.map(({ reason }) => reason)).toEqual(['not_set_up', 'not_set_up'])
  const lines = scene.lines.filter((line) => line.includes('ALERT: Account locked'))
  expect(lines.length).toBeGreaterThan(0)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ alert: 'account_locked', about: { Address: '10.1.1.1' } })
})

describe('configuration', () => {
  function problemsOf(env: Record<string, string>): readonly string[] {
    try {
      loadConfig(env)
      return []
    } catch (error) {
      if (error instanceof ConfigError) return error.problems
      throw error
    }
  }

  test('complete it is taken', () => {
    expect(loadConfig({ ...sendgrid, ...twilio }).alerts).toEqual({
      sendgrid: { key: sendgrid.SENDGRID_API_KEY, from: 'privity@example.org' },
      twilio: { sid: twilio.TWILIO_ACCOUNT_SID, token: twilio.TWILIO_AUTH_TOKEN, from: '+15550100' },
    })
    expect(loadConfig({}).alerts).toEqual({ sendgrid: undefined, twilio: undefined })
    expect(loadConfig({ ...sendgrid, SMTP_URL: 'smtp://127.0.0.1' }).warnings.join()).toContain('SENDGRID_API_KEY')
  })

  const broken: [string, Record<string, string>, number][] = [
    ['a key of another form', { ...sendgrid, SENDGRID_API_KEY: 'hunter2hunter2' }, 1],
    ['a key that could end a header', { ...sendgrid, SENDGRID_API_KEY: 'SG.a.b\r\nX: hunter2' }, 1],
    ['a key without a sender', { SENDGRID_API_KEY: sendgrid.SENDGRID_API_KEY }, 1],
    ['a part of Twilio missing', { ...twilio, TWILIO_FROM: '' }, 1],
    [
      'all of Twilio wrong',
      { TWILIO_ACCOUNT_SID: 'hunter2', TWILIO_AUTH_TOKEN: 'hunter2!', TWILIO_FROM: 'Privity' },
      3,
    ],
  ]
  test.each(broken)('%s: every problem is said, and no secret', (_what, env, count) => {
    const problems = problemsOf(env)
    expect(problems).toHaveLength(count)
    for (const problem of problems) expect(problem).toMatch(/^(SENDGRID|TWILIO)_/)
    expect(problems.join()).not.toMatch(/hunter2|key-of-a-test|fedcba/)
  })
})
