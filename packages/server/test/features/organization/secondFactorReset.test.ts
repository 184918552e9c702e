import { closeCodes } from '@privity/contract/events'
import { limits } from '@privity/contract/limits'
import { notifications } from '@privity/contract/notifications'
import { userAdministration } from '@privity/contract/organization'
import { secondFactor } from '@privity/contract/secondFactor'
import { session, type Role } from '@privity/contract/session'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestServer, type Member, type TestServer } from '../../support/server/testServer.ts'
import { createMailServer, lettersOf } from '../../support/services/mailServer.ts'
import { createOrganization, join } from '../../support/scenes/organization.ts'
import { setPolicy } from '../../support/scenes/preferences.ts'
import { addPasskey, enableTotp, enterPassword } from '../../support/scenes/secondFactor.ts'
import { storedBytes } from '../../support/database/storedBytes.ts'

// Each sign-up and each proof costs a password hash, which is slow on a busy machine.
vi.setConfig({ testTimeout: 30_000 })

let server: TestServer
beforeAll(async () => {
  const many = { requests: 100_000, window: 1000 }
  server = await createTestServer({ options: { rateLimits: { signUp: many, signIn: many, other: many } } })
})
afterAll(() => server.close())

const at = ({ user }: Member) => ({ params: { id: user.id } })

/** The number of a member's rows about second factors, by table. */
const left = ({ user }: Member) =>
  server.core.db.read.get<Record<string, number>>(
    `select (select count(*) from authenticator_apps where user_id = u.id) as apps,
       (select count(*) from passkeys where user_id = u.id) as passkeys,
       (select count(*) from recovery_codes where user_id = u.id) as codes,
       (select count(*) from sign_in_tickets where user_id = u.id) as tickets,
       (select count(*) from passkey_challenges where user_id = u.id) as challenges
     from users u where id = ?`,
    [user.id],
  )
const nothing = { apps: 0, passkeys: 0, codes: 0, tickets: 0, challenges: 0 }

test('who has lost every factor signs in with the password again, and is told who did it', async () => {
  const [admin, member] = [await join(server, 'org_admin'), await server.signUp()]
  const app = await enableTotp(server, member)
  const { browser } = await addPasskey(server, member, { code: app.code() })
  await browser.call(secondFactor.requestPasskey, {})
  const elsewhere = server.visitor()
  const { ticket } = await enterPassword(elsewhere, member)
  const socket = await member.socket()
  const { id } = member.user
  const row = await server.core.db.read.get<{ secret: string }>(
    'select secret from authenticator_apps where user_id = ?',
    [id],
  )
  const onDisk = async () => (await storedBytes(server.dataDir)).includes(row?.secret ?? '')
  expect(await onDisk()).toBe(true)
  await server.advance(20_000)
  expect(await admin.call(userAdministration.resetSecondFactor, at(member))).toMatchObject({ id, isActive: true })

  expect(await left(member)).toEqual(nothing)
  expect(await socket.closed).toBe(closeCodes.sessionEnded)
  expect(await socket.closedFor).toBe('second_factor_reset')
  for (const each of [member, browser]) expect((await each.refused(session.getUser, {})).status).toBe(401)
  const stale = { body: { ticket, recoveryCode: app.recoveryCodes[0] as string } }
  expect((await elsewhere.refused(secondFactor.signIn, stale)).body.code).toBe('TICKET_INVALID')

  const { username } = member.user
  const wrong = await server.visitor().refused(session.login, { body: { username, password: 'not it' } })
  expect(wrong.body.code).toBe('WRONG_CREDENTIALS')
  const fresh = server.visitor()
  expect(await fresh.call(session.login, { body: { username, password: member.password } })).toMatchObject(member.user)
  const { notifications: told } = await fresh.call(notifications.list, { query: {} })
  expect(told.map(({ kind, read }) => [kind, read])).toContainEqual(['second_factor_reset', false])
  const [entry] = await server.core.db.read.all(
    "select actor_id, target_id from audit_log where action = 'user_second_factor_reset' and target_id = ?",
    [id],
  )
  expect(entry).toEqual({ actor_id: admin.user.id, target_id: id })
  await server.advance(20_000)
  expect(await onDisk()).toBe(false)
})

test('where the organization requires a second factor, the next thing is to set one up', async () => {
  const [admin, member] = [await join(server, 'super_admin'), await server.signUp()]
  // In sequence: each call advances the clock by a minute.
  for (const each of [admin, member]) await enableTotp(server, each)
  await setPolicy(server, { twoFactor: true })
  await admin.call(userAdministration.resetSecondFactor, at(member))
  const browser = server.visitor()
  await browser.call(session.login, { body: { username: member.user.username, password: member.password } })
  expect((await browser.refused(notifications.list, { query: {} })).body.code).toBe('SECOND_FACTOR_MISSING')
  await setPolicy(server, {})
})

const pairs: [Role, Role, number, string?][] = [
  ['user', 'user', 403, 'FORBIDDEN'],
  ['user', 'super_admin', 403, 'FORBIDDEN'],
  ['org_admin', 'user', 200],
  ['org_admin', 'org_admin', 200],
  ['org_admin', 'super_admin', 403, 'ABOVE_RANK'],
  ['super_admin', 'org_admin', 200],
  ['super_admin', 'super_admin', 200],
]

test.each(pairs)('%s for %s: %i %s', async (actorRole, targetRole, status, code) => {
  const [actor, target] = [await join(server, actorRole), await join(server, targetRole)]
  await enableTotp(server, target)
  const before = await left(target)
  const answer = await actor.request('POST', `/api/users/${target.user.id}/second-factor/reset`)
  expect(answer).toMatchObject(code === undefined ? { status } : { status, body: { code } })
  expect(await left(target)).toEqual(status === 200 ? nothing : before)
  expect((await target.request('GET', '/api/user')).status).toBe(status === 200 ? 401 : 200)
})

test('neither one’s own, nor of another organization, nor of nobody, nor where there is none', async () => {
  const admin = await join(server, 'super_admin')
  const organizationId = await createOrganization(server, 'Elsewhere')
  const stranger = await join(server, 'user', { organizationId })
  const bare = await server.signUp()
  for (const each of [admin, stranger]) await enableTotp(server, each)
  const refusals: [string, number, string][] = [
    [admin.user.id, 403, 'OWN_ACCOUNT'],
    [stranger.user.id, 404, 'USER_NOT_FOUND'],
    ['01900000-0000-7000-8000-000000000000', 404, 'USER_NOT_FOUND'],
    ['x', 400, 'INVALID_INPUT'],
    [bare.user.id, 409, 'SECOND_FACTOR_OFF'],
  ]
  for (const [id, status, code] of refusals) {
    const answer = await admin.request('POST', `/api/users/${id}/second-factor/reset`)
    expect(answer, code).toMatchObject({ status, body: { code } })
  }
  for (const each of [admin, stranger, bare]) expect((await each.request('GET', '/api/user')).status).toBe(200)
  expect((await left(admin))?.apps).toBe(1)
})

test('of two at once one does it, and what the member sets up anew afterwards stays', async () => {
  const [one, other, member] = [
    await join(server, 'super_admin'),
    await join(server, 'org_admin'),
    await server.signUp(),
  ]
  await enableTotp(server, member)
  const answers = await Promise.all(
    [one, other].map(({ request }) => request('POST', `/api/users/${member.user.id}/second-factor/reset`)),
  )
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const fresh = { ...member, ...server.visitor() }
  await fresh.call(session.login, { body: { username: member.user.username, password: member.password } })
  await enableTotp(server, fresh)
  expect((await left(member))?.apps).toBe(1)
})

test('a letter tells the member too, where mail is set up', async () => {
  await using mail = await createMailServer()
  await using own = await createTestServer({ env: { SMTP_URL: mail.url, MAIL_FROM: 'privity@example.com' } })
  const [admin, member] = [await join(own, 'super_admin'), await own.signUp()]
  await enableTotp(own, member)
  await admin.call(userAdministration.resetSecondFactor, at(member))
  const letter = (await lettersOf(own, mail)).at(-1)
  expect(letter?.to).toEqual([member.user.email])
  expect(letter?.source).toContain('removed the second factors')
})

test('an administrator who has not confirmed undoes nothing that others store at the same moment', async () => {
  const [admin, member] = [await join(server, 'org_admin'), await server.signUp()]
  await enableTotp(server, member)
  await server.advance(limits.confirmationTime)
  const { db } = server.core
  const { write } = db
  const written: string[] = []
  db.write = (work, isolation) =>
    write(
      (tx) =>
        work({
          ...tx,
          run(sql, params) {
            written.push(sql)
            return tx.run(sql, params)
          },
        }),
      isolation,
    )
  const refused = await admin.refused(userAdministration.resetSecondFactor, at(member))
  db.write = write
  expect([refused.body.code, written]).toEqual(['CONFIRMATION_NEEDED', []])
})
