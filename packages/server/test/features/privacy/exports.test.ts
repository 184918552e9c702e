import { account } from '@privity/contract/account'
import { rateLimits } from '@privity/contract/limits'
import { privacy } from '@privity/contract/privacy'
import { session } from '@privity/contract/session'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit } from '../../../src/core/audit/audit.ts'
import type { AuditRow } from '../../../src/core/database/tables/audit.ts'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createMailServer } from '../../support/services/mailServer.ts'
import { renewing } from '../../support/scenes/keyReplacement.ts'
import { wrapped } from '../../support/server/memberKeys.ts'
import { allowExports, prefer } from '../../support/scenes/preferences.ts'
import { listBrowser } from '../../support/scenes/browsers.ts'
import { createTalk } from '../../support/scenes/conversation.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const exported = (member: Member) => member.call(privacy.createExport, {})
const refusal = async (member: Member) => (await member.refused(privacy.createExport, {})).body.code
const entries = (member: Member) =>
  server.core.db.read.all<AuditRow>(
    "select * from audit_log where action = 'data_exported' and actor_id = ? order by seq",
    [member.user.id],
  )

describe('the switch', () => {
  test('is off until its owner switches it on with the password', async () => {
    const member = await server.signUp()
    expect(await refusal(member)).toBe('EXPORTS_OFF')
    expect(await entries(member)).toEqual([])
    expect((await allowExports(member)).preferences.dataDownloads).toBe(true)
    await exported(member)
    expect(await entries(member)).toHaveLength(1)
  })

  test('no other way switches it on', async () => {
    const member = await server.signUp()
    for (const body of [
      { dataDownloads: true },
      { dataDownloads: true, password: member.password },
      { readReceipts: false, dataDownloads: true },
    ]) {
      const answer = await member.request('PATCH', '/api/preferences', body)
      expect(answer).toMatchObject({ status: 403, body: { code: 'PASSWORD_NEEDED' } })
    }
    expect(await refusal(member)).toBe('EXPORTS_OFF')
    const wrong = await member.refused(privacy.allowExports, { body: { password: 'a guess' } })
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } })
    expect(await refusal(member)).toBe('EXPORTS_OFF')
  })

  test('a refused part changes nothing else either', async () => {
    const member = await server.signUp()
    await member.request('PATCH', '/api/preferences', { onlineStatus: false, dataDownloads: true })
    const { body } = await member.request('GET', '/api/preferences')
    expect(body).toMatchObject({ preferences: { onlineStatus: true, dataDownloads: false } })
  })

  test('a password that was replaced while it was looked at switches nothing on', async () => {
    const member = await server.signUp()
    const { passwords } = server.core
    const { verify } = passwords
    passwords.verify = async (given, stored) => {
      passwords.verify = verify
      const isRight = await verify(given, stored)
      const wrap = { wrappedAccountKey: wrapped(), identityKey: member.keys?.identityKey }
      const body = { currentPassword: member.password, newPassword: 'a new one', ...wrap }
      await member.call(account.changePassword, { body })
      return isRight
    }
    const refused = await member.refused(privacy.allowExports, { body: { password: member.password } })
    expect(refused.body.code).toBe('WRONG_PASSWORD')
    expect(await refusal(member)).toBe('EXPORTS_OFF')
  })

  test('guesses lock like failed sign-ins', async () => {
    const member = await server.signUp()
    for (let guess = 0; guess < 5; guess++)
      await member.refused(privacy.allowExports, { body: { password: `guess ${guess}` } })
    const right = await member.refused(privacy.allowExports, { body: { password: member.password } })
    expect(right).toMatchObject({ status: 423, body: { code: 'ACCOUNT_LOCKED' } })
    expect(await refusal(member)).toBe('EXPORTS_OFF')
  })

  test('off again it refuses at once, and asks for the password again', async () => {
    const member = await server.signUp()
    await allowExports(member)
    await prefer(member, { dataDownloads: false })
    expect(await refusal(member)).toBe('EXPORTS_OFF')
    const again = await member.request('PATCH', '/api/preferences', { dataDownloads: true })
    expect(again.status).toBe(403)
  })

  test('once switching off is answered no export is given, and each one given is in the log', async () => {
    const member = await server.signUp()
    await allowExports(member)
    const asked = Array.from({ length: 10 }, () => member.request('POST', '/api/account/exports'))
    const off = prefer(member, { dataDownloads: false })
    const answers = await Promise.all(asked)
    await off
    expect(await refusal(member)).toBe('EXPORTS_OFF')
    expect(await entries(member)).toHaveLength(answers.filter(({ status }) => status === 200).length)
  })

  test('so many in an hour, so that nobody has an address flooded with the notices', async () => {
    const member = await server.signUp()
    await allowExports(member)
    const { requests, window } = rateLimits.dataExport
    for (let at = 0; at < requests; at++) await exported(member)
    expect(await refusal(member)).toBe('RATE_LIMITED')
    expect(await entries(member)).toHaveLength(requests)
    await server.advance(window)
    await exported(member)
  })

  test('for one member only', async () => {
    const [member, stranger] = [await server.signUp(), await server.signUp()]
    await allowExports(member)
    expect(await refusal(stranger)).toBe('EXPORTS_OFF')
  })
})

describe('what is given', () => {
  test('profile, organization, preferences, sessions, browsers and own activity, of nobody else', async () => {
    const { anna, ben } = await createTalk(server)
    await prefer(anna, { onlineStatus: false })
    await allowExports(anna)
    const { browserId } = await listBrowser(anna, undefined, server.clock.now())
    const now = server.clock.now()
    const given = await exported(anna)
    expect(JSON.stringify(given)).not.toContain(browserId)
    expect(given.profile).toEqual(anna.user)
    expect(given.organization.name).not.toBe('')
    expect(given.preferences).toMatchObject({ onlineStatus: false, dataDownloads: true })
    expect(given.sessions).toEqual(await anna.call(session.listSessions, {}))
    expect(given.browsers).toEqual([
      {
        name: expect.any(String),
        firstUsedAt: now,
        lastUsedAt: now,
        isCurrent: true,
        canRemove: true,
        sharesSession: false,
        isApproved: true,
      },
    ])
    expect(given.activity.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['data_exported', 'connection_created', 'account_created']),
    )
    expect(given.activity[0]?.action).toBe('data_exported')
    for (const secret of [ben.user.email, ben.user.connectionCode, ben.address])
      expect(JSON.stringify(given)).not.toContain(secret)
  })

  test('of what was done, the newest thousand entries', async () => {
    const member = await server.signUp()
    await allowExports(member)
    const at = server.clock.now()
    await server.core.db.write(async (tx) => {
      for (let entry = 0; entry < 1_005; entry++)
        await audit(tx, { action: 'data_exported', actorId: member.user.id, details: { entry }, at })
    })
    const { activity } = await exported(member)
    expect(activity.slice(1).map(({ details }) => details.entry)).toEqual(
      Array.from({ length: 999 }, (_, newest) => 1_004 - newest),
    )
  })

  test('no keys, sealed or not, no tokens and no passwords', async () => {
    const { anna, sendFile } = await createTalk(server)
    await sendFile(anna)
    await allowExports(anna)
    const given = JSON.stringify(await exported(anna))
    const rows = await server.core.db.read.all<Record<string, unknown>>(
      `select u.*, s.token_hash, e.wrapped_seed, e.public_key from users u join sessions s on s.user_id = u.id
       join epochs e on e.user_id = u.id where u.id = ?`,
      [anna.user.id],
    )
    const secretColumns = /wrapped|hash|identity_key|public_key|pins$/
    const values = rows.flatMap((row) => Object.entries(row).filter(([name]) => secretColumns.test(name)))
    expect(values.length).toBeGreaterThan(6)
    const { keys } = anna
    const held = [keys?.wrappedAccountKey, keys?.wrappedIdentitySeed, keys?.recoveryProof, keys?.pins.sealed]
    for (const secret of [...values.map(([, value]) => value), ...held, anna.password, ...anna.cookies.values()])
      expect(given).not.toContain(secret)
  })

  test('an email notice is sent where there is a mail server, without the data', async () => {
    await using mail = await createMailServer()
    await using own = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
    const member = await own.signUp()
    await allowExports(member)
    expect((await exported(member)).mailed).toBe(true)
    await mail.seen(1)
    expect(mail.delivered[0]).toMatchObject({ to: [member.user.email] })
    expect(mail.delivered[0]?.source).toContain('Your Privity data export')
    expect(mail.delivered[0]?.source).not.toContain(member.user.connectionCode)
    const other = await server.signUp()
    await allowExports(other)
    expect((await exported(other)).mailed).toBe(false)
  })
})

describe('the security facts', () => {
  const facts = (member: Member) => member.call(privacy.securityFacts, {})

  test('count wrong passwords of 30 days, and say where the last came from', async () => {
    const [member, other] = [await server.signUp(), await server.signUp()]
    const stranger = server.visitor()
    const { username } = member.user
    await stranger.refused(session.login, { body: { username, password: 'a guess' } })
    await server.advance(1_000)
    const lastAt = server.clock.now()
    await stranger.refused(session.login, { body: { username, password: 'another' } })
    expect((await facts(member)).failedSignIns).toEqual({ count: 2, lastAt, lastAddress: stranger.address })
    expect((await facts(other)).failedSignIns).toEqual({ count: 0 })
    await prefer(member, { sessionTimeout: false })
    await server.advance(29.9 * 24 * 60 * 60 * 1000)
    expect((await facts(member)).failedSignIns.count).toBe(2)
    await server.advance(0.1 * 24 * 60 * 60 * 1000)
    expect((await facts(member)).failedSignIns).toEqual({ count: 0 })
  })

  test('say when the recovery key that works was made', async () => {
    const member = await server.signUp()
    expect((await facts(member)).recoveryKeyAt).toBe(member.user.createdAt)
    await server.advance(5_000)
    await member.call(account.renewRecoveryKey, { body: renewing(member) })
    expect((await facts(member)).recoveryKeyAt).toBe(member.user.createdAt + 5_000)
    expect((await facts(await server.signUp('plain', { keys: false }))).recoveryKeyAt).toBeUndefined()
  })
})
