import { alertProblems, alerts, type AlertSettings, alertTypes } from '@privity/contract/founder/alerts'
import { limits, rateLimits } from '@privity/contract/limits'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestServer, type TestServer } from '../../../support/server/testServer.ts'
import {
  type AlertServer,
  choose,
  createAlertServer,
  listed,
  sendgrid,
  toEmail,
  toPhone,
  twilio,
} from '../../../support/founder/alerts.ts'
import type { Caller } from '../../../support/server/caller.ts'
import { signInFounder } from '../../../support/founder/founder.ts'
import { selectAudit } from '../../../support/scenes/auditEntries.ts'
import { refuse } from '../../../support/database/schema.ts'

const off: AlertSettings = {
  emailEnabled: false,
  emailAddress: null,
  smsEnabled: false,
  smsPhoneNumber: null,
  alertTypes: [...alertTypes],
}

describe('settings', () => {
  let server: TestServer
  let founder: Caller
  beforeAll(async () => {
    const many = { requests: 100_000, window: 1000 }
    server = await createTestServer({ options: { rateLimits: { other: many } } })
    founder = await signInFounder(server)
  })
  afterAll(() => server.close())

  test('before anything was saved: every type, to the log', async () => {
    expect(await founder.call(alerts.getSettings, {})).toEqual({ ...off, carriers: { email: 'log', sms: 'log' } })
  })

  test('are kept, also over a restart, and what belongs to a channel that is off is not', async () => {
    const chosen = { ...off, ...toEmail, emailAddress: ' Security@Example.com ', smsPhoneNumber: '+15550199' }
    const saved = await founder.call(alerts.putSettings, {
      body: { ...chosen, alertTypes: ['account_locked', 'mass_signup', 'mass_signup'] },
    })
    const expected = { ...off, ...toEmail, alertTypes: ['mass_signup', 'account_locked'] }
    expect(saved).toMatchObject(expected)
    await server.restart()
    expect(await founder.call(alerts.getSettings, {})).toMatchObject(expected)
    await founder.call(alerts.putSettings, { body: { ...off, alertTypes: [] } })
    expect(await founder.call(alerts.getSettings, {})).toMatchObject({ ...off, alertTypes: [] })
  })

  const refused: [Partial<AlertSettings>, string, string][] = [
    [{ emailEnabled: true }, 'emailAddress', alertProblems.emailMissing],
    [{ emailEnabled: true, emailAddress: '  ' }, 'emailAddress', alertProblems.emailMissing],
    [{ emailEnabled: true, emailAddress: 'nobody' }, 'emailAddress', alertProblems.emailInvalid],
    [{ emailEnabled: true, emailAddress: 'a@b' }, 'emailAddress', alertProblems.emailInvalid],
    [
      { emailEnabled: true, emailAddress: 'a@b.example\r\nBcc: c@d.example' },
      'emailAddress',
      alertProblems.emailInvalid,
    ],
    [{ emailEnabled: true, emailAddress: 'a@b.example, c@d.example' }, 'emailAddress', alertProblems.emailInvalid],
    [{ smsEnabled: true }, 'smsPhoneNumber', alertProblems.phoneMissing],
    [{ smsEnabled: true, smsPhoneNumber: '' }, 'smsPhoneNumber', alertProblems.phoneMissing],
    [{ smsEnabled: true, smsPhoneNumber: '0123456' }, 'smsPhoneNumber', alertProblems.phoneInvalid],
    [{ smsEnabled: true, smsPhoneNumber: '+0123456' }, 'smsPhoneNumber', alertProblems.phoneInvalid],
    [{ smsEnabled: true, smsPhoneNumber: '+1234567890123456' }, 'smsPhoneNumber', alertProblems.phoneInvalid],
    [{ smsEnabled: true, smsPhoneNumber: '+1 555 0100' }, 'smsPhoneNumber', alertProblems.phoneInvalid],
    [{ smsEnabled: true, smsPhoneNumber: '+15550100\n+15550199' }, 'smsPhoneNumber', alertProblems.phoneInvalid],
  ]
  test.each(refused)('%j: refused at %s, with the sentence of the specification', async (given, field, message) => {
    const before = [await founder.call(alerts.getSettings, {}), await selectAudit(server.core.db.read)]
    const answer = await founder.refused(alerts.putSettings, { body: { ...off, ...given } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT', error: message } })
    expect(answer.body.details).toEqual([{ path: field, message }])
    expect([await founder.call(alerts.getSettings, {}), await selectAudit(server.core.db.read)]).toEqual(before)
  })

  test('the texts are those of the specification', () => {
    expect(Object.values(alertProblems)).toEqual([
      'Email address is required when email notifications are enabled.',
      'Please enter a valid email address.',
      'Phone number is required when SMS notifications are enabled.',
      'Please enter a valid phone number (E.164 format, e.g., +1234567890).',
      'Please select an alert type to test.',
    ])
  })

  test.each(['15550100', '+15550100', '+123456789012345', '12'])('the number %s is taken', async (smsPhoneNumber) => {
    const saved = await founder.call(alerts.putSettings, { body: { ...off, smsEnabled: true, smsPhoneNumber } })
    expect(saved.smsPhoneNumber).toBe(smsPhoneNumber)
  })

  test.each([
    [undefined],
    [{ ...off, alertTypes: ['everything'] }],
    [{ ...off, alertTypes: 'mass_signup' }],
    [{ ...off, emailEnabled: 'yes' }],
    [{ ...off, emailAddress: 'x'.repeat(400) }],
    [{ ...off, alertTypes: Array.from({ length: 6 }, () => 'mass_signup') }],
    [[]],
  ])('what is no settings is refused: %j', async (body) => {
    const answer = await founder.request('PUT', '/api/founder/alert-settings', body)
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
  })

  test('their entry says what was switched, and neither address nor number', async () => {
    await founder.call(alerts.putSettings, { body: { ...off, ...toEmail, ...toPhone, alertTypes: ['failed_logins'] } })
    const entries = await selectAudit(server.core.db.read, "action = 'alert_settings_changed'")
    expect(entries.at(-1)).toMatchObject({ actor_id: 'founder', address: founder.address })
    expect(JSON.parse(entries.at(-1)?.details ?? '')).toEqual({
      emailEnabled: true,
      smsEnabled: true,
      alertTypes: 'failed_logins',
    })
  })
})

describe('what carries them', () => {
  test.each([
    [{}, 'log', 'log'],
    [{ SMTP_URL: 'smtp://127.0.0.1' }, 'smtp', 'log'],
    [sendgrid, 'sendgrid', 'log'],
    [{ ...sendgrid, SMTP_URL: 'smtp://127.0.0.1', ...twilio }, 'smtp', 'twilio'],
  ] as [Record<string, string>, string, string][])('%j', async (env, email, sms) => {
    await using server = await createTestServer({ env })
    const founder = await signInFounder(server)
    const described = await founder.call(alerts.getSettings, {})
    expect(described.carriers).toEqual({ email, sms })
    expect(JSON.stringify(described)).not.toMatch(/SG\.|fedcba/)
  })
})

describe('a test alert', () => {
  const sent = (founder: Caller, alertType: string | null = 'mass_signup') =>
    founder.call(alerts.test, { body: { alertType } })

  async function withFounder(scene: AlertServer) {
    return { ...scene, founder: await signInFounder(scene.server) }
  }

  test('a test goes out at once on every active channel, says that it is one, and is not throttled', async () => {
    await using scene = await createAlertServer({ env: twilio })
    const { founder, server, mail, services } = await withFounder(scene)
    await choose(server, { ...toEmail, ...toPhone, alertTypes: [] })
    for (let n = 0; n < 2; n++)
      expect(await sent(founder, 'failed_logins')).toEqual({
        deliveries: [
          { channel: 'email', state: 'sent' },
          { channel: 'sms', state: 'sent' },
        ],
      })
    expect([mail.delivered.length, services.asked.length]).toEqual([2, 2])
    expect(mail.delivered[0]?.source).toContain('Subject: [Privity] Test: Failed logins')
    expect(mail.delivered[0]?.source).toContain('This is a test')
    await server.advance(60 * 60_000)
    expect(mail.delivered).toHaveLength(2)
  })

  test('without a channel it is in the log', async () => {
    await using scene = await createAlertServer({ smtp: false })
    const { founder, lines } = await withFounder(scene)
    expect(await sent(founder)).toEqual({ deliveries: [{ channel: 'log', state: 'logged' }] })
    expect(lines.join()).toContain('ALERT: Test: Mass signup')
  })

  test.each([[null], [''], ['everything'], [undefined]])('%j is no type', async (alertType) => {
    await using scene = await createAlertServer({ smtp: false })
    const { founder, server } = await withFounder(scene)
    const answer = await founder.refused(alerts.test, { body: { alertType } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'Please select an alert type to test.' } })
    expect(await listed(server)).toEqual([])
  })

  test('that cannot be sent says why, and is not tried again', async () => {
    await using scene = await createAlertServer()
    const { founder, server, mail } = await withFounder(scene)
    await choose(server, toEmail)
    mail.refuseWith(451)
    const answer = await founder.refused(alerts.test, { body: { alertType: 'mass_signup' } })
    expect(answer).toMatchObject({ status: 502, body: { code: 'ALERT_NOT_SENT' } })
    expect(answer.body.error).toBe('Failed to send test alert. Email: The service asked to try again later.')
    expect((await listed(server))[0]?.deliveries).toEqual([{ channel: 'email', state: 'failed', reason: 'busy' }])
    mail.refuseWith(undefined)
    await server.advance(24 * 60 * 60_000)
    expect(mail.delivered).toEqual([])
  })

  test('to a service that never answers: an answer within the time of an attempt', async () => {
    await using scene = await createAlertServer({ smtp: false, env: twilio })
    const { founder, server, services } = await withFounder(scene)
    await choose(server, toPhone)
    services.answerWith('nothing')
    const answered = founder.refused(alerts.test, { body: { alertType: 'mass_signup' } })
    await expect.poll(() => services.asked).toHaveLength(1)
    server.clock.advance(limits.alertAttempt)
    expect((await answered).body.error).toContain('SMS: The service did not respond in time.')
  })

  test('that was under way when the process died is taken up after the next start', async () => {
    await using scene = await createAlertServer()
    const { founder, server, mail } = await withFounder(scene)
    await choose(server, toEmail)
    const allow = await refuse(server.core.db, 'alert_deliveries', { before: 'update' })
    mail.refuseWith(451)
    await founder.refused(alerts.test, { body: { alertType: 'mass_signup' } })
    expect((await listed(server))[0]?.deliveries[0]?.state).toBe('waiting')
    mail.refuseWith(undefined)
    await server.restart()
    await allow(server.core.db)
    await server.advance(2 * limits.alertAttempt + 10_000)
    // The founder's failed request (500) raises an alert, too.
    await expect
      .poll(() => mail.delivered.map(({ source }) => source.includes('[Privity] Test: ')).sort())
      .toEqual([false, true])
  })

  test('so many in a time, because each may cost something', async () => {
    await using scene = await createAlertServer({ smtp: false })
    const { founder } = await withFounder(scene)
    for (let n = 0; n < rateLimits.testAlert.requests; n++) await sent(founder)
    expect((await founder.refused(alerts.test, { body: { alertType: 'mass_signup' } })).status).toBe(429)
  })
})

test('the list: newest first, so many, with what became of each', async () => {
  await using scene = await createAlertServer({ smtp: false })
  const founder = await signInFounder(scene.server)
  for (const type of ['mass_signup', 'failed_logins', 'system_error'] as const) {
    await founder.call(alerts.test, { body: { alertType: type } })
    scene.server.clock.advance(1000)
  }
  const list = await founder.call(alerts.list, { query: { limit: 2 } })
  expect(list).toMatchObject([
    { type: 'system_error', kind: 'test', subject: 'test', heldBack: 0, deliveries: [{ state: 'logged' }] },
    { type: 'failed_logins' },
  ])
  expect(await founder.call(alerts.list, { query: {} })).toHaveLength(3)
  for (const limit of ['0', '101', 'x'])
    expect((await founder.request('GET', `/api/founder/alerts?limit=${limit}`)).status).toBe(400)
})
